/** How the values of a game converge: a row of colours a sweep, from one half everywhere to the solved game. */

import { api } from "./api.js";
import { button, fill, h, pause, s, select } from "./dom.js";
import { moves } from "./motion.js";
import { percent } from "./notation.js";
import { ScoreMap } from "./scoremap.js";
import { scientific, t } from "./texts.js";
import { transport } from "./transport.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Sweep} Sweep */

/** Positions of the largest game whose every sweep is shown. */
const SMALL = 300_000;
/** Rows of the picture; later sweeps push the first ones out. */
const ROWS = 100;
/** How far from one half the graph of the start reaches. */
const SPREAD = 0.05;
/** Milliseconds that a sweep is shown before the next. */
const PACE = 10;

/** The part of a screen; it shows sweeps until the screen is `closed`. @param {Rules} rules @param {AbortSignal} closed */
export function convergence(rules, closed) {
  const base = rules.name.split(":")[0];
  const small = rules.preset ? [`${base}:1`, `${base}:2`] : [];
  const isSmall = (rules.positions ?? Infinity) <= SMALL;
  const isTooLarge = rules.table.state === "too-large";
  const names = [...new Set([...small, ...(isTooLarge || (transport.alone && !isSmall) ? [] : [rules.name])])];
  if (names.length === 0) {
    return h("p", {}, isTooLarge ? t("This game is too large to be solved on this machine: all chances are estimates.") : t("The sweeps of so large a game are not shown in a browser."));
  }
  let chosen = isSmall ? rules.name : names[0];
  const canvas = h("canvas", { width: 1, height: ROWS, role: "img", "aria-label": t("Each row is a sweep, each column a position") });
  const status = h("p", { class: "hint", role: "status" });
  const curve = s("polyline", { class: "curve" });
  const graph = s("svg", { class: "graph", viewBox: "0 -16 600 152", role: "img", direction: "ltr", "aria-label": t("The value of the start, sweep by sweep") },
    ...[0.5, 0.5 + SPREAD * 0.8].flatMap((value) => [
      s("line", { x1: 0, x2: 600, y1: height(value), y2: height(value), class: value === 0.5 ? "half" : "rule" }),
      s("text", { x: 4, y: height(value) - 4 }, percent(value, 0))]), curve);
  const map = new ScoreMap();
  const goal = () => (chosen === rules.name ? rules.goal : Number(chosen.split(":")[1]));
  /** @type {AbortController | null} */
  let running = null;
  const run = () => {
    running?.abort();
    running = new AbortController();
    show(chosen, goal(), { canvas, status, curve, map }, running.signal);
  };
  closed.addEventListener("abort", () => running?.abort());
  const chooser = names.length > 1 && select(t("Game"), names.map((name) => /** @type {[string, string]} */ ([name, name])), chosen, (name) => { chosen = name; run(); });
  const element = h("div", { class: "converge" },
    h("p", {}, t("Before the first sweep every position counts as even. The solver computes the end of the game until it is exact, then the positions that lead there, and so on back to the start.")),
    h("div", { class: "row" }, chooser, button(t("Run"), run, { class: "primary" })),
    status, canvas,
    h("div", { class: "legend" }, h("span", {}, t("blue: lost")), h("span", {}, t("pale: even")), h("span", {}, t("red: won"))),
    map.element,
    h("h3", {}, t("The value of the start")), graph);
  return element;
}

/**
 * Draws sweeps as they come until the last.
 *
 * @param {string} rules
 * @param {number} goal
 * @param {{ canvas: HTMLCanvasElement, status: HTMLElement, curve: SVGElement, map: ScoreMap }} into
 * @param {AbortSignal} signal
 */
async function show(rules, goal, { canvas, status, curve, map }, signal) {
  /** @type {number[]} */
  const starts = [];
  fill(status, "…");
  for await (const sweep of sweeps(rules, signal)) {
    drawRow(canvas, sweep);
    if (sweep.positions) map.begin(goal);
    if (sweep.scores) map.step(sweep.scores);
    if (sweep.settled) map.end();
    starts.push(sweep.start);
    const points = starts.map((start, at) => `${((600 / Math.max(60, starts.length)) * at).toFixed(1)},${height(start).toFixed(1)}`);
    curve.setAttribute("points", points.join(" "));
    fill(status, sweepWords(sweep));
    if (moves()) await pause(PACE);
  }
  if (!signal.aborted && starts.length === 0) fill(status, t("The sweeps cannot be shown now. The game may be too large for this server, or too many others are watching."));
}

/** @param {Sweep} sweep */
function sweepWords({ sweep, start, change, residual }) {
  const chance = percent(start, 4);
  if (residual !== undefined) return t("Done: the start is worth {chance}, solved to {residual}", { chance, residual: scientific(residual) });
  if (change === undefined) return t("Before the first sweep the start is worth {chance}", { chance });
  return t("Sweep {sweep}: the start is worth {chance}, the largest change was {change}", { sweep, chance, change: scientific(change) });
}

/**
 * The sweeps of a game as the server sends them.
 *
 * @param {string} rules
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Sweep>}
 */
async function* sweeps(rules, signal) {
  const events = api.convergence(rules);
  /** @type {Sweep[]} */
  const queue = [];
  let ended = false;
  let wake = () => {};
  const end = () => {
    ended = true;
    events.close();
    wake();
  };
  events.onmessage = (event) => {
    const sweep = /** @type {Sweep} */ (JSON.parse(event.data));
    queue.push(sweep);
    if (sweep.settled) end();
    else wake();
  };
  events.onerror = end;
  signal.addEventListener("abort", end);
  while (!signal.aborted) {
    const next = queue.shift();
    if (next) yield next;
    else if (ended) return;
    else await new Promise((done) => { wake = () => done(null); });
  }
}

/** @param {HTMLCanvasElement} canvas @param {Sweep} sweep */
function drawRow(canvas, { sweep, values }) {
  const context = canvas.getContext("2d");
  if (!context) return;
  if (sweep === 0) canvas.width = values.length;
  const row = Math.min(sweep, ROWS - 1);
  if (sweep >= ROWS) context.drawImage(canvas, 0, 1, canvas.width, ROWS - 1, 0, 0, canvas.width, ROWS - 1);
  const pixels = context.createImageData(values.length, 1);
  values.forEach((value, at) => pixels.data.set([...colour(value), 255], at * 4));
  context.putImageData(pixels, 0, row);
}

/** @param {number} value */
const height = (value) => 60 - ((value - 0.5) / SPREAD) * 60;

/** From lapis over shell to carnelian. @param {number} value */
function colour(value) {
  const [low, middle, high] = [[28, 74, 143], [243, 234, 214], [178, 58, 44]];
  const [from, to, part] = value < 0.5 ? [low, middle, value * 2] : [middle, high, value * 2 - 1];
  return from.map((channel, at) => Math.round(channel + (to[at] - channel) * part));
}
