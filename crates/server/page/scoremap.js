/** A map of the scores of a game while it is being solved: which pairs of pieces home have been swept, and which is now. */

import { fill, h, s } from "./dom.js";
import { t } from "./texts.js";

const CELL = 40;
/** Room for the words beside the map. */
const MARGIN = 30;
/** The least size, which the words need. */
const LEAST = 160;

export class ScoreMap {
  /** The cells by light's and dark's pieces home. @type {SVGElement[][]} */
  #cells = [];

  constructor() {
    this.picture = s("svg", { class: "scoremap", role: "img", direction: "ltr", "aria-label": t("The pairs of scores, as they are solved") });
    this.element = h("div", { hidden: true },
      h("h3", {}, t("The pairs of scores")), this.picture,
      h("div", { class: "legend" }, h("span", {}, t("empty: not reached")), h("span", {}, t("gold: being solved")), h("span", {}, t("green: solved"))),
      h("p", { class: "hint" }, t("The scores with the most pieces home are solved first. A pair is solved together with its mirror image.")));
  }

  /** Draws the map of a game. @param {number} goal */
  begin(goal) {
    const size = goal * CELL;
    this.#cells = Array.from({ length: goal }, (_, light) => Array.from({ length: goal }, (_, dark) =>
      s("rect", { x: MARGIN + light * CELL + 2, y: MARGIN + dark * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 5 },
        s("title", {}, t("light {light} home, dark {dark} home", { light, dark })))));
    const numbers = Array.from({ length: goal }, (_, home) => [
      s("text", { x: MARGIN + (home + 0.5) * CELL, y: MARGIN - 5, "text-anchor": "middle" }, home),
      s("text", { x: MARGIN - 8, y: MARGIN + (home + 0.6) * CELL, "text-anchor": "middle" }, home)]);
    const whole = Math.max(MARGIN + size + 4, LEAST);
    this.picture.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    fill(this.picture, s("text", { x: MARGIN, y: 11 }, t("light home →")), s("text", { x: -MARGIN, y: 11, transform: "rotate(-90)", "text-anchor": "end" }, t("dark home")), ...numbers.flat(), ...this.#cells.flat());
    this.element.hidden = false;
  }

  /** Shows which pair is being solved. @param {[number, number]} scores */
  step([more, less]) {
    for (const cell of this.#cells.flat()) cell.classList.remove("changing");
    for (const cell of new Set([this.#cells[more]?.[less], this.#cells[less]?.[more]])) cell?.classList.add("reached", "changing");
  }

  /** Shows that nothing changes any more. */
  end() {
    for (const cell of this.#cells.flat()) cell.setAttribute("class", "reached");
  }
}
