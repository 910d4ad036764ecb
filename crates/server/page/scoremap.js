/** A map of the scores of a game while it is being solved: which pairs of pieces home are reached, change, or are at rest. */

import { fill, h, s } from "./dom.js";
import { readPosition } from "./notation.js";

const CELL = 40;
/** Room for the words beside the map. */
const MARGIN = 30;

export class ScoreMap {
  /** The cell of each position that is followed. @type {SVGElement[]} */
  #cellOf = [];
  /** @type {number[]} */
  #values = [];

  constructor() {
    this.picture = s("svg", { class: "scoremap", role: "img", "aria-label": "The pairs of scores, as they are solved" });
    this.element = h("div", { hidden: true },
      h("h3", {}, "The pairs of scores"), this.picture,
      h("div", { class: "legend" }, h("span", {}, "empty: not reached"), h("span", {}, "gold: changing"), h("span", {}, "green: at rest")),
      h("p", { class: "hint" }, "The scores with the most pieces home are solved first. A cell tells of the positions in the picture above; a dashed cell has none of them."));
  }

  /** Draws the map of a game. @param {string[]} positions those that are followed @param {number} goal */
  begin(positions, goal) {
    const size = goal * CELL;
    const cells = Array.from({ length: goal * goal }, (_, at) => {
      const [light, dark] = [at % goal, Math.floor(at / goal)];
      return s("rect", { x: MARGIN + light * CELL + 2, y: MARGIN + dark * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 5 },
        s("title", {}, `light ${light} home, dark ${dark} home`));
    });
    const numbers = Array.from({ length: goal }, (_, home) => [
      s("text", { x: MARGIN + (home + 0.5) * CELL, y: MARGIN - 5, "text-anchor": "middle" }, home),
      s("text", { x: MARGIN - 8, y: MARGIN + (home + 0.6) * CELL, "text-anchor": "middle" }, home)]);
    this.picture.setAttribute("viewBox", `0 0 ${MARGIN + size + 4} ${MARGIN + size + 4}`);
    fill(this.picture, s("text", { x: MARGIN, y: 11 }, "light home →"), s("text", { x: -MARGIN, y: 11, transform: "rotate(-90)", "text-anchor": "end" }, "dark home"), ...numbers.flat(), ...cells);
    this.#values = [];
    this.#cellOf = positions.map((position) => {
      const { light, dark } = readPosition(position);
      return cells[dark.home * goal + light.home];
    });
    for (const cell of this.#cellOf) cell.setAttribute("class", "followed");
    this.element.hidden = false;
  }

  /** Shows what a sweep has changed. @param {number[]} values of the positions that are followed */
  step(values) {
    for (const cell of new Set(this.#cellOf)) cell.classList.remove("changing");
    values.forEach((value, at) => {
      if (value !== (this.#values[at] ?? value)) this.#cellOf[at].classList.add("reached", "changing");
    });
    this.#values = values;
  }

  /** Shows that nothing changes any more. */
  end() {
    for (const cell of this.#cellOf) cell.setAttribute("class", "followed reached");
  }
}
