/** The screen of reviews: a game of the archive, or one that is dropped or pasted in, ply by ply. */

import { api } from "./api.js";
import { Board } from "./board.js";
import { ChanceBar } from "./chances.js";
import { button, field, fill, h, save, select } from "./dom.js";
import { Graph, chances } from "./graph.js";
import { Guessing } from "./guess.js";
import { origin, target } from "./layout.js";
import { complain, say } from "./live.js";
import { MoveList } from "./movelist.js";
import { PLAYERS, capital, ends, moveText, percent, personName, points } from "./notation.js";
import { address, ensure, gameNumber, go, settle, whileHere } from "./router.js";
import { changes, orientation, settings } from "./settings.js";
import { share } from "./share.js";
import { nearSide, onlyOf } from "./side.js";
import { decimal, t, translate } from "./texts.js";
import { transport } from "./transport.js";

/** @type {import("./router.js").Keys} */
const KEYS = [["← →", t("the ply before, the next one")], [t("Home, End"), t("the first, the last")], ["n, p", t("the next slip, the one before")], ["g", t("guesses the moves, or no longer")], [t("1 to 9"), t("guesses the move with this number")]];

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").PlyReview} PlyReview */
/** @typedef {import("./types.js").Reviewed} Reviewed */
/** @typedef {import("./types.js").Rules} Rules */

/** What is wrong about a choice with the cube, in words. @type {Record<string, string>} */
const KINDS = { "missed-double": t("missed double"), "wrong-double": t("wrong double"), "wrong-take": t("wrong take"), "wrong-pass": t("wrong pass") };

/** The review of a text that was dropped in; it is not in the archive. @type {Reviewed | null} */
let dropped = null;

/** @param {string[]} words the game, or `text`, and a ply */
export async function open([id, ply]) {
  if (!id) return intake();
  if (id === "text" && !dropped) return intake();
  const here = whileHere();
  const [reviewed, rules, near] = id === "text" && dropped ? await ofText(dropped) : await archived(gameNumber(id));
  ensure(here);
  return new ReviewScreen(reviewed, rules, { id, at: Number.parseInt(ply, 10) || 0, near }).screen();
}

/** Opens the review of a game that a link has carried, under that link's code. @param {string} text @param {string} code */
export async function openText(text, code) {
  dropped = await api.review({ text });
  const [reviewed, rules, near] = await ofText(dropped);
  return new ReviewScreen(reviewed, rules, { id: "text", at: 0, near, link: code }).screen();
}

/** The review of a text with its rules, and the side that is near. @param {Reviewed} reviewed @returns {Promise<[Reviewed, Rules, Player]>} */
const ofText = async (reviewed) => [reviewed, await api.rules(reviewed.review.rules), sideByName(reviewed)];

/** The same for a game of the archive. @param {number} id @returns {Promise<[Reviewed, Rules, Player]>} */
async function archived(id) {
  const [reviewed, rules, game, { mode }] = await Promise.all([api.gameReview(id), api.gameRules(id), api.game(id), api.server()]);
  return [reviewed, rules, nearSide(game, mode)];
}

/** The side that is near in a game from a file: that with the viewer's own name. @param {Reviewed} reviewed */
function sideByName({ review: { names } }) {
  return onlyOf(PLAYERS.filter((player) => settings.name && names[player] === settings.name));
}

/** A rating with its interval. The scale ends at its lowest rating: a player there may be weaker. @param {import("./types.js").Estimate} rating */
function ratingText({ value, low, high }) {
  if (value <= low) return t("{value} (up to {high})", { value: Math.ceil(value), high: high.toFixed(0) });
  return t("{value} ({low} to {high})", { value: value.toFixed(0), low: low.toFixed(0), high: high.toFixed(0) });
}

