/** The worker that answers the page: the engine, and what the browser keeps of games, rules and tables. */

import { Store } from "./store.js";
import { Engine } from "./wasm.js";

/** @typedef {import("./wasm.js").ApiRequest} ApiRequest */
/** @typedef {import("./wasm.js").Reply} Reply */

const channel = new BroadcastChannel("puabi");
/** Requests that listen to a solve, by their number: the text by which another worker knows the rules. @type {Map<number, string>} */
const listeners = new Map();
/** Workers that show how values converge, by the number of the request. @type {Map<number, Worker>} */
const shown = new Map();

/** The engine, compiled once for this worker and those that it starts. @type {Promise<WebAssembly.Module> | null} */
let compiling = null;

function compiled() {
  compiling ??= compile();
  // If it fails, the next call tries again.
  compiling.catch(() => { compiling = null; });
  return compiling;
}

async function compile() {
  const address = new URL("./puabi.wasm", import.meta.url);
  try {
    return await WebAssembly.compileStreaming(fetch(address));
  } catch {
    // The host may not know the type of the file.
    return WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  }
}

/** The rule sets with a pocket, the file of a near-perfect player. */
const POCKETS = ["finkel", "blitz", "masters"];
/** Requests that a pocket may answer. */
const POCKETED = /^\/api\/(games|review|[^/]+\/(agents|choose|positions))/;

/** A text that the page translates. @param {string} text @param {Record<string, unknown>} [values] for its places */
const said = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** Why a table cannot be taken over, or made. */
const NO_MEMORY = said("there is not enough memory");
/** Why there is no table. */
const NOT_STARTED = said("the engine did not start");

/** How an answer of the engine begins that is a reason, and not a result: "!". */
const REFUSED = 33;

const now = () => Math.floor(Date.now() / 1000);

/** The games of a browser without a database, which outlive a session. @type {Store | null} */
let memoryStore = null;

/** Opens the store. */
async function openStore() {
  const store = memoryStore ?? await Store.open();
  if (!store.database) memoryStore = store;
  return store;
}

/** Random digits: 64 bits. */
const seed = () => String(crypto.getRandomValues(new BigUint64Array(1))[0]);

class EngineSession {
  /** @param {Engine} engine @param {Store} store */
  constructor(engine, store) {
    this.engine = engine;
    this.store = store;
    /** The pockets that have not been fetched. */
    this.missing = new Set(POCKETS);
    /** Settled when each was tried. @type {Promise<unknown> | null} */
    this.fetching = null;
  }

  static async open() {
    const [built, store] = await Promise.all([compiled(), openStore()]);
    const session = new EngineSession(new Engine(built), store);
    await session.recallRules();
    try {
      await session.recallTables();
    } catch {
      // Not even games could be reached if tables that are too much for this machine stopped the engine.
      session.engine = new Engine(built);
      await session.recallRules();
    }
    return session;
  }

  /** Gives the engine the rule files that were kept. */
  async recallRules() {
    for (const text of await this.store.rules()) this.engine.ask({ method: "POST", path: "/api/rules", body: text });
  }

  /** Gives the engine the tables that were kept, and forgets those that it refuses: of another version, or damaged. */
  async recallTables() {
    for await (const [name, bytes] of this.store.tables()) {
      if (!bytes || this.engine.call("shelve", bytes)[0] === REFUSED) await this.store.dropTable(name);
    }
  }

  /** Fetches the pockets at the first call, and those that failed at the next. */
  pockets() {
    return this.fetching ??= Promise.allSettled([...this.missing].map(async (name) => {
      const file = await fetch(new URL(`./pockets/${name}.pocket`, import.meta.url));
      if (!file.ok) return;
      this.engine.call("pocket", new Uint8Array(await file.arrayBuffer()));
      this.missing.delete(name);
    })).then(() => { if (this.missing.size > 0) this.fetching = null; });
  }

