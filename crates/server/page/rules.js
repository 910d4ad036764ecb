/** The screen of rules: each rule set with its board, its path walked by a piece, its dice and what is known of it. */

import { api } from "./api.js";
import { sure } from "./asking.js";
import { Board } from "./board.js";
import { solvedWords, tableState } from "./chances.js";
import { button, fill, h, pause, s } from "./dom.js";
import { complain, say } from "./live.js";
import { motifOf, plaque } from "./motifs.js";
import { moves, travel } from "./motion.js";
import { PLAYERS, capital, diceWords, grouped, percent, standing } from "./notation.js";
import { address, go, whileHere } from "./router.js";
import { changes, orientation } from "./settings.js";
import { share } from "./share.js";
import { decimal, scientific, t, translate } from "./texts.js";
import { transport } from "./transport.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Player} Player */

/** A rule file to start from: a small game whose every line says what it is for. */
const EXAMPLE = `# ${t('Change any line, and press "{button}".', { button: t("Show its game") })}
name = "My rules"

# ${t("The dice: 4d are four dice that show 0 or 1. 3d0=4 are three, and a throw of 0 counts as 4.")}
dice = "4d"

# ${t('Pieces of each player. With "goal = 2" a player wins with two of them home.')}
pieces = 3

# ${t("What a rosette does, and whether a capture gives another roll.")}
safe_rosettes = true
rosettes_grant_rolls = true
captures_grant_rolls = false

# ${t("Whether a piece leaves the board by the exact roll only.")}
exact_exit = true

# ${t("The board: a line for each lane, lane A first. A dot is a tile, * is a rosette, a space is not a tile.")}
# ${t('To play on a known board, write path = "bell" above, and leave out the rest.')}
[path]
board = [
  "*.. .*",
  "...*..",
  "*.. .*",
]

# ${t("The way of light's pieces, tile by tile. Dark's way is the same, seen from the other side.")}
light = "A3 A2 A1 B1 B2 B3 B4 B5 B6 A6 A5"
`;

/** @param {string[]} words the rules */
export async function open([name]) {
  return name ? detail(await api.rules(name, true)) : list(await api.ruleSets());
}

/** Whether a game is solved, and how large it is. @param {import("./types.js").RulesLine} line */
function stateWords({ table, positions }) {
  const state = solvedWords(table);
  return positions ? t("{state}, {count} positions", { state, count: grouped(positions) }) : state;
}

/** @param {import("./types.js").RulesLine[]} lines */
function list(lines) {
  const text = h("textarea", { rows: 14, dir: "ltr", spellcheck: "false", "aria-label": t("A rule file") });
  const keep = async () => {
    const here = whileHere();
    try {
      const { name } = await api.keepRules(text.value);
      if (here()) go("rules", name);
    } catch (error) {
      complain(error);
    }
  };
  const example = async () => {
    if (text.value.trim() && text.value !== EXAMPLE && !await sure(t("Replace the text with the example?"), "", { yes: t("Replace it"), no: t("Keep it") })) return;
    text.value = EXAMPLE;
    attempt();
  };
  const picture = h("div", { class: "picture" });
  const attempt = async () => {
    try {
      const rules = await api.tryRules(text.value);
      const board = new Board(rules, { orientation: orientation() });
      board.show(standing(rules, rules.start));
      fill(picture, h("h2", {}, translate(rules.title)), board.element, facts(rules), wayOfPlay(rules));
    } catch (error) {
      // What is shown must not seem to be the game of a text that is wrong.
      fill(picture);
      complain(error);
    }
  };
  const element = h("div", {},
    h("h1", {}, t("Rules")),
    h("div", { class: "ruleslist" }, ...lines.map((line) => h("section", { class: "card" },
      h("h2", {}, h("a", { href: address("rules", line.name) }, translate(line.title))),
      line.introduction && h("p", {}, translate(line.introduction)),
      h("p", { class: "hint" }, sizeWords(line)),
      h("p", {}, stateWords(line)),
      h("p", { class: "row" }, h("a", { class: "button playing", href: address("play", "new", line.name) }, t("Play")),
        h("a", { class: "button", href: address("explorer", line.name) }, t("Explore")))))),
    h("details", { class: "card intake" }, h("summary", {}, t("A rule file of your own")),
      h("p", { class: "hint" }, t("Boards, paths, dice and pieces as TOML:"), " ", h("a", { href: transport.help("rules"), target: "_blank" }, t("every key")), "."),
      text, h("p", { class: "row end" }, button(t("Start from an example"), example, { class: "example" }), button(t("Show its game"), attempt, { class: "show" }), button(t("Keep it"), keep, { class: "primary mine" })), picture));
  return { element, title: t("Rules") };
}