/** Where a game is dropped, chosen or pasted. */
async function intake() {
  const text = h("textarea", { rows: 9, dir: "ltr", spellcheck: "false", placeholder: "format: urg 1\nrules: finkel\n\nL 4 0-4 …" });
  const file = h("input", { type: "file", "aria-label": t("The record of a game"), accept: ".urg,.rgn,.json,.ur,text/plain" });
  const lines = await api.ruleSets();
  let rules = "";
  const chooser = select(t("Rules, if the file names none"), [["", t("as the file says")], ...lines.map((line) => /** @type {[string, string]} */ ([line.name, translate(line.title)]))],
    "", (value) => { rules = value; });
  const read = async (/** @type {string} */ found) => {
    const here = whileHere();
    try {
      const read = await api.review({ text: found, ...(rules && { rules }) });
      if (!here()) return;
      dropped = read;
      if (location.hash.startsWith("#/review/text")) dispatchEvent(new HashChangeEvent("hashchange"));
      go("review", "text");
    } catch (error) {
      complain(error);
    }
  };
  const take = async (/** @type {FileList | null | undefined} */ files) => { if (files?.[0]) read(await files[0].text()); };
  file.addEventListener("change", () => take(file.files));
  const drop = h("div", { class: "drop" }, h("p", {}, t("Drop the record of a game here, or choose a file.")), file);
  const over = (/** @type {boolean} */ is) => (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    drop.classList.toggle("over", is);
  };
  drop.addEventListener("dragover", over(true));
  drop.addEventListener("dragleave", over(false));
  drop.addEventListener("drop", (event) => {
    over(false)(event);
    take(event.dataTransfer?.files);
  });
  const [before, after] = t("How lucky each roll was, and what each move gave away. Games of Puabi (.urg), RoyalUr (.rgn, .json) and Heled's logs (.ur) can be read; they stay on this machine. Games played here are under {games}.").split("{games}");
  const element = h("section", { class: "card intake" },
    h("h1", {}, t("Review a game")),
    h("p", {}, before, h("a", { href: "#/games" }, t("Games")), after),
    drop, field(t("Or paste it"), text), field(t("Rules, if the file names none"), chooser),
    h("p", { class: "row end" }, button(t("Review"), () => read(text.value), { class: "primary" })));
  return { element, title: t("Review") };
}

class ReviewScreen {
  /**
   * @param {Reviewed} reviewed
   * @param {Rules} rules
   * @param {{ id: string, at: number, near: Player, link?: string }} view
   */
  constructor(reviewed, rules, { id, at, near, link }) {
    this.reviewed = reviewed;
    this.review = reviewed.review;
    this.rules = rules;
    this.id = id;
    /** The code of the link that the game came by. */
    this.link = link;
    /** Plies that have been played on the board that is shown. */
    this.at = Math.max(0, Math.min(at, this.review.plies.length));
    this.values = chances(this.review);
    this.board = new Board(rules, { orientation: orientation(), near });
    this.bar = new ChanceBar();
    this.graph = new Graph(this.review, (ply) => this.show(ply));
    this.element = h("div", { class: "study review" });
    this.told = h("section", { class: "card told" });
    this.guessing = new Guessing(rules);
    this.guessButton = button(t("Guess"), () => this.guess(!this.guessing.isOn), { "aria-pressed": "false", "aria-label": t("Guess the moves"), title: t("Guess the moves"), "aria-keyshortcuts": "g" });
    this.score = h("p", { class: "score", role: "status", hidden: true });
    this.choices = new MoveList({ onmove: (option) => this.name(option), onpoint: (option) => this.point(option) });
    this.board.onmove = (option) => this.name(option);
    this.board.onpoint = (option) => this.point(option);
    this.place = h("span", { class: "hint" });
    this.turned = () => this.board.turn({ orientation: orientation(), near });
  }

  screen() {
    addEventListener("resize", this.turned);
    changes.addEventListener("change", this.turned);
    const { turning_points: turns } = this.review;
    fill(this.element,
      h("div", {}, this.board.element, this.steps(), this.bar.element, this.score, this.told),
      h("aside", { class: "side" },
        h("section", { class: "card" }, h("h1", {}, this.title()), h("p", { class: "hint judged" }, this.outcome()), this.caveat(),
          h("div", { class: "judged" }, this.graph.element)),
        turns.length > 0 && h("section", { class: "card judged" }, h("h2", {}, t("Key moments")), this.keyMoments(turns)),
        h("section", { class: "card judged" }, h("h2", {}, t("Luck and skill")), this.totals(), this.cube()),
        this.reviewed.remarks.length > 0 && h("section", { class: "card" }, h("h2", {}, t("About the file")), h("ul", {}, ...this.reviewed.remarks.map((remark) => h("li", {}, translate(remark))))),
        this.files()));
    this.show(this.at);
    return {
      element: this.element,
      title: this.title(),
      close: () => {
        removeEventListener("resize", this.turned);
        changes.removeEventListener("change", this.turned);
      },
      key: (/** @type {KeyboardEvent} */ event) => this.key(event),
      keys: KEYS,
    };
  }

