/** A guide for the first game: six steps, each shown when it first applies. Its words about the rules are quoted from them. */

import { button, fill, h } from "./dom.js";
import { t, translate } from "./texts.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {{ title: string, how: string, chapter?: string, applies: (game: Game, rules: Rules) => boolean }} Step */

const KEY = "puabi.guide";

/** Reports that the guide starts again. */
export const restarts = new EventTarget();

/** The titles are English here, because a browser keeps by them which steps were seen. @type {Step[]} */
const STEPS = [
  {
    title: "The goal", how: t("Bring your pieces from the hand along your path and off the board: then they are home."), chapter: "The goal",
    applies: ({ plies }) => plies.length === 0,
  },
  {
    title: "Throw", how: t("Press Roll, or the space bar. The number beside the dice is your roll."),
    applies: ({ stage, thrown }) => stage === "roll" && thrown === "auto",
  },
  {
    title: "Move", how: t("Click a piece with a golden edge, or a move in the list."), chapter: "Throwing and moving",
    applies: ({ stage, forced_pass: passes }) => stage === "move" && !passes,
  },
  {
    title: "Rosettes", how: t("One of your moves ends on a rosette."), chapter: "Rosettes",
    applies: ({ moves }, { board }) => moves.some(({ to }) => board.tiles.some(({ tile, rosette }) => rosette && tile === to?.tile)),
  },
  {
    title: "Captures", how: t("One of your moves captures: its tile is marked red."), chapter: "Captures",
    applies: ({ moves }) => moves.some(({ capture }) => capture),
  },
  {
    title: "Bringing pieces home", how: t("One of your moves takes a piece off the board."), chapter: "The way home",
    applies: ({ moves }) => moves.some(({ move, to }) => move !== "pass" && to === null),
  },
];

/** The sentences of the chapter of the way of play that a step is about. @param {Rules} rules @param {Step} step */
const sentences = (rules, { chapter }) => rules.way_of_play.find(({ title }) => title === chapter)?.sentences ?? [];

/** Whether a step has something to say under these rules. @param {Rules} rules @param {Step} step */
const fits = (rules, step) => !step.chapter || sentences(rules, step).length > 0;

/** The titles of steps that the browser does not keep, for as long as the page is open. @type {string[]} */
let unkept = [];

/** The titles of the steps that were seen. @returns {string[]} */
function seen() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? [...unkept, ...found] : unkept;
  } catch {
    return unkept;
  }
}

/** @param {string[]} titles */
function see(titles) {
  const all = [...new Set([...seen(), ...titles])];
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    unkept = all;
  }
}

/** Starts the guide again. */
export function restart() {
  unkept = [];
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing has kept no step.
  }
  restarts.dispatchEvent(new Event("restart"));
}

export class Guide {
  /** The step that is shown. @type {Step | undefined} */
  #shown;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.element = h("section", { class: "card guide", "aria-label": t("Guide"), hidden: true });
  }

  /** Shows the step that applies to a game in which it is a person's turn. @param {Game} game */
  show(game) {
    if (this.#shown && !this.#shown.applies(game, this.rules)) see([this.#shown.title]);
    const done = seen();
    const fresh = STEPS.filter((step) => !done.includes(step.title) && fits(this.rules, step));
    this.#shown = game.stage === "over" ? undefined : fresh.find((step) => step.applies(game, this.rules));
    this.element.hidden = !this.#shown;
    if (this.#shown) this.#draw(this.#shown, game);
  }

  /** @param {Step} step @param {Game} game */
  #draw(step, game) {
    const next = (/** @type {string[]} */ titles) => () => {
      see(titles);
      this.show(game);
      this.element.querySelector("button")?.focus();
    };
    fill(this.element,
      h("h2", {}, t(step.title), h("span", { class: "hint" }, ` ${t("{at} of {count}", { at: STEPS.indexOf(step) + 1, count: STEPS.length })}`)),
      ...[...sentences(this.rules, step).map(translate), step.how].map((sentence) => h("p", {}, sentence)),
      h("p", { class: "row" }, button(t("Got it"), next([step.title])), button(t("Stop the guide"), next(STEPS.map(({ title }) => title)), { class: "quiet" })));
  }
}
