/** The doubling cube and the score of a match: what is played for, who may double, and what that is worth. */

import { button, fill, h, patientButton } from "./dom.js";
import { PLAYERS, opponent, percent, signed } from "./notation.js";
import { decimal, t, translate } from "./texts.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Stakes} Stakes */
/** @typedef {import("./types.js").CubeChoice} CubeChoice */
/** @typedef {(player: Player) => string} Name */

/** The player who has to act: the one who was doubled, or whose turn it is. @param {Game} game */
export const actor = (game) => game.answering ?? game.turn;

/** What a game is played for, in sentences. @param {Stakes} stakes @param {Name} name */
export function stakesWords({ value, owner, score }, name) {
  const cube = owner ? t("The cube is at {value} and belongs to {player}.", { value, player: name(owner) }) : t("The cube is in the middle, at {value}.", { value });
  if (!score) return cube;
  const needs = t("To win the match {light} needs {own}, {dark} needs {other}.", { light: name("light"), own: score.light, dark: name("dark"), other: score.dark });
  return score.crawford ? `${needs} ${t("In this game nobody may double.")}` : `${needs} ${cube}`;
}

/** Points in words. @param {number} count */
export const pointWords = (count) => (count === 1 ? t("1 point") : t("{count} points", { count }));

/** A worth: a chance to win the match, or points on average. @param {Stakes} stakes @param {number} worth */
export function worthText({ score }, worth) {
  return score ? percent(worth, 2) : signed(worth, 4);
}

/** What something costs: points of a hundred of the match, or points. @param {Stakes} stakes @param {number} cost */
export const costText = ({ score }, cost) => (score ? decimal(-cost * 100, 2) : decimal(-cost, 4));

/** Costs below this are rounding. */
const ROUNDING = 1e-9;

/**
 * What each choice with the cube is worth to the player about to roll, and what it costs whom.
 *
 * @param {CubeChoice} choice
 * @param {Stakes} stakes
 * @param {Player} player
 * @param {Name} name
 */
export function choiceTable(choice, stakes, player, name) {
  const { double, worth, rolling, why, action } = choice;
  if (!double) return h("p", { class: "hint" }, t("{player} does not double: {why}.", { player: name(player), why: translate(why ?? "") }));
  const best = Math.min(double.take, double.pass);
  /** @type {[string, number, number, Player][]} */
  const rows = [
    [t("no double"), rolling, worth - rolling, player],
    [t("double, take"), double.take, double.take - best, opponent(player)],
    [t("double, pass"), double.pass, double.pass - best, opponent(player)],
  ];
  const costs = rolling - best;
  const advice = action === "no double" ? (costs > ROUNDING ? t("Perfect players do not double; a double costs {cost}.", { cost: costText(stakes, costs) }) : t("Perfect players do not double."))
    : action === "double, take" ? t("A perfect player doubles, and the other takes.") : t("A perfect player doubles, and the other passes.");
  return h("div", { class: "choice" },
    h("table", {},
      h("tbody", {}, ...rows.map(([what, value, cost, who]) => h("tr", {}, h("th", { scope: "row" }, what), h("td", { class: "number" }, worthText(stakes, value)),
        h("td", {}, cost > ROUNDING ? t("costs {player} {cost}", { player: name(who), cost: costText(stakes, cost) }) : ""))))),
    h("p", {}, advice));
}

/**
 * @typedef {object} Acts  What the buttons do.
 * @property {() => void} double
 * @property {(take: boolean) => void} answer
 * @property {() => Promise<void>} next
 */

/** What a game is played for, and the buttons of the cube. */
export class CubePanel {
  /** @param {Acts} acts */
  constructor({ double, answer, next }) {
    this.words = h("p", { class: "hint stakes" });
    this.double = button(t("Double"), double, { class: "double", "aria-keyshortcuts": "d" });
    this.take = button(t("Take"), () => answer(true), { class: "primary take", "aria-keyshortcuts": "t" });
    this.pass = button(t("Pass"), () => answer(false), { class: "pass", "aria-keyshortcuts": "p" });
    this.next = patientButton(t("Next game"), next, { class: "primary next" });
    this.hint = h("div", {});
    this.element = h("section", { class: "cube", "aria-label": t("Doubling cube") }, this.words, h("div", { class: "row" }, this.double, this.take, this.pass, this.next), this.hint);
  }

  /**
   * Shows what can be done now.
   *
   * @param {Game} game
   * @param {{ isHere: (player: Player) => boolean, name: Name, choice: CubeChoice | null }} view
   */
  show(game, { isHere, name, choice }) {
    const { stakes, stage } = game;
    this.element.hidden = !stakes;
    if (!stakes) return;
    this.words.textContent = stakesWords(stakes, name);
    const answers = stage === "answer" && game.answering !== null && isHere(game.answering);
    this.double.hidden = !(game.may_double && isHere(game.turn));
    this.double.textContent = t("Double to {value}", { value: 2 * stakes.value });
    this.take.hidden = this.pass.hidden = !answers;
    this.take.textContent = t("Take, and play for {points}", { points: pointWords(2 * stakes.value) });
    this.pass.textContent = t("Pass, and lose {points}", { points: pointWords(stakes.value) });
    this.next.hidden = !game.next_score || !PLAYERS.some(isHere) && PLAYERS.some((player) => game.seats[player].kind === "person");
    fill(this.hint, choice && choiceTable(choice, stakes, game.turn, name));
  }

  /** The button that gets the focus for people who play by keys, if there is one. */
  get focused() {
    return [this.take, this.next].find((known) => !this.element.hidden && !known.hidden);
  }
}

/** Choices of what a new game is played for. */
export function stakesChoices() {
  const match = (/** @type {number} */ count) => /** @type {[string, string]} */ ([String(count), t("a match to {count} points", { count })]);
  return /** @type {[string, string][]} */ ([["", t("just the game")], ["cube", t("a game with a doubling cube")], ...[2, 3, 5, 7, 9, 11, 15].map(match)]);
}

/** What the choice asks of a new game. @param {string} choice @returns {{ match?: number, cube?: number }} */
export function wantedStakes(choice) {
  if (choice === "") return {};
  return choice === "cube" ? { cube: 64 } : { match: Number(choice) };
}
