/** Who plays a colour: a person, a strength on a scale, or one of the programs. */

import { fill, h } from "./dom.js";
import { capital } from "./notation.js";
import { t, translate } from "./texts.js";

/** @typedef {import("./types.js").Agent} Agent */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {"person" | "strength" | "agent"} Kind */
/** @typedef {{ min: number, max: number, step: number, value: number, spec: (value: number) => string, words: (value: number) => string }} Scale */

/** Ratings, on which perfect play has 2000; the roster tells how low they go. @type {Scale} */
const RATING = {
  min: 900, max: 2000, step: 20, value: 1800,
  spec: (elo) => `elo:${elo}`,
  words: (elo) => t("{elo}: wins {wins} of 100 games against perfect play", { elo, wins: (100 / (1 + 10 ** ((2000 - elo) / 400))).toFixed(0) }),
};

/** How often the best move is found, for all other rule sets. @type {Scale} */
const ACCURACY = {
  min: 0, max: 100, step: 5, value: 90,
  spec: (percent) => `accuracy:${percent}`,
  words: (percent) => t("finds the best move in {percent} of 100 choices", { percent }),
};

/** @type {[Kind, string][]} */
const KINDS = [["person", t("Person")], ["strength", t("Strength")], ["agent", t("Program")]];

export class SeatField {
  /** @type {Kind} */
  #kind = "person";
  #scale = RATING;
  /** Whether the person has chosen who sits here. */
  #decided = false;

  /** @param {import("./types.js").Player} player */
  constructor(player) {
    this.player = player;
    const whose = { player: t(player) };
    this.name = h("input", { type: "text", maxlength: 40, placeholder: t("Name"), autocomplete: "off", "aria-label": t("Name of {player}", whose) });
    const { min, max, step, value } = RATING;
    this.slider = h("input", { type: "range", min, max, step, value, "aria-label": t("Strength of {player}", whose), oninput: () => this.#tell() });
    this.told = h("output", { class: "hint" });
    this.roster = h("select", { "aria-label": t("Program for {player}", whose), onchange: () => this.#tell() });
    this.how = h("span", { class: "hint" });
    /** @type {Record<Kind, HTMLElement>} */
    this.bodies = { person: h("div", {}, this.name), strength: h("div", {}, this.slider, this.told), agent: h("div", {}, this.roster, this.how) };
    this.radios = KINDS.map(([kind]) => h("input", { type: "radio", name: `seat-${player}`, value: kind, onchange: () => { this.#decided = true; this.pick(kind); } }));
    const segments = KINDS.map(([, text], at) => h("label", {}, this.radios[at], h("span", {}, text)));
    this.element = h("fieldset", { class: `seat ${player}` }, h("legend", {}, t(capital(player))),
      h("div", { class: "segments" }, ...segments), ...Object.values(this.bodies));
    this.#tell();
    this.pick("person");
  }

  /** @param {Kind} kind */
  pick(kind) {
    this.#kind = kind;
    for (const radio of this.radios) radio.checked = radio.value === kind;
    for (const [other, body] of Object.entries(this.bodies)) body.hidden = other !== kind;
  }

  /** Takes another scale; perfect play stays chosen, and on a scale of the same kind any strength. @param {Scale} scale */
  #measure(scale) {
    const [before, value] = [this.#scale, Number(this.slider.value)];
    this.#scale = scale;
    for (const key of /** @type {const} */ (["min", "max", "step"])) this.slider[key] = String(scale[key]);
    this.slider.value = String(value >= before.max ? scale.max : scale.spec === before.spec ? value : scale.value);
    this.#tell();
  }

  #tell() {
    const value = Number(this.slider.value);
    this.told.textContent = value >= this.#scale.max ? t("perfect play") : this.#scale.words(value);
    this.slider.setAttribute("aria-valuetext", this.told.textContent);
    this.how.textContent = this.roster.selectedOptions[0]?.dataset.how ?? "";
  }

  /** @param {string} name */
  seatPerson(name) {
    this.name.value = name;
    this.pick("person");
  }

  /** Seats a program of the usual strength, or of the greatest. @param {{ perfect: boolean, decided: boolean }} how */
  seatStrength({ perfect, decided }) {
    this.#decided = decided;
    this.slider.value = String(perfect ? this.#scale.max : this.#scale.value);
    this.#tell();
    this.pick(this.radios[1].disabled ? "agent" : "strength");
  }

  /** @returns {Seat} */
  read() {
    if (this.#kind === "person") return { kind: "person", name: this.name.value.trim() || capital(this.player) };
    if (this.#kind === "agent") return { kind: "agent", spec: this.roster.value };
    const value = Number(this.slider.value);
    return { kind: "agent", spec: value >= this.#scale.max ? "perfect" : this.#scale.spec(value) };
  }

  /**
   * Offers the programs that play these rules; those that need a table only if there can be one. While the table is
   * being made, a program that needs none is suggested.
   *
   * @param {Agent[]} agents
   * @param {import("./types.js").Table} table
   */
  offer(agents, { state }) {
    const solvable = state !== "too-large";
    const waits = state === "solving" || state === "failed";
    const weakest = agents.find((agent) => agent.weakest != null)?.weakest;
    const scale = weakest == null ? ACCURACY : { ...RATING, min: Math.ceil(weakest / RATING.step) * RATING.step };
    if (scale.min !== this.#scale.min || scale.max !== this.#scale.max) this.#measure(scale);
    const before = this.roster.value;
    const fit = agents.filter((agent) => solvable || !agent.needs_table);
    const suggested = fit.find((agent) => agent.spec === before) ?? fit.find((agent) => !agent.needs_table);
    fill(this.roster, ...fit.map((agent) => {
      const option = new Option(translate(agent.title), agent.spec, false, agent === suggested);
      option.dataset.how = translate(agent.how);
      return option;
    }));
    this.radios[1].disabled = !solvable;
    if (this.#kind === "strength" && (!solvable || (waits && !this.#decided))) this.pick("agent");
    this.#tell();
  }
}
