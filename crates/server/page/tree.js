/** The opening tree: from the start over rolls and moves, each position asked for when it is opened. */

import { api } from "./api.js";
import { button, fill, h } from "./dom.js";
import { wordsOf } from "./live.js";
import { capital, ends, moveText, percent, readPosition } from "./notation.js";
import { address } from "./router.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */

/** @param {Rules} rules */
export function tree(rules) {
  const element = h("div", { class: "tree" });
  branch(rules, rules.start, element);
  return element;
}

/** @param {Rules} rules @param {string} position @param {HTMLElement} into */
async function branch(rules, position, into) {
  try {
    const answer = await api.position(rules.name, position);
    const { turn } = readPosition(answer.position);
    fill(into,
      h("p", { class: "hint" }, `${t("{player} to roll wins {chance}.", { player: t(capital(turn)), chance: percent(answer.value, 2) })} `,
        h("a", { href: address("explorer", rules.name, position) }, t("Show"))),
      h("ul", {}, ...answer.rolls.map(({ roll, chance, moves }) => h("li", {},
        t("Roll {roll}", { roll }), h("span", { class: "odds" }, percent(chance)),
        h("ul", {}, ...moves.map((move) => leaf(rules, turn, move)))))));
  } catch (error) {
    fill(into, h("p", { class: "hint" }, wordsOf(error), " ", button(t("Try again"), () => branch(rules, position, into), { class: "quiet" })));
  }
}

/** @param {Rules} rules @param {import("./types.js").Player} turn @param {import("./types.js").JudgedMove} move */
function leaf(rules, turn, move) {
  const text = moveText({ move: move.move, ...ends(rules, turn, move.move) });
  const words = [text, h("span", { class: "odds" }, percent(move.value, 2)), move.best && h("span", { class: "class best" }, t("best"))];
  const { after } = move;
  if (after === null) return h("li", {}, ...words);
  const body = h("div", {}, "…");
  const details = h("details", {}, h("summary", {}, ...words), body);
  details.addEventListener("toggle", () => { if (details.open && body.textContent === "…") branch(rules, after, body); });
  return h("li", {}, details);
}
