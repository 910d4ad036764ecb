/** How the page asks the engine in a worker, by the paths and bodies of a server. */

/** @typedef {import("../page/transport.js").Events} Events */

const worker = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
/** Changes of games, to and from other windows. */
const channel = new BroadcastChannel("puabi");

/** The callers that wait for an answer, by its number. @type {Map<number, { done: (answer: Response) => void, failed: (error: Error) => void }>} */
const waiting = new Map();
/** The listeners, by the number of the request. @type {Map<number, Events>} */
const listening = new Map();
let number = 0;
let isUp = false;
/** Why the worker did not start. @type {TypeError | null} */
let broken = null;

worker.addEventListener("message", ({ data }) => {
  isUp = true;
  if ("data" in data) {
    listening.get(data.number)?.onmessage?.(new MessageEvent("message", { data: data.data }));
  } else if (data.ended) {
    listening.get(data.number)?.onerror?.(new Event("error"));
  } else {
    const { status, type, leftOut, body } = data;
    const headers = { "content-type": type, ...(leftOut && { "left-out": leftOut }) };
    waiting.get(data.number)?.done(new Response(status === 204 ? null : body, { status, headers }));
    waiting.delete(data.number);
  }
});
worker.addEventListener("error", (event) => {
  const error = new TypeError(event.message || "the engine did not start");
  if (!isUp) broken = error;
  for (const { failed } of waiting.values()) failed(error);
  waiting.clear();
});

/** Events for the changes of a game, by this window or another. @param {string} id @returns {Events} */
function gameEvents(id) {
  /** @type {Events} */
  const events = { onmessage: null, onopen: null, onerror: null, close: () => channel.removeEventListener("message", pass) };
  /** @param {MessageEvent} event */
  function pass({ data }) {
    if (String(data.game) === id) events.onmessage?.(new MessageEvent("message", { data: JSON.stringify({ id: Number(id) }) }));
  }
  channel.addEventListener("message", pass);
  // As with a server, the page now asks for earlier changes.
  queueMicrotask(() => events.onopen?.(new Event("open")));
  return events;
}

/** @param {string} path @returns {Events} */
function workerEvents(path) {
  const mine = ++number;
  /** @type {Events} */
  const events = {
    onmessage: null, onopen: null, onerror: null,
    close: () => { if (listening.delete(mine)) worker.postMessage({ number: mine, stopListening: true }); },
  };
  listening.set(mine, events);
  worker.postMessage({ number: mine, listen: path });
  return events;
}

export const transport = {
  alone: true,
  /** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
  ask(path, { method = "GET", body = "" } = {}) {
    // A game that is begun or restored can be lost: the browser is asked to keep it even if it runs out of room.
    if (method === "POST" && ["/api/games", "/api/archive"].includes(path)) navigator.storage?.persist?.().catch(() => {});
    const mine = ++number;
    return new Promise((done, failed) => {
      if (broken) return failed(broken);
      waiting.set(mine, { done, failed });
      worker.postMessage({ number: mine, method, path, body: String(body) });
    });
  },
  /** @param {string} path @returns {Events} */
  events(path) {
    const game = /^\/api\/games\/(\d+)\/events$/.exec(path);
    return game ? gameEvents(game[1]) : workerEvents(path);
  },
  /** @param {string} topic */
  help: (topic) => `help/${topic}.html`,
};