  /** @param {import("./types.js").Player} player */
  playerName(player) {
    return personName(this.review.names[player] ?? capital(player));
  }

  /** The head of a player's column; a long name is cut short there. @param {import("./types.js").Player} player */
  column(player) {
    const name = this.playerName(player);
    return h("th", { scope: "col", class: "player", title: name }, name);
  }

  title() {
    return t("{light} against {dark}", { light: this.playerName("light"), dark: this.playerName("dark") });
  }

  outcome() {
    const { winner, drawn, plies, result, rules } = this.review;
    const values = { rules: translate(this.rules.title || rules), count: plies.length };
    const isOne = plies.length === 1;
    if (drawn) return isOne ? t("{rules}. Drawn after 1 ply.", values) : t("{rules}. Drawn after {count} plies.", values);
    if (winner) {
      const won = { ...values, player: this.playerName(winner) };
      return isOne ? t("{rules}. {player} won after 1 ply.", won) : t("{rules}. {player} won after {count} plies.", won);
    }
    const stands = { ...values, chance: percent(result) };
    return isOne ? t("{rules}. 1 ply, light's chance is {chance}.", stands) : t("{rules}. {count} plies, light's chance is {chance}.", stands);
  }

  /** What is to be said if no table of a solved game judges. */
  caveat() {
    const { judge } = this.review;
    return judge !== "table" && h("p", { class: "hint" }, judge === "pocket"
      ? t("This game is not solved here: a small near-perfect player judges, and all chances are estimates.")
      : transport.alone ? t("This game is not solved in this browser: a search ({judge}) judges, and all chances are estimates.", { judge })
      : t("The game is too large to be solved here: a search ({judge}) judges, and all chances are estimates.", { judge }));
  }

  steps() {
    const { plies } = this.review;
    return h("div", { class: "steps", role: "group", "aria-label": t("Steps") },
      button("«", () => this.show(0), { "aria-label": t("First ply") }),
      button("‹", () => this.show(this.at - 1), { "aria-label": t("Back") }),
      button("›", () => this.show(this.at + 1), { "aria-label": t("Next") }),
      button("»", () => this.show(plies.length), { "aria-label": t("Last ply") }),
      this.place,
      button(t("Next slip"), () => this.slip(1), { class: "judged" }),
      this.guessButton);
  }

  /** Shows the ply of this number about to be played, or the end. @param {number} ply */
  show(ply) {
    const { plies } = this.review;
    this.at = Math.max(0, Math.min(ply, plies.length));
    const next = plies[this.at];
    const asks = this.guessing.asks(next);
    const options = asks ? this.guessing.options(next) : [];
    this.board.show(this.reviewed.frames[this.at]);
    this.board.choose(options, next?.player ?? "light");
    this.choices.show(options, []);
    this.bar.show(asks ? null : this.values[this.at]);
    this.graph.point(this.at);
    this.place.textContent = t("{at} of {count}", { at: this.at, count: plies.length });
    this.point(null);
    fill(this.told, ...(asks ? this.ask(next) : next ? this.tell(next) : [h("h2", {}, t("The end")), h("p", {}, this.outcome())]));
    this.score.textContent = this.guessing.score();
    say(`${t("Ply {at} of {count}.", { at: this.at, count: plies.length })} ${this.told.querySelector("h2")?.textContent}. ${this.told.querySelector(".class")?.textContent ?? ""}`);
    if (!this.link) settle("review", this.id, ...(this.at ? [String(this.at)] : []));
  }

  /** Begins to guess the moves, or ends it. @param {boolean} isOn */
  guess(isOn) {
    this.guessing.isOn = isOn;
    this.element.classList.toggle("guessing", isOn);
    this.guessButton.setAttribute("aria-pressed", String(isOn));
    this.score.hidden = !isOn;
    this.show(this.at);
  }

  /** Takes the move that was named for the ply that is shown. @param {import("./types.js").Option} option */
  name(option) {
    const ply = this.review.plies[this.at];
    if (!this.guessing.asks(ply)) return;
    this.guessing.name(ply, option.move);
    this.show(this.at);
  }