/** @param {Rules} rules */
function detail(rules) {
  const board = new Board(rules, { orientation: orientation() });
  board.show(standing(rules, rules.start));
  const walk = new Walk(board, rules);
  const table = tableState(rules.name, () => dispatchEvent(new HashChangeEvent("hashchange")));
  const turned = () => board.turn({ orientation: orientation(), near: "dark" });
  addEventListener("resize", turned);
  changes.addEventListener("change", turned);
  const element = h("div", { class: "study" },
    h("div", {}, board.element, h("div", { class: "steps" },
      ...PLAYERS.map((player) => button(t("{player}'s path", { player: t(capital(player)) }), () => walk.go(player), { "aria-describedby": "pathtext" })))),
    h("aside", { class: "side" },
      h("section", { class: "card" }, h("h1", {}, translate(rules.title)), facts(rules), table.element,
        h("p", { class: "row" }, h("a", { class: "button primary playing", href: address("play", "new", rules.name) }, t("Play")),
          h("a", { class: "button", href: address("explorer", rules.name) }, t("Explore")),
          h("a", { class: "button", href: "#/rules" }, t("All rules")),
          button(t("Share"), () => share({ rules, board }), { class: "sharing" }),
          !rules.preset && button(t("Remove"), () => drop(rules), { class: "danger mine" }))),
      h("section", { class: "card" }, h("h2", {}, t("Dice")), dice(rules)),
      h("section", { class: "card" }, h("h2", {}, t("Squares")), squares(rules)),
      h("section", { class: "card" }, h("h2", {}, t("The way of play")), wayOfPlay(rules),
        h("p", { id: "pathtext", class: "hint" }, ...PLAYERS.map((player) => `${t(capital(player))}: ${rules.paths[player].join(" ")}. `))),
      h("details", { class: "card" }, h("summary", {}, t("As a rule file")), h("pre", { class: "scroll mono", dir: "ltr", tabindex: "0" }, rules.toml))));
  walk.go("light");
  return {
    element,
    title: translate(rules.title),
    close: () => {
      walk.stop();
      table.close();
      removeEventListener("resize", turned);
      changes.removeEventListener("change", turned);
    },
  };
}

/** @param {Rules} rules */
async function drop(rules) {
  if (!await sure(t("Remove the rule file “{title}”?", { title: rules.title }), t("Games and tables stay."), { yes: t("Remove"), no: t("Keep it") })) return;
  const here = whileHere();
  try {
    await api.dropRules(rules.name);
    say(t("Removed."));
    if (here()) go("rules");
  } catch (error) {
    complain(error);
  }
}

/** The size of a game in a line. @param {import("./types.js").RulesLine} line */
function sizeWords({ path, pieces, dice }) {
  const size = { path, pieces, dice: diceWords(dice) };
  return pieces === 1 ? t("{path} squares, 1 piece each, {dice}", size) : t("{path} squares, {pieces} pieces each, {dice}", size);
}

