/** The engine as WebAssembly: texts in and out of its memory. Runs in a worker, and in Node for the tests. */

/** @typedef {{ memory: WebAssembly.Memory, allocate(length: number): number, release(at: number): void } & Record<Call, (at: number, length: number) => number>} Exports */
/** @typedef {"ask" | "solve" | "shelve" | "pocket" | "trial" | "converge"} Call */

/** What the engine asks its page to do, and the answer. @typedef {{ status: number, type: string, keep?: Row[], drop?: boolean, keep_rules?: [string, string][], drop_rules?: string, solve?: string, left_out?: string, body: string }} Reply */
/** A game as it is kept. @typedef {{ id: number, started: number, changed: number, ending: string | null, record: string } & Record<string, unknown>} Row */
/** @typedef {{ method: string, path: string, body?: string, seed?: string, now?: number, id?: number, games?: Row[] }} ApiRequest */

export class Engine {
  /** @param {WebAssembly.Module} module @param {(event: string) => void} [onEvent] called with events during a call, as JSON */
  constructor(module, onEvent = () => {}) {
    const tell = (/** @type {number} */ at, /** @type {number} */ length) => onEvent(new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, at >>> 0, length)));
    const instance = new WebAssembly.Instance(module, { page: { tell } });
    this.exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  }

  /** Calls a function of the engine; its answer is copied out of the engine's memory. @param {Call} name @param {Uint8Array} given */
  call(name, given) {
    const { allocate, release, memory } = this.exports;
    // Addresses are numbers with a sign, and negative from 2 GiB on.
    const at = allocate(given.length) >>> 0;
    new Uint8Array(memory.buffer, at, given.length).set(given);
    const answer = this.exports[name](at, given.length) >>> 0;
    const length = new DataView(memory.buffer).getUint32(answer, true);
    const bytes = new Uint8Array(memory.buffer, answer + 4, length).slice();
    release(answer);
    return bytes;
  }

  /** The same with texts. @param {Call} name @param {string} text */
  say(name, text) {
    return new TextDecoder().decode(this.call(name, new TextEncoder().encode(text)));
  }

  /** Answers a request of the API. @param {ApiRequest} request @returns {Reply} */
  ask(request) {
    const answer = this.say("ask", JSON.stringify(request));
    const end = answer.indexOf("\n");
    return { ...JSON.parse(answer.slice(0, end)), body: answer.slice(end + 1) };
  }
}
