/** The explorer: any position, every roll, every move with its value; the address is the position. */

import { ApiError, api } from "./api.js";
import { Board } from "./board.js";
import { ChanceBar, lightChance, tableState } from "./chances.js";
import { convergence } from "./convergence.js";
import { choiceTable, costText, stakesWords, worthText } from "./cube.js";
import { button, field, fill, h, refill, select } from "./dom.js";
import { origin, target } from "./layout.js";
import { complain, note, say, wordsOf } from "./live.js";
import { PLAYERS, capital, ends, moveText, moveWords, opponent, percent, points, readPosition, standing, writePosition } from "./notation.js";
import { ensure, go, settle, whileHere } from "./router.js";
import { changes, orientation } from "./settings.js";
import { copy, share } from "./share.js";
import { lastNearSide } from "./side.js";
import { t, translate } from "./texts.js";
import { tree } from "./tree.js";

/** @type {import("./router.js").Keys} */
const KEYS = [[t("0 to 9"), t("shows this roll")], ["Esc", t("shows every roll")], ["←", t("goes back")]];

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").JudgedMove} JudgedMove */
/** @typedef {import("./notation.js").Setup} Setup */
/** @typedef {"move" | "light" | "dark" | "none"} Tool */

/** @param {string[]} words the rules and the position */
export async function open([name, position]) {
  const here = whileHere();
  const lines = await api.ruleSets();
  const usual = lines[0].name;
  try {
    const rules = await api.rules(name || usual);
    ensure(here);
    return new Explorer(lines, rules, position).screen();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    const rules = await api.rules(usual);
    ensure(here);
    const explorer = new Explorer(lines, rules);
    explorer.remark(t("No rules are called “{name}”. These are {title}'s.", { name, title: translate(explorer.rules.title) }));
    return explorer.screen();
  }
}

class Explorer {
  /**
   * @param {import("./types.js").RulesLine[]} lines
   * @param {Rules} rules
   * @param {string} [position]
   */
  constructor(lines, rules, position) {
    this.lines = lines;
    this.rules = rules;
    /** What was wrong with the position that was asked for. */
    this.wrong = h("p", { class: "card wrong", role: "alert", hidden: true });
    this.setup = this.read(position || rules.start);
    /** What a click on the board does. @type {Tool} */
    this.tool = "move";
    const near = lastNearSide();
    this.board = new Board(rules, { orientation: orientation(), near });
    this.board.onplace = (place) => this.put(place);
    this.board.onmove = (option) => this.follow(option.after);
    this.board.onpoint = (option) => this.point(option);
    this.bar = new ChanceBar();
    this.text = h("input", { type: "text", class: "mono", dir: "ltr", spellcheck: "false", "aria-label": t("The position as text") });
    this.text.addEventListener("change", () => this.take(this.text.value));
    this.palette = h("div", { class: "palette", role: "group", "aria-label": t("What a click does") });
    this.counts = h("div", { class: "counts" });
    this.rolls = h("div", { class: "chips", role: "group", "aria-label": t("Roll") });
    this.found = h("div", { class: "rolls" });
    /** The cube and the score of the values that are shown; empty for the game alone. */
    this.stakes = { cube: "", match: "" };
    this.table = tableState(rules.name, () => this.ask());
    this.turned = () => this.board.turn({ orientation: orientation(), near });
    /** Ends what goes on in a part of the screen. */
    this.closing = new AbortController();
  }

  screen() {
    addEventListener("resize", this.turned);
    changes.addEventListener("change", this.turned);
    const { rules } = this;
    const { name } = rules;
    const base = name.split(":")[0];
    const chooser = select(t("Rules"), this.lines.map((line) => /** @type {[string, string]} */ ([line.name, translate(line.title)])), base, (chosen) => go("explorer", chosen));
    const pieces = h("input", { type: "number", min: 1, max: 15, value: this.rules.pieces, "aria-label": t("Pieces of each player") });
    pieces.addEventListener("change", () => { if (pieces.reportValidity() && pieces.value) go("explorer", `${base}:${pieces.value}`); });
    const asked = this.lines.some((line) => line.name === base && !line.preset);
    const element = h("div", { class: "study explorer" },
      h("div", {}, this.wrong, this.board.element, this.bar.element, this.table.element, h("section", { class: "card" }, this.found)),
      h("aside", { class: "side" },
        h("section", { class: "card" },
          h("h1", {}, t("Explorer")),
          h("div", { class: "pair" }, field(t("Rules"), chooser), !asked && field(t("Pieces"), pieces)),
          this.palette, this.counts, this.rolls,
          field(t("Position"), this.text),
          this.cubeFields(),
          h("div", { class: "row" },
            button(t("Copy"), async () => note(await copy(this.text))),
            button(t("Share"), () => share({ rules, board: this.board, position: writePosition(this.setup) }), { class: "sharing" }),
            button(t("Start position"), () => this.go(readPosition(this.rules.start))),
            button(t("Play from here"), () => go("play", "new", name, writePosition(this.setup)), { class: "playing" }),
            button(t("Watch perfect play"), () => this.demonstrate(), { class: "playing" }))),
        this.drawer(t("Opening tree"), () => tree(this.rules)),
        this.drawer(t("How the values converge"), () => convergence(this.rules, this.closing.signal))));
    this.show();
    return {
      element,
      title: t("Explorer"),
      close: () => {
        removeEventListener("resize", this.turned);
        changes.removeEventListener("change", this.turned);
        this.table.close();
        this.closing.abort();
      },
      key: (/** @type {KeyboardEvent} */ event) => this.key(event),
      keys: KEYS,
      visit: (/** @type {string[]} */ [rules, position]) => {
        if (rules !== name || !position) return false;
        this.setup = this.read(position);
        this.show();
        return true;
      },
    };
  }