  /** @param {ApiRequest} request @returns {Promise<Reply>} */
  async answer(request) {
    if (POCKETED.test(request.path)) await this.pockets();
    const reply = await this.#route(request);
    for (const [name, text] of reply.keep_rules ?? []) {
      await this.store.keepRules(name, text);
      channel.postMessage({ rules: text });
    }
    if (reply.drop_rules) {
      await this.store.dropRules(reply.drop_rules);
      channel.postMessage({ drop: reply.drop_rules });
    }
    for (const { id } of reply.keep ?? []) channel.postMessage({ game: id });
    if (reply.drop) channel.postMessage({ game: request.path.split("/")[3] });
    if (reply.solve) this.solve(/** @type {string} */ (/^\/api\/([^/]+)/.exec(request.path)?.[1]), reply.solve);
    return reply;
  }

  /** @param {ApiRequest} request @returns {Promise<Reply>} */
  async #route(request) {
    const { method } = request;
    const [path] = request.path.split("?");
    const whole = { ...request, now: now(), seed: seed() };
    const game = /^\/api\/games\/(\d+)(\/|$)/.exec(path);
    /** @param {import("./store.js").Wanted} wanted */
    const change = (wanted) => this.store.change(wanted, (games, id) => this.engine.ask({ ...whole, id, games }));
    // For a new game, the game that it follows, or the new game if it was begun before.
    if (game && path.endsWith("/next")) return change({ all: true, begins: true });
    // For the game, and the one that it may follow.
    if (game && method === "DELETE") return change({ id: Number(game[1]), all: true });
    if (game) return change({ id: Number(game[1]) });
    if (path === "/api/games" && method === "POST") return change({ begins: true });
    if (path === "/api/archive" && method === "POST") return change({ all: true });
    if (["/api/games", "/api/progress", "/api/archive"].includes(path)) {
      const games = await this.store.all();
      const reply = this.engine.ask({ ...whole, games: path === "/api/games" ? games.map((row) => ({ ...row, record: "" })) : games });
      await this.store.mark(reply.keep ?? []);
      return reply;
    }
    const reply = this.engine.ask(whole);
    if (path !== "/api/server" || this.store.database) return reply;
    return { ...reply, body: JSON.stringify({ ...JSON.parse(reply.body), keeps: false }) };
  }

  /** Has a game solved by another worker, and reports the progress. @param {string} name @param {string} text by which the other worker knows the rules */
  async solve(name, text) {
    const began = performance.now();
    const worker = await started("solve", text);
    /** @param {EngineSession} at @param {string} [failed] why there is no table */
    const end = (at, failed) => {
      worker.terminate();
      if (failed) at.note(name, { failed });
      at.tell(text, at.state(name), true);
    };
    worker.onmessage = async ({ data }) => {
      if (data.event) {
        const { done, total } = JSON.parse(data.event);
        const left = done > 0 ? ((performance.now() - began) / 1000) * (total - done) / done : null;
        return this.tell(text, this.note(name, { done, total, seconds_left: left }), false);
      }
      if (data.failed) return end(this, data.failed);
      try {
        this.engine.call("shelve", data.bytes);
        await this.store.keepTable(text, data.bytes);
        end(this);
      } catch {
        end(await (session = EngineSession.open()), NO_MEMORY);
      }
    };
    worker.onerror = () => end(this, NOT_STARTED);
  }

  /** Notes the state of a solve, and returns its progress. @param {string} name @param {Record<string, unknown>} step */
  note(name, step) {
    return this.engine.ask({ method: "POST", path: "/solving", body: JSON.stringify({ rules: decodeURIComponent(name), ...step }) }).body;
  }

  /** The state of a table. @param {string} name */
  state(name) {
    return this.engine.ask({ method: "GET", path: `/api/${name}/table` }).body;
  }

  /** The text by which another worker knows these rules, whatever their name; empty if there are none. @param {string} name */
  solvable(name) {
    const { status, body } = this.engine.ask({ method: "GET", path: `/api/${name}/solvable` });
    return status === 200 ? String(JSON.parse(body)) : "";
  }

  /** @param {string} text @param {string} data @param {boolean} isLast */
  tell(text, data, isLast) {
    for (const [number, rules] of listeners) {
      if (rules !== text) continue;
      postMessage({ number, data });
      if (isLast) listeners.delete(number);
    }
  }

  /** Reports the events under a path. @param {number} number @param {string} path */
  listen(number, path) {
    const [, name, what] = /^\/api\/([^/]+)\/(solve|convergence)$/.exec(path) ?? [];
    const text = this.solvable(name);
    if (what === "convergence") return this.converge(number, text);
    listeners.set(number, text);
    const state = this.state(name);
    if (JSON.parse(state).state !== "solving") this.tell(text, state, true);
  }

  /** @param {number} number @param {string} text */
  async converge(number, text) {
    if (!text) return postMessage({ number, ended: true });
    const worker = await started("converge", text);
    shown.set(number, worker);
    worker.onmessage = ({ data }) => (data.event ? postMessage({ number, data: data.event }) : postMessage({ number, ended: true }));
    worker.onerror = () => postMessage({ number, ended: true });
  }
}

