/** The buttons below a game. They stay the same elements, so that a step of the game takes no focus or click away. */

import { actor } from "./cube.js";
import { button, h, patientButton, set } from "./dom.js";
import { address } from "./router.js";
import { change, settings } from "./settings.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Player} Player */

/**
 * @typedef {object} Acts  What the buttons do.
 * @property {() => void} hint
 * @property {() => void} undo
 * @property {() => void} resign
 * @property {() => Promise<void>} rematch
 * @property {() => void} hold
 * @property {() => void} step
 * @property {() => void} invite
 * @property {() => void} share
 * @property {(what: Veiled) => void} veil  hides or shows
 */

/** What a viewer of two programs may hide, to guess it. @typedef {"dice" | "values"} Veiled */

export class Controls {
  /** @param {Acts} acts */
  constructor(acts) {
    this.rematch = patientButton(t("Rematch"), acts.rematch, { class: "primary" });
    this.review = h("a", { class: "button" }, t("Review"));
    this.hint = button(t("Hint"), acts.hint, { "aria-keyshortcuts": "h" });
    this.undo = button(t("Undo"), acts.undo, { "aria-keyshortcuts": "u" });
    this.resign = button(t("Resign"), acts.resign);
    this.hold = button(t("Pause"), acts.hold, { class: "primary" });
    this.step = button(t("One step"), acts.step);
    this.dice = button(t("Hide dice"), () => acts.veil("dice"), { "aria-pressed": "false" });
    this.values = button(t("Hide values"), () => acts.veil("values"), { "aria-pressed": "false" });
    this.invite = button(t("Invite"), acts.invite);
    this.share = button(t("Share"), acts.share, { class: "sharing" });
    this.pace = pace();
    this.explore = h("a", { class: "button" }, t("Explore"));
    this.fresh = h("a", { class: "button" }, t("New game"));
    this.element = h("div", { class: "row actions" }, this.rematch, this.review, this.hint, this.undo, this.resign,
      this.hold, this.step, this.pace, this.dice, this.values, this.invite, this.share, this.explore, this.fresh);
  }

  /**
   * Shows the buttons that make sense now.
   *
   * @param {Game} game
   * @param {{ people: Player[], paused: boolean, mode: string, veiled: Set<Veiled>, rules: import("./types.js").Rules }} state
   */
  show(game, { people, paused, mode, veiled, rules }) {
    const over = game.stage === "over";
    const duel = !over && Object.values(game.seats).every(({ kind }) => kind === "agent");
    const isShared = mode === "public" && people.length === 2;
    this.review.hidden = !over;
    // No rematch of a match, nor of rules that are no longer kept: other rules may have their name.
    this.rematch.hidden = !over || Boolean(game.stakes?.score) || !game.known;
    this.resign.hidden = over || people.length === 0;
    this.hint.hidden = this.resign.hidden || !game.known;
    this.undo.hidden = people.length === 0 || game.next_game !== null;
    this.hold.hidden = this.step.hidden = this.pace.hidden = this.dice.hidden = this.values.hidden = !duel;
    for (const [what, toggle] of /** @type {const} */ ([["dice", this.dice], ["values", this.values]])) {
      set(toggle, { "aria-pressed": String(veiled.has(what)) });
    }
    this.invite.hidden = over || !isShared;
    this.explore.hidden = over || !game.known;
    const canAsk = game.stage === "move" || Boolean(game.stakes);
    this.hint.disabled = !canAsk || !people.includes(actor(game));
    this.undo.disabled = !game.may_undo;
    this.hold.textContent = paused ? t("Go on") : t("Pause");
    set(this.review, { href: address("review", String(game.id)) });
    set(this.explore, { href: address("explorer", game.rules, game.position) });
    set(this.fresh, { href: address("play", "new", rules.name) });
  }
}

/** How fast programs play. */
function pace() {
  const slowest = 2000;
  const slider = h("input", { type: "range", min: 0, max: slowest, step: 100, value: slowest - settings.pace });
  slider.addEventListener("change", () => change("pace", slowest - Number(slider.value)));
  return h("label", { class: "pace" }, h("span", {}, t("Pace")), slider);
}
