/** The form for a new game: rules, who sits where and, if wanted, the start and the seed of the dice. */

import { api } from "./api.js";
import { Board } from "./board.js";
import { solvedWords, tableState } from "./chances.js";
import { stakesChoices, wantedStakes } from "./cube.js";
import { button, field, fill, h, select } from "./dom.js";
import { complain } from "./live.js";
import { PLAYERS, standing } from "./notation.js";
import { go, whileHere } from "./router.js";
import { SeatField } from "./seat.js";
import { change, settings } from "./settings.js";
import { onlyOf } from "./side.js";
import { t, translate } from "./texts.js";

/** @typedef {import("./types.js").RulesLine} RulesLine */

/** @param {RulesLine} line */
function ruleLabel({ title, name, table }) {
  const rules = translate(title || name);
  return table.state === "ready" ? rules : `${rules} · ${solvedWords(table)}`;
}

/** Usual games: who plays light and who dark. @type {[string, "person" | "strong" | "perfect", "person" | "strong" | "perfect"][]} */
const USUAL = [
  [t("Against a strong player"), "person", "strong"],
  [t("Against perfect play"), "person", "perfect"],
  [t("Two people"), "person", "person"],
  [t("Perfect duel"), "perfect", "perfect"],
];

/**
 * The form; it goes to the game when it has begun.
 *
 * @param {RulesLine[]} lines
 * @param {{ rules?: string, start?: string, onrules?: (rules: import("./types.js").Rules) => void, onseats?: (near: import("./types.js").Player) => void }} [given]
 */
function newGameForm(lines, { rules = lines[0]?.name ?? "finkel", start = "", onrules, onseats } = {}) {
  const [base, count] = rules.split(":");
  const seats = { light: new SeatField("light"), dark: new SeatField("dark") };
  const pieces = h("input", { type: "number", min: 1, max: 15, inputmode: "numeric", "aria-label": t("Pieces of each player") });
  const position = h("input", { type: "text", dir: "ltr", value: start, placeholder: "-:-:L", spellcheck: "false" });
  const seed = h("input", { type: "text", inputmode: "numeric", pattern: "[0-9]{1,20}", placeholder: t("by chance") });
  let stakes = "";
  const played = select(t("Played for"), stakesChoices(), stakes, (chosen) => { stakes = chosen; });
  const manual = h("input", { type: "checkbox" });
  const chooser = select(t("Rules"), lines.map((line) => [line.name, ruleLabel(line)]), base, chosen);
  const line = () => lines.find((known) => known.name === chooser.value);
  // A rule file is one game, which fixes the number of pieces.
  const isCounted = () => line()?.preset ?? true;
  const asked = () => {
    const own = line()?.pieces ?? 7;
    const wanted = isCounted() ? Number(pieces.value) || own : own;
    return wanted === own ? chooser.value : `${chooser.value}:${wanted}`;
  };
  const counted = field(t("Pieces"), pieces);
  function chosen() {
    pieces.value = String(line()?.pieces ?? 7);
    counted.hidden = !isCounted();
    refresh();
  }
  async function refresh() {
    const name = asked();
    try {
      const agents = api.agents(name);
      // The error is handled below; the board need not wait for the players.
      agents.catch(() => {});
      const known = await api.rules(name);
      if (name !== asked()) return;
      onrules?.(known);
      const offered = await agents;
      if (name === asked()) PLAYERS.forEach((player) => seats[player].offer(offered, known.table));
    } catch (error) {
      complain(error);
    }
  }
  pieces.addEventListener("change", () => { if (pieces.reportValidity()) refresh(); });
  pieces.value = String(line()?.pieces ?? 7);
  counted.hidden = !isCounted();
  if (isCounted() && /^([1-9]|1[0-5])$/.test(count)) pieces.value = count;
  /** @param {SeatField} seat @param {"person" | "strong" | "perfect"} who @param {string} name */
  const put = (seat, who, name) => {
    if (who === "person") seat.seatPerson(name);
    else seat.seatStrength({ perfect: who === "perfect", decided: true });
  };
  const seated = () => onseats?.(onlyOf(PLAYERS.filter((player) => seats[player].read().kind === "person")));
  const usual = USUAL.map(([label, light, dark]) => button(label, () => {
    put(seats.light, light, settings.name);
    put(seats.dark, dark, "");
    seated();
  }, { class: "chip" }));
  seats.light.seatPerson(settings.name);
  seats.dark.seatStrength({ perfect: false, decided: false });
  const begin = h("button", { type: "submit", class: "primary large playing" }, t("Play"));
  const form = h("form", { class: "card newgame" },
    h("h1", {}, t("The Royal Game of Ur")),
    h("div", { class: "chips" }, ...usual),
    h("div", { class: "pair" }, field(t("Rules"), chooser), counted),
    h("div", { class: "seats" }, seats.light.element, seats.dark.element),
    field(t("Played for"), played),
    h("details", { open: start !== "" }, h("summary", {}, t("Start and dice")),
      h("div", { class: "pair" }, field(t("Start position"), position), h("div", { class: "mine" }, field(t("Seed of the dice"), seed))),
      h("label", { class: "switch" }, manual, h("span", {}, t("Real dice: we throw them and enter the rolls")))),
    begin);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    begin.disabled = true;
    const here = whileHere();
    try {
      const [light, dark] = [seats.light.read(), seats.dark.read()];
      if (light.kind === "person") change("name", light.name === "Light" ? "" : light.name);
      const wanted = { rules: asked(), light, dark };
      const game = await api.newGame({
        ...wanted,
        ...wantedStakes(stakes),
        ...(position.value.trim() && { start: position.value.trim() }),
        ...(seed.value.trim() && { seed: seed.value.trim() }),
        manual: manual.checked,
      });
      if (here()) go("play", String(game.id));
    } catch (error) {
      complain(error);
    } finally {
      begin.disabled = false;
    }
  });
  form.addEventListener("change", seated);
  seated();
  refresh();
  return form;
}

/** The screen of a new game: the form, the board of its rules, and how far their table is. @param {string[]} given */
export async function lobby([asked, start]) {
  const lines = await api.ruleSets();
  const picture = h("div", { class: "picture" });
  let close = () => {};
  const here = whileHere();
  /** @type {Board | undefined} */
  let board;
  /** @type {import("./types.js").Player | undefined} */
  let near;
  const onseats = (/** @type {import("./types.js").Player} */ side) => {
    if (side !== near) board?.turn({ orientation: "wide", near: side });
    near = side;
  };
  const onrules = (/** @type {import("./types.js").Rules} */ rules) => {
    // The rules may arrive after the screen was left.
    if (!here()) return;
    close();
    board = new Board(rules, { near });
    board.show(standing(rules, rules.start));
    const table = tableState(rules.name);
    close = table.close;
    fill(picture, board.element, table.element);
  };
  const [base, count] = asked?.split(":") ?? [];
  const named = lines.find(({ name }) => name === base);
  // A rule file has its own number of pieces, whatever is asked for.
  const isKnown = !asked || (named && (!named.preset || count === undefined || /^([1-9]|1[0-5])$/.test(count)));
  const form = newGameForm(lines, { ...(isKnown && { rules: asked || lines[0]?.name, start }), onrules, onseats });
  if (!isKnown) form.prepend(h("p", { class: "wrong", role: "alert" }, t("No rules are called “{name}”. These are {title}'s.", { name: asked, title: translate(lines[0].title) })));
  return { element: h("div", { class: "lobby" }, form, picture), title: t("New game"), close: () => close() };
}
