/** The one way to what answers the page, a server or a worker. Every answer comes through here, and every error has words. */

import { keep, shown } from "./keys.js";
import { whileHere } from "./router.js";
import { t, translate } from "./texts.js";
import { transport } from "./transport.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Seat} Seat */

/** A refusal by the server, in its words or in their translation. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {string} [found] what was found alone, without what would be right
   * @param {string} [said] what was found, in the server's words
   */
  constructor(status, message, found = message, said = found) {
    super(message);
    this.status = status;
    this.found = found;
    this.said = said;
  }
}

/** The error of a server that is away. */
export const unanswered = () => new ApiError(0, t("The server does not answer. Is ur serve still running?"));

/**
 * Sends a request of a screen. If the screen was left meanwhile, an error becomes one that is not shown.
 *
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init) {
  const here = whileHere();
  try {
    return await answered(path, init);
  } catch (error) {
    throw here() ? error : new DOMException("The screen was left.", "AbortError");
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function answered(path, init) {
  let response;
  try {
    response = await transport.ask(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw transport.alone ? new ApiError(0, t("The engine of this page does not start in this browser.")) : unanswered();
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const { message, expected } = body?.error ?? { message: t("The server answered {status}", { status: response.status }) };
  // What is expected after a conflict or a missing thing is meant for programs: which request would go through.
  const isTold = expected && ![404, 409].includes(response.status) && !message.includes("expected");
  throw new ApiError(response.status, translate(isTold ? `${message}: expected ${expected}` : message), translate(message), message);
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
async function read(path) {
  return (await ask(path)).json();
}

/**
 * @param {string} path
 * @param {unknown} body
 */