  /** A part that is made when it is first opened. @param {string} title @param {() => HTMLElement} make */
  drawer(title, make) {
    const details = h("details", { class: "card" }, h("summary", {}, title));
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(make()); });
    return details;
  }

  /** Reads a position that was asked for; says what is wrong with it, and takes the start position instead. @param {string} text @returns {Setup} */
  read(text) {
    this.remark("");
    try {
      return this.checked(text);
    } catch (error) {
      this.remark(t("{why} The board shows the start position.", { why: wordsOf(error) }));
      return readPosition(this.rules.start);
    }
  }

  /** Reads a position; throws if it cannot be drawn. @param {string} text */
  checked(text) {
    standing(this.rules, text);
    const setup = readPosition(text);
    const rolls = this.rules.rolls.map(({ roll }) => roll);
    if (setup.roll !== null && !rolls.includes(setup.roll)) {
      throw new Error(t("“{text}” has a roll of {roll}. The dice show {rolls}.", { text, roll: setup.roll, rolls: rolls.join(t(", ")) }));
    }
    return setup;
  }

  /** Says what is wrong above the board. @param {string} text */
  remark(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = text === "";
  }

  /** Goes to another position; the browser's history leads back. @param {Setup} setup */
  go(setup) {
    go("explorer", this.rules.name, writePosition(setup));
  }

  show() {
    const { setup, rules } = this;
    const text = writePosition(setup);
    this.text.value = text;
    this.board.show(standing(rules, text));
    this.board.choose([], setup.turn);
    this.board.mark([]);
    this.renderTools();
    settle("explorer", rules.name, text);
    this.ask();
  }

  /** Where a cube and the score of a match are set. */
  cubeFields() {
    const values = [2, 4, 8, 16, 32, 64].flatMap((value) => PLAYERS.map((player) => /** @type {[string, string]} */ ([`${value}:${player}`, t("{value}, {player} owns it", { value, player: t(capital(player)) })])));
    const cube = select(t("Doubling cube"), [["", t("no cube")], ["1", t("1, in the middle")], ...values], "", (chosen) => this.play({ ...this.stakes, cube: chosen }));
    const score = h("input", { type: "text", dir: "ltr", spellcheck: "false", placeholder: "3-5", class: "score", title: t("The points that light and dark need, as in {example}", { example: "3-5, 1-4:crawford" }) });
    score.addEventListener("change", () => this.play({ ...this.stakes, match: score.value.trim() }));
    return h("div", { class: "pair cubefields" }, field(t("Doubling cube"), cube), field(t("Score of the match"), score));
  }

  /** Asks anew, for other stakes. @param {{ cube: string, match: string }} stakes */
  play(stakes) {
    this.stakes = stakes;
    this.ask();
  }

  /** Returns a test of whether an answer comes too late: for another position, for other stakes, or after the screen was left. */
  staleness() {
    const asked = () => JSON.stringify([writePosition(this.setup), this.stakes]);
    const then = asked();
    return () => this.closing.signal.aborted || then !== asked();
  }

  /** Shows what a position is worth with the cube. @param {string} text */
  async askWithCube(text) {
    const isStale = this.staleness();
    try {
      const answer = await api.cube(this.rules.name, text, this.stakes);
      if (isStale()) return;
      const { stakes, worth } = answer;
      const name = (/** @type {Player} */ player) => t(capital(player));
      const values = { player: name(this.setup.turn) };
      this.board.show(answer);
      this.bar.show(stakes.score ? (this.setup.turn === "light" ? worth : 1 - worth) : null);
      const meaning = stakes.score ? t("{player} wins the match, before the roll", values) : t("points {player} wins on average, before the roll", values);
      refill(this.found, h("p", { class: "worth" }, h("span", { class: "big" }, worthText(stakes, worth)), ` ${meaning}`),
        h("p", { class: "hint" }, stakesWords(stakes, name)), choiceTable(answer, stakes, this.setup.turn, name),
        ...answer.rolls.map((roll) => this.roll(roll, stakes)));
      say(this.found.querySelector(".choice p")?.textContent ?? "");
      if (this.setup.roll !== null) this.board.choose(answer.rolls[0].moves.map((move) => this.option(move)), this.setup.turn);
    } catch (error) {
      if (isStale()) return;
      this.bar.show(null);
      fill(this.found, h("p", { class: "worth wrong" }, wordsOf(error)));
    }
  }

  async ask() {
    const text = writePosition(this.setup);
    if (this.stakes.cube || this.stakes.match) return this.askWithCube(text);
    const isStale = this.staleness();
    if (!this.found.hasChildNodes()) fill(this.found, h("p", { class: "hint" }, "…"));
    try {
      const answer = await api.position(this.rules.name, text);
      if (isStale()) return;
      this.board.show(answer);
      this.bar.show(lightChance(answer));
      const player = t(capital(this.setup.turn));
      say(t("{player} wins {chance} before the roll.", { player, chance: percent(answer.value) }));
      // A small game is solved when it is first asked about.
      if (this.table.element.hasChildNodes()) this.table.look();
      refill(this.found, h("p", { class: "worth" }, h("span", { class: "big" }, percent(answer.value, 2)), ` ${t("{player} wins, before the roll", { player })}`),
        answer.caveat && h("p", { class: "hint caveat" }, translate(answer.caveat)),
        ...answer.rolls.map((roll) => this.roll(roll)));
      if (this.setup.roll !== null) this.board.choose(answer.rolls[0].moves.map((move) => this.option(move)), this.setup.turn);
    } catch (error) {
      if (isStale()) return;
      this.bar.show(null);
      this.renderFailure(error);
    }
  }

  /** Says why there are no values; an impossible position gets a way on. @param {unknown} error */
  renderFailure(error) {
    const illegal = error instanceof ApiError && error.status === 400;
    fill(this.found, h("p", { class: "worth" }, illegal ? t("This position cannot occur: {why}.", { why: error.found }) : wordsOf(error)),
      illegal && h("p", { class: "row worth" }, button(t("To the start position"), () => this.go(readPosition(this.rules.start)))));
  }

  /** @param {JudgedMove} move @returns {import("./types.js").Option} */
  option(move) {
    return { ...move, ...ends(this.rules, this.setup.turn, move.move) };
  }

  /** @param {import("./types.js").RollAnswer} answer @param {import("./types.js").Stakes} [stakes] what values are worths at, with a cube */
  roll({ roll, chance, moves }, stakes) {
    const worth = (/** @type {number} */ value) => (stakes ? worthText(stakes, value) : percent(value, 2));
    const cost = (/** @type {number} */ lost) => (stakes ? costText(stakes, lost) : points(-lost));
    const best = moves[0].value;
    const items = moves.map((move) => {
      const option = this.option(move);
      return h("li", {}, h("button", {
        type: "button", class: move.best ? "best" : "", disabled: move.move === "pass" && move.after === null,
        "aria-label": t("{move}, wins {chance}", { move: moveWords(option), chance: worth(move.value) }),
        onclick: () => this.follow(move.after),
        onfocus: () => this.point(option), onblur: () => this.point(null),
        onpointerenter: () => this.point(option), onpointerleave: () => this.point(null),
      }, h("span", {}, moveText(option)), move.capture && h("em", {}, t("captures")), move.again && h("em", {}, t("rolls again")),
      h("b", {}, worth(move.value)), h("span", { class: "odds" }, move.best ? t("best") : cost(best - move.value))));
    });
    return h("section", {},
      h("h3", {}, t("Roll {roll}", { roll }), h("small", {}, t("{chance} of throws", { chance: percent(chance) }))),
      h("ul", { class: "moves" }, ...items));
  }

  /** @param {import("./types.js").Option | null} option */
  point(option) {
    const { turn } = this.setup;
    if (!option || option.move === "pass") return this.board.mark([]);
    const [from, to] = [origin(option, turn), target(option, turn)];
    this.board.mark([{ place: to, kind: option.capture ? "goal capture" : "goal" }], [{ from, to, kind: turn }]);
  }

  /** @param {string | null} after */
  follow(after) {
    if (after === null) {
      // A piece that was dragged home goes back to where it stands.
      this.show();
      return note(t("{player} wins.", { player: t(capital(this.setup.turn)) }));
    }
    this.go(readPosition(after));
  }

  renderTools() {
    /** @type {[Tool, string][]} */
    const tools = [["move", t("Move")], ["light", t("Place light")], ["dark", t("Place dark")], ["none", t("Remove")]];
    refill(this.palette, ...tools.map(([tool, text]) => button(text, () => { this.tool = tool; this.renderTools(); }, { class: "chip", "aria-pressed": String(tool === this.tool) })),
      button(t("{player} to roll", { player: t(capital(this.setup.turn)) }), () => this.go({ ...this.setup, turn: opponent(this.setup.turn), roll: null }), { class: "chip", title: t("Changes whose turn it is") }));
    this.board.element.classList.toggle("placing", this.tool !== "move");
    const pieces = standing(this.rules, writePosition(this.setup));
    const { goal } = this.rules;
    const counts = (/** @type {Player} */ player) => {
      const values = { home: pieces.home[player], goal, hand: pieces.hand[player] };
      return goal < this.rules.pieces ? t("home {home} of {goal}, hand {hand}", values) : t("home {home}, hand {hand}", values);
    };
    refill(this.counts, ...PLAYERS.map((player) => h("div", {},
      h("i", { class: `dot ${player}`, "aria-hidden": "true" }), h("span", { class: "grow" }, counts(player)),
      button("−", () => this.bringHome(player, -1), { "aria-label": t("One {player} piece fewer home", { player: t(player) }), disabled: pieces.home[player] === 0 }),
      button("+", () => this.bringHome(player, 1), { "aria-label": t("One {player} piece more home", { player: t(player) }), disabled: pieces.hand[player] === 0 || pieces.home[player] >= goal }))));
    const chip = (/** @type {number | null} */ roll, /** @type {string} */ text) =>
      button(text, () => this.go({ ...this.setup, roll }), { class: "chip", "aria-pressed": String(this.setup.roll === roll) });
    refill(this.rolls, chip(null, t("every roll")), ...this.rules.rolls.map(({ roll }) => chip(roll, String(roll))));
  }

  /** @param {Player} player @param {1 | -1} step */
  bringHome(player, step) {
    this.go({ ...this.setup, [player]: { ...this.setup[player], home: this.setup[player].home + step } });
  }

  /** Puts a piece on a tile, or takes away the pieces on it. @param {string} place */
  put(place) {
    if (this.tool === "move" || place.includes(":")) return;
    const tile = this.rules.board.tiles.find((known) => known.tile === place);
    if (!tile) return;
    const player = this.tool === "none" ? null : this.tool;
    const before = player && this.setup[player].squares.find((square) => tile[player].includes(square));
    const cleared = PLAYERS.reduce((setup, side) => ({ ...setup, [side]: { ...setup[side], squares: setup[side].squares.filter((square) => !tile[side].includes(square)) } }), this.setup);
    cleared.stacks = cleared.stacks.filter((stack) => stack.tile !== place);
    if (!player) return this.go(cleared);
    // On a tile that the path crosses twice, each click takes the next of its squares, and the last one clears it.
    const square = tile[player][before ? tile[player].indexOf(before) + 1 : 0];
    if (square === undefined) {
      const words = t("{place} is not on {player}'s path.", { place, player: t(player) });
      if (!before) say(words);
      return before ? this.go(cleared) : note(words);
    }
    this.take(writePosition({ ...cleared, [player]: { ...cleared[player], squares: [...cleared[player].squares, square] } }));
  }

  /** Goes to a position if it can be drawn; else says what is wrong with it, and stays. @param {string} text */
  take(text) {
    try {
      this.go(this.checked(text));
    } catch (error) {
      complain(error);
    }
  }

  /** Lets perfect play go on from here. */
  async demonstrate() {
    const here = whileHere();
    try {
      /** @type {import("./types.js").Seat} */
      const perfect = { kind: "agent", spec: "perfect" };
      const game = await api.newGame({ rules: this.rules.name, light: perfect, dark: perfect, start: writePosition(this.setup) });
      if (here()) go("play", String(game.id));
    } catch (error) {
      complain(error);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const roll = this.rules.rolls.find((known) => String(known.roll) === event.key);
    if (roll) this.go({ ...this.setup, roll: roll.roll });
    else if (event.key === "ArrowLeft") history.back();
    else if (event.key === "Escape") this.go({ ...this.setup, roll: null });
    else return;
    event.preventDefault();
  }
}