/** A worker of this file that does one thing. @param {"solve" | "converge"} name @param {string} text */
async function started(name, text) {
  const worker = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
  worker.postMessage({ work: name, text, built: await compiled() });
  return worker;
}

/** Does one thing and reports on it. @param {"solve" | "converge"} name @param {string} text @param {WebAssembly.Module} built */
function work(name, text, built) {
  let last = 0;
  const engine = new Engine(built, (event) => {
    // A solve reports every sweep.
    if (name === "solve" && performance.now() - last < 50) return;
    last = performance.now();
    postMessage({ event });
  });
  let bytes;
  try {
    bytes = engine.call(name, new TextEncoder().encode(text));
  } catch {
    // The engine stops where it gets no memory.
    return postMessage({ failed: NO_MEMORY });
  }
  // "!" and the reason why there is no result.
  if (bytes[0] === REFUSED || bytes.length === 0) postMessage({ failed: new TextDecoder().decode(bytes.subarray(1)) });
  else postMessage({ bytes }, { transfer: [bytes.buffer] });
}

/** The session; a new one after a fault, when the engine's memory may be anything. @type {Promise<EngineSession> | null} */
let session = null;

/** Opens the database again, as after a person has removed the site's data. The engine's memory is sound, with its tables. */
async function reopen() {
  try {
    (/** @type {EngineSession} */ (await session)).store = await openStore();
  } catch {
    session = null;
  }
}

/** What went wrong, in words that the page translates. @param {unknown} error */
function faultWords(error) {
  if (!(error instanceof DOMException)) return said("an error has stopped the engine: {error}", { error });
  const { name, message } = error;
  if (name === "QuotaExceededError") return said("the browser cannot store more: {message}", { message });
  return said("the browser's database has failed: {message}", { message });
}

/** @param {{ number: number } & ApiRequest} request */
async function answered({ number, method, path, body }) {
  try {
    const reply = await (await (session ??= EngineSession.open())).answer({ method, path, body });
    postMessage({ number, status: reply.status, type: reply.type, leftOut: reply.left_out, body: reply.body });
  } catch (error) {
    if (!(error instanceof DOMException)) session = null;
    else if (error.name !== "QuotaExceededError") await reopen();
    const message = faultWords(error);
    postMessage({ number, status: 500, type: "application/json", body: JSON.stringify({ error: { message } }) });
  }
}

/** @param {{ number: number, listen: string }} request */
async function listening({ number, listen }) {
  try {
    (await (session ??= EngineSession.open())).listen(number, listen);
  } catch {
    session = null;
    postMessage({ number, ended: true });
  }
}

channel.addEventListener("message", async ({ data }) => {
  if (!session || !(data.rules || data.drop)) return;
  const { engine } = await session;
  if (data.rules) engine.ask({ method: "POST", path: "/api/rules", body: data.rules });
  if (data.drop) engine.ask({ method: "DELETE", path: `/api/rules/${data.drop}` });
});

/** Requests from the page, or from the worker that has started this one. */
addEventListener("message", async ({ data }) => {
  if (data.work) return work(data.work, data.text, data.built);
  if (data.listen) return listening(data);
  if (data.stopListening) {
    listeners.delete(data.number);
    shown.get(data.number)?.terminate();
    shown.delete(data.number);
    return;
  }
  answered(data);
});
