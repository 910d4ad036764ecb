/** The legal moves as buttons: what keys and screen readers play by, and where a hint writes its values. */

import { fill, h } from "./dom.js";
import { moveText, moveWords, percent } from "./notation.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Option} Option */

export class MoveList {
  /** @type {{ option: Option, button: HTMLButtonElement }[]} */
  #shown = [];

  /** @param {{ onmove: (option: Option) => void, onpoint: (option: Option | null) => void }} events */
  constructor({ onmove, onpoint }) {
    this.onmove = onmove;
    this.onpoint = onpoint;
    this.element = h("ul", { class: "moves", "aria-label": t("Legal moves") });
  }

  /** @param {Option[]} options @param {import("./types.js").JudgedMove[]} judgements */
  show(options, judgements) {
    this.#shown = options.map((option, at) => {
      const judged = judgements.find(({ move }) => move === option.move);
      const button = h("button", {
        type: "button",
        class: judged?.best ? "best" : "",
        "data-move": option.move,
        ...(at < 9 && { "aria-keyshortcuts": String(at + 1) }),
        "aria-label": judged ? t("{move}, wins {chance}", { move: moveWords(option), chance: percent(judged.value) }) : moveWords(option),
        onclick: () => this.onmove(option),
        onfocus: () => this.onpoint(option),
        onblur: () => this.onpoint(null),
        onpointerenter: () => this.onpoint(option),
        onpointerleave: () => this.onpoint(null),
      }, h("kbd", { "aria-hidden": "true" }, at < 9 ? String(at + 1) : ""), h("span", {}, moveText(option)),
      option.capture && h("em", {}, t("captures")), option.again && h("em", {}, t("rolls again")),
      judged && h("b", {}, percent(judged.value)));
      return { option, button };
    });
    fill(this.element, ...this.#shown.map(({ button }) => h("li", {}, button)));
  }

  /** Marks the move that the board points at. @param {Option | null} option */
  point(option) {
    for (const shown of this.#shown) shown.button.classList.toggle("pointed", shown.option === option);
  }

  /** Plays the move of this number, from 1. @param {number} number */
  play(number) {
    const shown = this.#shown[number - 1];
    if (shown) this.onmove(shown.option);
  }

  focus() {
    this.#shown[0]?.button.focus({ preventScroll: true });
  }

  /** Goes to the next move or the one before. @param {1 | -1} step */
  step(step) {
    const at = this.#shown.findIndex(({ button }) => button === document.activeElement);
    const count = this.#shown.length;
    if (count > 0) this.#shown[at < 0 ? 0 : (at + step + count) % count].button.focus({ preventScroll: true });
  }
}
