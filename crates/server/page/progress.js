/** A player's progress: the accuracy of each game as a dot, full if it was won, and the mean of the last ten as a line. */

import { h, s } from "./dom.js";
import { decimal, t } from "./texts.js";

/** The number of games whose mean the line shows. */
const SPAN = 10;

/** @param {import("./types.js").Played} game */
function gameWords({ id, opponent, accuracy, won }) {
  const values = { id, opponent, accuracy: decimal(accuracy ?? 0, 1) };
  if (won === null) return t("game {id} against {opponent}: {accuracy} %, without a winner", values);
  return won ? t("game {id} against {opponent}: {accuracy} %, won", values) : t("game {id} against {opponent}: {accuracy} %, lost", values);
}

/** @param {import("./types.js").Progress} progress */
export function progressChart({ player, won, accuracy, games }) {
  if (games.length === 0) return h("p", { class: "hint" }, t("No finished game of {player}.", { player }));
  const count = games.length;
  const summary = accuracy === null ? t("{player}: {won} of {count} won", { player, won, count })
    : t("{player}: {won} of {count} won, mean accuracy {accuracy} %", { player, won, count, accuracy: decimal(accuracy, 1) });
  const judged = games.filter((game) => game.accuracy !== null);
  const accuracies = judged.map((game) => game.accuracy ?? 0);
  const lowest = Math.min(0, ...accuracies);
  const x = (/** @type {number} */ at) => 52 + (540 / Math.max(1, judged.length - 1)) * at;
  const y = (/** @type {number} */ value) => 10 + (150 * (100 - value)) / (100 - lowest);
  const line = accuracies.map((_, at) => {
    const last = accuracies.slice(Math.max(0, at - SPAN + 1), at + 1);
    return `${x(at).toFixed(1)},${y(last.reduce((sum, value) => sum + value, 0) / last.length).toFixed(1)}`;
  });
  const chart = s("svg", { class: "graph", viewBox: "0 0 600 170", role: "img", direction: "ltr", "aria-label": t("Accuracy, game by game. {summary}", { summary }) },
    ...[0, 50, 100].flatMap((value) => [
      s("line", { class: "rule", x1: 52, x2: 600, y1: y(value), y2: y(value) }),
      s("text", { x: 46, y: y(value) + 4, "text-anchor": "end" }, `${value} %`)]),
    s("polyline", { class: "curve", points: line.join(" ") }),
    ...judged.map((game, at) => s("circle", { cx: x(at), cy: y(game.accuracy ?? 0), r: 4.5, class: game.won ? "won" : "lost" },
      s("title", {}, gameWords(game)))));
  return h("div", {}, h("p", {}, summary), judged.length > 0 && chart,
    h("p", { class: "hint" }, t("Each dot is a game, filled if it was won; the line is the mean of the last ten.")));
}