function send(path, body) {
  const headers = { "content-type": "application/json", ...shown(path) };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function post(path, body = {}) {
  return (await send(path, body)).json();
}

/** @param {string} text */
const part = (text) => encodeURIComponent(text);

/** @param {Record<string, string | null | undefined>} wanted */
function query(wanted) {
  const pairs = Object.entries(wanted).filter(([, value]) => value);
  return pairs.length ? "?" + new URLSearchParams(/** @type {[string, string][]} */ (pairs)) : "";
}

/** How long to wait before a stream that has ended is opened again. */
const OPEN_AGAIN = 3000;

/**
 * Calls `act` after a pause once a stream has ended for good: the browser does not ask again after an answer that is not a
 * stream, as of a proxy whose server is away.
 *
 * @param {import("./transport.js").Events} events
 * @param {() => void} act
 */
export function onceLost(events, act) {
  events.onerror = () => { if (events.readyState === EventSource.CLOSED) setTimeout(act, OPEN_AGAIN); };
}

/** @type {Map<string, Promise<Rules>>} */
const known = new Map();

/** @type {Promise<import("./types.js").Server> | null} */
let server = null;

export const api = {
  /** Who the server is for; asked for once, by whichever screen. @returns {Promise<import("./types.js").Server>} */
  server() {
    server ??= answered("/api/server").then((answer) => answer.json());
    server.catch(() => { server = null; });
    return server;
  },

  /** @returns {Promise<import("./types.js").RulesLine[]>} */
  ruleSets: () => read("/api/rules"),

  /**
   * The rule set; asked for once, unless `fresh`.
   *
   * @param {string} name
   * @param {boolean} [fresh]
   * @returns {Promise<Rules>}
   */
  rules(name, fresh = false) {
    const found = known.get(name);
    if (found && !fresh) return found;
    const asked = read(`/api/${part(name)}`);
    known.set(name, asked);
    asked.catch(() => known.delete(name));
    return asked;
  },

  /** @param {string} toml */
  async keepRules(toml) {
    const init = { method: "POST", headers: { "content-type": "application/toml" }, body: toml };
    const answer = await ask("/api/rules", init);
    // Several names may have led to a rule set, and now they may mean other rules.
    known.clear();
    return answer.json();
  },
  /** What the game of a rule file is, without keeping it. @param {string} toml @returns {Promise<Rules>} */
  async tryRules(toml) {
    const init = { method: "POST", headers: { "content-type": "application/toml" }, body: toml };
    return (await ask("/api/rules/try", init)).json();
  },
  /** @param {string} name */
  async dropRules(name) {
    await ask(`/api/rules/${part(name)}`, { method: "DELETE" });
    known.clear();
  },
  /** @param {string} rules @returns {Promise<import("./types.js").Agent[]>} */
  agents: (rules) => read(`/api/${part(rules)}/agents`),
  /** @param {string} rules @param {string} position @returns {Promise<import("./types.js").Answer>} */
  position: (rules, position) => read(`/api/${part(rules)}/positions/${part(position)}`),

  /** What a position is worth in a game with a cube. @param {string} rules @param {string} position @param {{ cube: string, match: string }} stakes @returns {Promise<import("./types.js").CubeAnswer>} */
  cube: (rules, position, stakes) => read(`/api/${part(rules)}/positions/${part(position)}/cube${query(stakes)}`),

  /** @param {string} rules */
  solve: (rules) => post(`/api/${part(rules)}/solve`),
  /** @param {string} rules */
  solving: (rules) => transport.events(`/api/${part(rules)}/solve`),
  /** @param {string} rules */
  convergence: (rules) => transport.events(`/api/${part(rules)}/convergence`),

  /** @param {{ rules: string, light: Seat, dark: Seat, seed?: string, start?: string, manual?: boolean, match?: number, cube?: number }} wanted @returns {Promise<Game>} */
  async newGame(wanted) {
    const game = await post("/api/games", wanted);
    if (game.keys) keep(game.id, game.keys);
    return game;
  },
  /** @param {number} id @returns {Promise<Game>} */
  game: (id) => read(`/api/games/${id}`),
  /** The rules of the game's own record; without a name if they are not kept. @param {number} id @returns {Promise<Rules>} */
  gameRules: (id) => read(`/api/games/${id}/rules`),
  /** Reports each change of a game. @param {number} id */
  changes: (id) => transport.events(`/api/games/${id}/events`),
  /** @param {number} id @param {number} [roll] @returns {Promise<Game>} */
  roll: (id, roll) => post(`/api/games/${id}/roll`, roll === undefined ? {} : { roll }),
  /** @param {number} id @param {string} move @returns {Promise<Game>} */
  move: (id, move) => post(`/api/games/${id}/move`, { move }),
  /** @param {number} id @returns {Promise<Game>} */
  step: (id) => post(`/api/games/${id}/step`),
  /** @param {number} id @returns {Promise<Game>} */
  double: (id) => post(`/api/games/${id}/double`),
  /** Takes a double or passes. @param {number} id @param {boolean} take @returns {Promise<Game>} */
  answer: (id, take) => post(`/api/games/${id}/answer`, { take }),
  /** The next game of a match. @param {number} id @returns {Promise<Game>} */
  next: (id) => post(`/api/games/${id}/next`),
  /** @param {number} id @returns {Promise<Game>} */
  undo: (id) => post(`/api/games/${id}/undo`),
  /** @param {number} id @param {Player} player @returns {Promise<Game>} */
  resign: (id, player) => post(`/api/games/${id}/resign`, { player }),
  /** @param {number} id @returns {Promise<import("./types.js").Answer>} */
  hint: (id) => read(`/api/games/${id}/hint`),
  /** @param {number} id @returns {Promise<import("./types.js").Reviewed>} */
  gameReview: (id) => read(`/api/games/${id}/review`),
  /** The record of a game as text, and what the notation cannot hold. @param {number} id @param {string} notation @returns {Promise<{ text: string, lost: string[] }>} */
  async record(id, notation) {
    const answer = await ask(`/api/games/${id}/record.${notation}`);
    return { text: await answer.text(), lost: answer.headers.get("left-out")?.split("; ") ?? [] };
  },
  /** @param {Record<string, string | null | undefined>} wanted @returns {Promise<import("./types.js").GameList>} */
  games: (wanted) => read("/api/games" + query(wanted)),
  /** @param {number} id */
  dropGame: (id) => ask(`/api/games/${id}`, { method: "DELETE" }),
  /** Everything that this browser keeps, as text; only without a server. */
  archive: async () => (await ask("/api/archive")).text(),
  /** Adds the games and rules of such a text to those that are kept. @param {string} text @returns {Promise<{ games: number, rules: number, taken?: string[] }>} */
  restore: async (text) => (await ask("/api/archive", { method: "POST", body: text })).json(),
  /** @param {string} player @returns {Promise<import("./types.js").Progress>} */
  progress: (player) => read("/api/progress" + query({ player })),

  /** @param {{ text: string, notation?: string, rules?: string }} game @returns {Promise<import("./types.js").Reviewed>} */
  review: (game) => post("/api/review", game),
  /** @param {{ text: string, notation?: string, rules?: string }} game */
  reviewPage: async (game) => (await send("/api/review.html", game)).text(),
};
