/** A player's progress: the accuracy of each game as a dot, won or lost, and the mean of the last ten as a line. */

import { h, s } from "./dom.js";

/** Games that the line is the mean of. */
const SPAN = 10;

/** @param {import("./types.js").Progress} progress */
export function progressChart({ player, won, accuracy, games }) {
  if (games.length === 0) return h("p", { class: "hint" }, `No finished game of ${player}.`);
  const summary = `${player}: ${won} of ${games.length} won${accuracy === null ? "" : `, mean accuracy ${accuracy.toFixed(1)} %`}`;
  const judged = games.filter((game) => game.accuracy !== null);
  const accuracies = judged.map((game) => game.accuracy ?? 0);
  const lowest = Math.min(0, ...accuracies);
  const x = (/** @type {number} */ at) => 52 + (540 / Math.max(1, judged.length - 1)) * at;
  const y = (/** @type {number} */ value) => 10 + (150 * (100 - value)) / (100 - lowest);
  const line = accuracies.map((_, at) => {
    const last = accuracies.slice(Math.max(0, at - SPAN + 1), at + 1);
    return `${x(at).toFixed(1)},${y(last.reduce((sum, value) => sum + value, 0) / last.length).toFixed(1)}`;
  });
  const chart = s("svg", { class: "graph", viewBox: "0 0 600 170", role: "img", "aria-label": `Accuracy, game by game. ${summary}` },
    ...[0, 50, 100].flatMap((value) => [
      s("line", { class: "rule", x1: 52, x2: 600, y1: y(value), y2: y(value) }),
      s("text", { x: 46, y: y(value) + 4, "text-anchor": "end" }, `${value} %`)]),
    s("polyline", { class: "curve", points: line.join(" ") }),
    ...judged.map((game, at) => s("circle", { cx: x(at), cy: y(game.accuracy ?? 0), r: 4.5, class: game.won ? "won" : "lost" },
      s("title", {}, `game ${game.id} against ${game.opponent}: ${game.accuracy?.toFixed(1)} %, ${game.won ? "won" : "lost"}`))));
  return h("div", {}, h("p", {}, summary), judged.length > 0 && chart,
    h("p", { class: "hint" }, "A dot a game, full where it was won; the line is the mean of the last ten."));
}
