/** What the solved game says beside the board: the chance to win, and what each next roll would bring. */

import { api, ApiError, onceLost } from "./api.js";
import { fill, h, s } from "./dom.js";
import { ends, moveText, percent, points, readPosition } from "./notation.js";
import { t, translate } from "./texts.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Rules} Rules */

/** The chance of light before the roll, or after it with the best move. @param {Answer} answer */
export function lightChance(answer) {
  const { turn, roll } = readPosition(answer.position);
  const value = roll === null ? answer.value : answer.rolls[0]?.moves[0]?.value ?? answer.value;
  return turn === "light" ? value : 1 - value;
}

/** A bar of light's chance against dark's. */
export class ChanceBar {
  constructor() {
    this.part = s("rect", { x: 0, y: 0, width: 50, height: 10, class: "light" });
    this.left = h("span", {});
    this.right = h("span", {});
    const bar = s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { x: 0, y: 0, width: 100, height: 10, class: "dark" }), this.part,
      s("line", { x1: 50, x2: 50, y1: 0, y2: 10 }));
    this.element = h("div", { class: "chancebar", role: "img" }, this.left, bar, this.right);
    this.show(null);
  }

  /** @param {number | null} light */
  show(light) {
    this.element.classList.toggle("unknown", light === null);
    const chance = light ?? 0.5;
    this.part.setAttribute("width", (chance * 100).toFixed(2));
    this.left.textContent = light === null ? "" : percent(chance);
    this.right.textContent = light === null ? "" : percent(1 - chance);
    const words = light === null ? t("The chance to win is not known")
      : t("Light wins {light}, dark {dark}", { light: percent(chance), dark: percent(1 - chance) });
    this.element.setAttribute("aria-label", words);
  }
}

/** How warm a roll is, from -3 (cold) to 3. @param {number} luck @param {number} widest */
const warmth = (luck, widest) => Math.round((luck / widest) * 3);

/** The temperature map: each next roll with its chance, what it is worth and its best move. @param {Rules} rules @param {Answer} answer */
export function heatMap(rules, answer) {
  const lucks = answer.rolls.map((roll) => roll.moves[0].value - answer.value);
  const widest = Math.max(1e-9, ...lucks.map(Math.abs));
  const { turn } = readPosition(answer.position);
  const rows = answer.rolls.map(({ roll, chance, moves }, at) => {
    const { move } = moves[0];
    const best = moveText({ move, ...ends(rules, turn, move) });
    return h("li", { class: `warm${warmth(lucks[at], widest)}` },
      h("b", {}, roll), h("span", { class: "odds" }, percent(chance, 0)),
      h("span", {}, best), h("span", { class: "luck" }, points(lucks[at])));
  });
  /** The rolls whose best move ends on a tile, their chance, and what they bring on average times that. @type {Map<string, { rolls: number[], chance: number, luck: number }>} */
  const tiles = new Map();
  answer.rolls.forEach(({ roll, chance, moves }, at) => {
    const { to } = ends(rules, turn, moves[0].move);
    if (!to) return;
    const others = tiles.get(to.tile) ?? { rolls: [], chance: 0, luck: 0 };
    tiles.set(to.tile, { rolls: [...others.rolls, roll], chance: others.chance + chance, luck: others.luck + chance * lucks[at] });
  });
  const marks = [...tiles].map(([place, { rolls, chance, luck }]) => ({ place, kind: `heat warm${warmth(luck / chance, widest)}`, text: rolls.join(", ") }));
  return { element: h("ul", { class: "heat", "aria-label": t("What the next roll brings {player}", { player: t(turn) }) }, ...rows), marks };
}

/** Asks what a position is worth; null if its table is not there. @param {string} rules @param {string} position */
export async function judged(rules, position) {
  try {
    return await api.position(rules, position);
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return null;
    throw error;
  }
}

/** Whether a game is solved. @param {import("./types.js").Table} table */
export function solvedWords({ state }) {
  const states = { ready: t("Solved"), missing: t("Not solved yet"), solving: t("Being solved"), failed: t("Not solved"), "too-large": t("Too large to solve here") };
  return states[state];
}

/** How far a solve is. @param {string} part @param {number | null | undefined} left seconds, if they are known */
function solvingWords(part, left) {
  if (!left) return t("Solving the game: {part}", { part });
  if (left < 90) return t("Solving the game: {part}, about {seconds} s left", { part, seconds: Math.ceil(left) });
  return t("Solving the game: {part}, about {minutes} min left", { part, minutes: Math.ceil(left / 60) });
}

/**
 * How far the table of a rule set is: nothing if it is ready, else a button or the progress; `look` asks anew. Rules without
 * a name are not kept, and have no table.
 *
 * @param {string} rules
 * @param {() => void} [ready]
 */
export function tableState(rules, ready = () => {}) {
  const element = h("div", { class: "tablestate" });
  /** @type {import("./transport.js").Events | null} */
  let events = null;
  let isClosed = false;
  const close = () => {
    isClosed = true;
    events?.close();
  };
  const follow = () => {
    events?.close();
    if (isClosed) return;
    events = api.solving(rules);
    onceLost(events, follow);
    events.onmessage = (event) => {
      const { state, done, total, seconds_left: left } = JSON.parse(event.data);
      if (state !== "solving") {
        events?.close();
        look();
        return state === "ready" && ready();
      }
      const part = total ? done / total : 0;
      fill(element, h("progress", { max: 1, value: part, "aria-label": t("Solving") }), h("span", {}, solvingWords(percent(part, 0), left)));
    };
  };
  const begin = async () => {
    await api.solve(rules);
    follow();
  };
  const look = async () => {
    const { table } = await api.rules(rules, true);
    if (table.state === "ready") return fill(element);
    if (table.state === "solving") return follow();
    if (table.state === "too-large") {
      return fill(element, h("span", {}, t("This game is too large to be solved on this machine: all chances are estimates.")));
    }
    const why = table.why ? t("The last solve failed: {why}.", { why: translate(table.why) }) : t("This game is not solved yet.");
    fill(element, h("span", {}, `${why} `),
      h("button", { type: "button", class: "mine", onclick: begin }, t("Solve it now")));
  };
  if (rules) look();
  else fill(element, h("span", {}, t("The rules of this game are not kept here, so its moves cannot be judged.")));
  return { element, close, look };
}