/** @param {Rules} rules */
function facts({ path, pieces, goal, dice, positions, facts: known }) {
  const { first_player: first, length, residual } = known;
  /** @type {[string, string | null][]} */
  const rows = [
    [t("Path"), t("{count} squares", { count: path })],
    [t("Pieces"), goal < pieces ? t("{pieces} each, {goal} to bring home", { pieces, goal }) : t("{pieces} each", { pieces })],
    [t("Dice"), diceWords(dice)],
    [t("Positions"), positions === null ? null : grouped(positions)],
    [t("First player wins"), typeof first === "number" ? t("{chance} under best play", { chance: percent(first, 3) }) : null],
    [t("Length of a game"), typeof length === "number" ? t("{count} plies on average", { count: decimal(length, 1) }) : null],
    [t("Solved to"), typeof residual === "number" ? scientific(residual) : null],
  ];
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => (value === null ? [] : [h("dt", {}, name), h("dd", {}, value)])));
}

/** @param {Rules} rules */
function dice({ rolls }) {
  const highest = Math.max(...rolls.map(({ chance }) => chance));
  return h("ul", { class: "bars" }, ...rolls.map(({ roll, chance }) => h("li", {},
    s("svg", { viewBox: "0 0 40 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { x: 6, width: 28, y: 100 - (100 * chance) / highest, height: (100 * chance) / highest, rx: 3 })),
    h("b", {}, roll), h("div", { class: "hint" }, percent(chance)))));
}

/** What each kind of tile does, each with a picture of one. @param {Rules} rules */
function squares({ board }) {
  const kinds = new Map();
  for (const tile of board.tiles) {
    const shared = tile.light.length > 0 && tile.dark.length > 0;
    const visited = tile.light.length + tile.dark.length > 0;
    const what = [
      tile.again && t("landing here gives another roll"),
      shared ? (tile.safe ? t("a piece here cannot be captured") : t("both players cross it: pieces can be captured here")) : visited ? t("only one player crosses it: a piece here is safe") : t("no path leads over it"),
    ].filter(Boolean).join(t("; "));
    const name = t(capital(tile.ground.replace(/^an? /, "")));
    const kind = kinds.get(`${name}: ${what}`) ?? { tile, tiles: [] };
    kind.tiles.push(tile.tile);
    kinds.set(`${name}: ${what}`, kind);
  }
  return h("ul", { class: "squares" }, ...[...kinds].map(([text, { tile, tiles }]) => h("li", {},
    s("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, plaque(tile.rosette ? "rosette" : motifOf(tile.column, tile.row))),
    h("span", {}, h("b", {}, tiles.join(t(", "))), h("br"), text))));
}

/** @param {Rules} rules */
function wayOfPlay(rules) {
  return h("div", {}, ...rules.way_of_play.flatMap(({ title, sentences }) =>
    [h("h3", {}, translate(title)), ...sentences.map((sentence) => h("p", {}, translate(sentence)))]));
}

/** A piece that walks along a path, over and over, with the squares numbered. */
class Walk {
  /** @param {Board} board @param {Rules} rules */
  constructor(board, rules) {
    this.board = board;
    this.rules = rules;
    this.turn = 0;
  }

  stop() {
    this.turn += 1;
  }

  /** @param {Player} player */
  async go(player) {
    const turn = ++this.turn;
    const path = this.rules.paths[player];
    /** @type {Map<string, string>} */
    const numbers = new Map();
    path.forEach((tile, at) => numbers.set(tile, [numbers.get(tile), at + 1].filter(Boolean).join("·")));
    this.board.mark([...numbers].map(([place, text]) => ({ place, kind: "walk", text })));
    while (turn === this.turn && moves()) {
      this.board.show(standing(this.rules, this.rules.start));
      await pause(700);
      if (turn !== this.turn || !this.board.element.isConnected) return;
      const walker = this.board.pieceAt(`hand:${player}`);
      if (!walker) return;
      const { layout } = this.board;
      await travel(walker, [...path.map((tile) => layout.tile(tile)), layout.place(`home:${player}`)], { scale: { from: 0.66, to: 0.66 }, stride: 330 });
    }
  }
}