  /** Shows a move on the board, or what the review has to show. @param {import("./types.js").Option | null} option */
  point(option) {
    const next = this.review.plies[this.at];
    this.choices.point(option);
    if (!option || !next) return this.board.mark(this.lastMarks(), next && !this.guessing.asks(next) ? this.arrows(next) : []);
    const [from, to] = [origin(option, next.player), target(option, next.player)];
    this.board.mark([{ place: to, kind: option.capture ? "goal capture" : "goal" }], [{ from, to, kind: next.player }]);
  }

  /** Asks for the move of a ply. @param {PlyReview} ply */
  ask({ number, player, roll }) {
    return [
      h("h2", {}, h("i", { class: `dot ${player}`, "aria-hidden": "true" }), ` ${t("{number}. {name} rolls {roll}: which move?", { number, name: this.playerName(player), roll })}`),
      this.choices.element,
    ];
  }

  lastMarks() {
    const last = this.review.plies[this.at - 1];
    if (!last || last.move === "pass") return [];
    const way = ends(this.rules, last.player, last.move);
    return [way.from, way.to].flatMap((place) => (place ? [{ place: place.tile, kind: "last" }] : []));
  }

  /** The move played, and the best one if that is another. @param {PlyReview} ply */
  arrows(ply) {
    const arrow = (/** @type {string} */ move, /** @type {string} */ kind) => {
      const way = ends(this.rules, ply.player, move);
      return move === "pass" ? [] : [{ from: origin(way, ply.player), to: target(way, ply.player), kind }];
    };
    return [...arrow(ply.move, ply.player), ...(ply.best === ply.move ? [] : arrow(ply.best, "best"))];
  }

