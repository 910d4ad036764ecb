/** The form for a new game: rules, who sits where, and for those who ask, the start and the seed of the dice. */

import { api } from "./api.js";
import { Board } from "./board.js";
import { button, field, fill, h, select } from "./dom.js";
import { complain } from "./live.js";
import { PLAYERS, capital } from "./notation.js";
import { go } from "./router.js";
import { change, settings } from "./settings.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").RulesLine} RulesLine */
/** @typedef {{ element: HTMLElement, read: () => Seat, put: (seat: Seat) => void, agents: (agents: import("./types.js").Agent[]) => void }} SeatField */

/** The best player's rating, on which the scale hangs. */
const PERFECT = 2000;

/** @param {number} elo */
function strengthWords(elo) {
  if (elo >= PERFECT) return "perfect play";
  const expected = 1 / (1 + 10 ** ((PERFECT - elo) / 400));
  return `${elo}: wins ${(expected * 100).toFixed(0)} of 100 games against perfect play`;
}

/** @param {Player} player @returns {SeatField} */
function seatField(player) {
  const name = h("input", { type: "text", maxlength: 40, placeholder: "Name", autocomplete: "off", "aria-label": `Name of ${player}` });
  const slider = h("input", { type: "range", min: 1200, max: PERFECT, step: 20, value: 1800, "aria-label": `Strength of ${player}` });
  const told = h("output", { class: "hint" });
  const roster = h("select", { "aria-label": `Program for ${player}` });
  const how = h("span", { class: "hint" });
  const tell = () => {
    told.textContent = strengthWords(Number(slider.value));
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  slider.addEventListener("input", tell);
  roster.addEventListener("change", () => { how.textContent = roster.selectedOptions[0]?.dataset.how ?? ""; });
  /** @type {Record<string, HTMLElement>} */
  const bodies = {
    person: h("div", {}, name),
    strength: h("div", {}, slider, told),
    agent: h("div", {}, roster, how),
  };
  const kinds = ["person", "strength", "agent"].map((kind) =>
    h("label", {}, h("input", { type: "radio", name: `seat-${player}`, value: kind, onchange: () => pick(kind) }),
      h("span", {}, { person: "Person", strength: "Strength", agent: "Program" }[kind] ?? kind)));
  let chosen = "person";
  /** @param {string} kind */
  function pick(kind) {
    chosen = kind;
    for (const label of kinds) {
      const input = /** @type {HTMLInputElement} */ (label.firstElementChild);
      input.checked = input.value === kind;
    }
    for (const [other, body] of Object.entries(bodies)) body.hidden = other !== kind;
  }
  pick(chosen);
  tell();
  return {
    element: h("fieldset", { class: `seat ${player}` }, h("legend", {}, capital(player)),
      h("div", { class: "segments" }, ...kinds), ...Object.values(bodies)),
    read() {
      if (chosen === "person") return { kind: "person", name: name.value.trim() || capital(player) };
      const elo = Number(slider.value);
      if (chosen === "strength") return { kind: "agent", spec: elo >= PERFECT ? "perfect" : `elo:${elo}` };
      return { kind: "agent", spec: roster.value };
    },
    put(seat) {
      if (seat.kind === "person") {
        name.value = seat.name;
        return pick("person");
      }
      const elo = /^elo:(\d+)$/.exec(seat.spec)?.[1] ?? (seat.spec === "perfect" ? String(PERFECT) : null);
      if (elo === null) {
        roster.value = seat.spec;
        return pick("agent");
      }
      slider.value = elo;
      tell();
      pick("strength");
    },
    agents(agents) {
      const before = roster.value;
      const options = agents.map((agent) => {
        const option = new Option(agent.title || agent.spec, agent.spec);
        option.dataset.how = agent.how;
        return option;
      });
      fill(roster, ...options);
      if (agents.some((agent) => agent.spec === before)) roster.value = before;
      how.textContent = roster.selectedOptions[0]?.dataset.how ?? "";
    },
  };
}

/** @param {RulesLine} line */
function ruleLabel({ title, name, table }) {
  const states = { ready: "", missing: " · not solved yet", solving: " · being solved", failed: " · not solved", "too-large": " · too large to solve here" };
  return (title || name) + states[table.state];
}

/** @type {[string, Seat, Seat][]} */
const OPENINGS = [
  ["Against a strong player", { kind: "person", name: "" }, { kind: "agent", spec: "elo:1800" }],
  ["Against perfect play", { kind: "person", name: "" }, { kind: "agent", spec: "perfect" }],
  ["Two people", { kind: "person", name: "" }, { kind: "person", name: "" }],
  ["Perfect duel", { kind: "agent", spec: "perfect" }, { kind: "agent", spec: "perfect" }],
];

/**
 * The form; it goes to the game when it has begun.
 *
 * @param {RulesLine[]} lines
 * @param {{ rules?: string, start?: string, onrules?: (rules: string) => void }} [given]
 */
export function newGameForm(lines, { rules = lines[0]?.name ?? "finkel", start = "", onrules } = {}) {
  const [base, count] = rules.split(":");
  const seats = { light: seatField("light"), dark: seatField("dark") };
  const pieces = h("input", { type: "number", min: 1, max: 15, inputmode: "numeric", "aria-label": "Pieces of each player" });
  const position = h("input", { type: "text", value: start, placeholder: "-:-:L", spellcheck: "false" });
  const seed = h("input", { type: "text", inputmode: "numeric", pattern: "[0-9]{1,20}", placeholder: "by chance" });
  const manual = h("input", { type: "checkbox" });
  const chooser = select("Rules", lines.map((line) => [line.name, ruleLabel(line)]), base, chosen);
  const line = () => lines.find((known) => known.name === chooser.value);
  const asked = () => {
    const own = line()?.pieces ?? 7;
    const wanted = Number(pieces.value) || own;
    return wanted === own ? chooser.value : `${chooser.value}:${wanted}`;
  };
  function chosen() {
    pieces.value = String(line()?.pieces ?? 7);
    refresh();
  }
  function refresh() {
    onrules?.(asked());
    api.agents(asked()).then((agents) => PLAYERS.forEach((player) => seats[player].agents(agents)), complain);
  }
  pieces.addEventListener("change", refresh);
  pieces.value = count ?? String(line()?.pieces ?? 7);
  const openings = OPENINGS.map(([label, light, dark]) => button(label, () => {
    seats.light.put(light.kind === "person" ? { ...light, name: settings.name } : light);
    seats.dark.put(dark);
  }, { class: "chip" }));
  seats.light.put({ kind: "person", name: settings.name });
  seats.dark.put({ kind: "agent", spec: "elo:1800" });
  const begin = h("button", { type: "submit", class: "primary large" }, "Play");
  const form = h("form", { class: "card newgame" },
    h("h1", {}, "The Royal Game of Ur"),
    h("div", { class: "chips" }, ...openings),
    h("div", { class: "pair" }, field("Rules", chooser), field("Pieces", pieces)),
    h("div", { class: "seats" }, seats.light.element, seats.dark.element),
    h("details", { open: start !== "" }, h("summary", {}, "Start and dice"),
      h("div", { class: "pair" }, field("Start position", position), field("Seed of the dice", seed)),
      h("label", { class: "switch" }, manual, h("span", {}, "Real dice: we throw them and tell the rolls"))),
    begin);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    begin.disabled = true;
    try {
      const [light, dark] = [seats.light.read(), seats.dark.read()];
      if (light.kind === "person") change("name", light.name === "Light" ? "" : light.name);
      const wanted = { rules: asked(), light, dark };
      const game = await api.newGame({
        ...wanted,
        ...(position.value.trim() && { start: position.value.trim() }),
        ...(seed.value.trim() && { seed: seed.value.trim() }),
        manual: manual.checked,
      });
      go("play", String(game.id));
    } catch (error) {
      complain(error);
    } finally {
      begin.disabled = false;
    }
  });
  refresh();
  return form;
}

/** The form for a new game beside its board. @param {string[]} given */
export async function lobby([asked, start]) {
  const lines = await api.ruleSets();
  const name = asked ?? lines[0]?.name ?? "finkel";
  const picture = h("div", { class: "picture" });
  const form = newGameForm(lines, { rules: name, start, onrules: async (rules) => {
    const board = new Board(await api.rules(rules), { orientation: "wide" });
    const { pieces } = board.rules;
    board.show({ pieces: [], hand: { light: pieces, dark: pieces }, home: { light: 0, dark: 0 } });
    fill(picture, board.element);
  } });
  return { element: h("div", { class: "lobby" }, form, picture), title: "New game" };
}
