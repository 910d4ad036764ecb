/** Dice of four corners, two of them marked, as they lay in the tombs: a marked corner on top counts one. */

import { fill, h, pause, s } from "./dom.js";
import { moves } from "./motion.js";

/** @param {number} face 1 where the marked corner is up */
function die(face) {
  return s("svg", { viewBox: "-46 -44 92 80", class: face ? "die marked" : "die", "aria-hidden": "true" },
    s("path", { d: "M0-38L42 30H-42Z", class: "stone" }),
    s("path", { d: "M0 6L0-38M0 6L42 30M0 6L-42 30", class: "edge" }),
    face === 1 && s("circle", { cx: 0, cy: 6, r: 8.5, class: "tip" }));
}

export class Dice {
  constructor() {
    this.faces = h("span", { class: "faces" });
    this.sum = h("span", { class: "sum" });
    this.element = h("div", { class: "dice" }, this.faces, this.sum);
  }

  /**
   * Shows a throw, or dice that wait.
   *
   * @param {number[]} faces none while the dice wait
   * @param {number | null} roll
   * @param {number} count of dice
   */
  show(faces, roll, count) {
    const shown = faces.length > 0 ? faces : Array.from({ length: count }, () => 0);
    fill(this.faces, ...shown.map(die));
    this.sum.textContent = roll === null ? "" : String(roll);
    this.element.classList.toggle("waiting", roll === null);
  }

  /** Tumbles, then shows a throw. @param {number[]} faces @param {number} roll */
  async roll(faces, roll) {
    if (moves()) {
      this.element.classList.add("tumbling");
      this.sum.textContent = "";
      await pause(420);
      this.element.classList.remove("tumbling");
    }
    this.show(faces, roll, faces.length);
  }
}

/** How many dice a rule set throws. @param {string} dice such as `4d` or `3d0=4` */
export const diceCount = (dice) => Number.parseInt(dice, 10) || 4;