  /** @param {PlyReview} ply */
  tell(ply) {
    const words = (/** @type {string} */ move) => moveText({ move, ...ends(this.rules, ply.player, move) });
    const rows = ply.moves.map((option) => h("tr", { class: option.move === ply.move ? "played" : "" },
      h("td", {}, words(option.move), option.move === ply.move && h("b", {}, " ✓")),
      h("td", { class: "number" }, percent(option.value)), h("td", { class: "number" }, points(option.value - ply.best_value))));
    const name = this.playerName(ply.player);
    const luck = points(ply.luck);
    const judgement = ply.error > 0 ? t("Luck of the roll {luck} points, error {error} points.", { luck, error: points(-ply.error) }) : t("Luck of the roll {luck} points.", { luck });
    return [
      h("h2", {}, h("i", { class: `dot ${ply.player}`, "aria-hidden": "true" }), ` ${t("{number}. {name} rolls {roll}: {move}", { number: ply.number, name, roll: ply.roll, move: words(ply.move) })}`),
      this.guessing.verdict(ply),
      h("p", {}, h("span", { class: `class ${ply.class}` }, t(ply.class)), ` ${judgement}`),
      ply.reason && h("p", {}, t("Best was {best}. The move played {reason}.", { best: words(ply.best), reason: translate(ply.reason.sentence) })),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, t("Move")), h("th", { class: "number" }, t("Wins")), h("th", { class: "number" }, t("Points")))), h("tbody", {}, ...rows)),
    ];
  }

  /** @param {number[]} turns */
  keyMoments(turns) {
    return h("ul", { class: "keys" }, ...turns.map((number) => {
      const ply = this.review.plies[number - 1];
      const swing = this.values[number] - this.values[number - 1];
      const slip = ply.error > 0 && ply.class !== "best";
      return h("li", {}, h("button", { type: "button", onclick: () => this.show(number - 1) },
        t("{number}. {name} rolls {roll}", { number, name: this.playerName(ply.player), roll: ply.roll }), h("b", {}, `${t("light")} ${points(swing)}`),
        slip && h("span", { class: `class ${ply.class}` }, t(ply.class))));
    }));
  }

  totals() {
    const { totals } = this.review;
    const isRated = PLAYERS.some((player) => totals[player].rating);
    /** @type {[string, (sum: import("./types.js").Totals) => string]} */
    const rated = [t("Rating"), ({ rating }) => (rating ? ratingText(rating) : "–")];
    /** @type {[string, (sum: import("./types.js").Totals) => string][]} */
    const lines = [
      [t("Accuracy"), (sum) => (sum.accuracy === null ? "–" : `${decimal(sum.accuracy, 1)} %`)],
      ...(isRated ? [rated] : []),
      [t("Luck, points"), (sum) => points(sum.luck)],
      [t("Errors, points"), (sum) => points(-sum.error)],
      [t("Free choices"), (sum) => String(sum.decisions)],
      [t("Best moves"), (sum) => String(sum.classes.best)],
      [t("Good"), (sum) => String(sum.classes.good)],
      [t("Inaccuracies"), (sum) => String(sum.classes.inaccuracy)],
      [t("Mistakes"), (sum) => String(sum.classes.mistake)],
      [t("Blunders"), (sum) => String(sum.classes.blunder)],
    ];
    return h("table", { class: "totals" },
      h("thead", {}, h("tr", {}, h("th", {}, ""), ...PLAYERS.map((player) => this.column(player)))),
      h("tbody", {}, ...lines.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), ...PLAYERS.map((player) => h("td", {}, value(totals[player])))))));
  }

  /** What was given away with the cube: by doubling, by taking and by moving. */
  cube() {
    const { cube } = this.reviewed;
    if (!cube) return null;
    const isMatch = cube.stakes.includes("match");
    const cost = (/** @type {number} */ it) => (isMatch ? decimal(it * 100, 2) : decimal(it, 4));
    /** @type {[string, (errors: import("./types.js").CubeErrors) => number][]} */
    const lines = [[t("Doubling"), ({ doubling }) => doubling], [t("Taking"), ({ taking }) => taking], [t("Moving"), ({ moving }) => moving]];
    const names = PLAYERS.map((player) => this.column(player));
    return h("div", { class: "cubereview" }, h("h3", {}, t("With the cube")),
      h("p", { class: "hint" }, isMatch ? t("What was given away, in percentage points of the chance to win the match.") : t("What was given away, in points.")),
      h("table", { class: "totals" }, h("thead", {}, h("tr", {}, h("th", {}, ""), ...names)),
        h("tbody", {}, ...lines.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), ...PLAYERS.map((player) => h("td", {}, cost(value(cube.totals[player])))))))),
      h("ul", { class: "keys" }, ...cube.errors.map(({ plies, player, kind, cost: lost }) => h("li", {}, h("button", { type: "button", onclick: () => this.show(plies) },
        `${plies + 1}. ${this.playerName(player)}: `, h("b", {}, KINDS[kind] ?? kind), ` ${cost(-lost)}`)))));
  }

  files() {
    const name = this.id === "text" ? "game" : `game-${this.id}`;
    const page = async () => {
      try {
        save(`${name}.html`, await api.reviewPage({ text: this.reviewed.record }), "text/html");
      } catch (error) {
        complain(error);
      }
    };
    return h("section", { class: "card row" },
      button(t("Download as one page"), page, { class: "primary" }),
      button(t("Record"), () => save(`${name}.urg`, this.reviewed.record, "text/plain")),
      button(t("Share"), () => share({ rules: this.rules, board: this.board, record: this.reviewed.record }), { class: "sharing" }),
      button(t("Explore this position"), () => go("explorer", this.rules.name, this.explored())),
      h("a", { class: "button", href: address("review") }, t("Another game")));
  }

  /** The position to explore: the one shown, or the one before if a player has brought the last piece home. */
  explored() {
    const isOver = (/** @type {number} */ at) => PLAYERS.some((player) => this.reviewed.frames[at].home[player] >= this.rules.goal);
    const at = this.at > 0 && isOver(this.at) ? this.at - 1 : this.at;
    return this.reviewed.frames[at].position ?? this.rules.start;
  }

  /** @param {1 | -1} step */
  slip(step) {
    if (this.guessing.isOn) return;
    const slips = this.review.plies.filter((ply) => ["inaccuracy", "mistake", "blunder"].includes(ply.class)).map((ply) => ply.number - 1);
    const next = step > 0 ? slips.find((at) => at > this.at) : slips.reverse().find((at) => at < this.at);
    if (next === undefined) say(t("No further slip."));
    else this.show(next);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.show(this.at - 1), ArrowRight: () => this.show(this.at + 1),
      Home: () => this.show(0), End: () => this.show(this.review.plies.length),
      n: () => this.slip(1), p: () => this.slip(-1), g: () => this.guess(!this.guessing.isOn),
    };
    if (/^[1-9]$/.test(event.key)) this.choices.play(Number(event.key));
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
