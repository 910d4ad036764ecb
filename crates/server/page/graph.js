/** The graph of light's chance over a game, with its slips; it can be clicked and dragged over. */

import { s, set } from "./dom.js";
import { percent } from "./notation.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Review} Review */

const WIDTH = 600;
const HEIGHT = 170;
const MARGIN = 50;
const SLIPS = new Set(["inaccuracy", "mistake", "blunder"]);

/** Light's chances: at the start and after every ply. @param {Review} review */
export function chances({ start, plies }) {
  return [start, ...plies.map((ply) => (ply.player === "light" ? ply.value : 1 - ply.value))];
}

export class Graph {
  /**
   * @param {Review} review
   * @param {(ply: number) => void} onpick
   */
  constructor(review, onpick) {
    this.count = review.plies.length;
    const values = chances(review);
    const points = values.map((value, at) => `${this.#x(at).toFixed(1)},${this.#y(value).toFixed(1)}`).join(" ");
    const rules = [0, 0.25, 0.5, 0.75, 1].flatMap((chance) => [
      s("line", { x1: MARGIN, x2: WIDTH, y1: this.#y(chance), y2: this.#y(chance), class: chance === 0.5 ? "half" : "rule" }),
      s("text", { x: MARGIN - 6, y: this.#y(chance) + 4, "text-anchor": "end" }, percent(chance, 0)),
    ]);
    const slips = review.plies.filter((ply) => SLIPS.has(ply.class)).map((ply) =>
      s("circle", { cx: this.#x(ply.number), cy: this.#y(values[ply.number]), r: 5, class: `slip ${ply.class}` },
        s("title", {}, t("ply {number}: {judgement} of {player}", { number: ply.number, judgement: t(ply.class), player: t(ply.player) }))));
    this.cursor = s("line", { y1: 6, y2: HEIGHT - 6, class: "cursor" });
    const ends = { count: this.count, first: percent(values[0]), last: percent(values[values.length - 1]) };
    const label = this.count === 1 ? t("Chance of light over 1 ply, from {first} to {last}", ends) : t("Chance of light over {count} plies, from {first} to {last}", ends);
    this.element = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", direction: "ltr", "aria-label": label },
      ...rules,
      s("polygon", { class: "area", points: `${MARGIN},${HEIGHT - 8} ${points} ${this.#x(this.count).toFixed(1)},${HEIGHT - 8}` }),
      s("polyline", { class: "curve", points }),
      this.cursor, ...slips);
    const pick = (/** @type {PointerEvent} */ event) => {
      const box = this.element.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      onpick(Math.max(0, Math.min(this.count, Math.round(((x - MARGIN) / (WIDTH - MARGIN - 8)) * this.count))));
    };
    this.element.addEventListener("pointerdown", pick);
    this.element.addEventListener("pointermove", (event) => { if (event.buttons & 1) pick(event); });
  }

  /** @param {number} at */
  #x(at) {
    return MARGIN + ((WIDTH - MARGIN - 8) / Math.max(1, this.count)) * at;
  }

  /** @param {number} chance */
  #y(chance) {
    return 8 + (HEIGHT - 16) * (1 - chance);
  }

  /** @param {number} ply */
  point(ply) {
    set(this.cursor, { x1: this.#x(ply), x2: this.#x(ply) });
  }
}
