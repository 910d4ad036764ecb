/** The screen of reviews: a game of the archive, or one that is dropped or pasted in, ply by ply. */

import { api } from "./api.js";
import { Board } from "./board.js";
import { ChanceBar } from "./chances.js";
import { button, field, fill, h, save, select } from "./dom.js";
import { Graph, chances } from "./graph.js";
import { origin, target } from "./layout.js";
import { complain, say } from "./live.js";
import { PLAYERS, capital, ends, moveText, percent, points } from "./notation.js";
import { address, go, settle } from "./router.js";
import { changes, orientation } from "./settings.js";

/** @type {import("./router.js").Keys} */
const KEYS = [["← →", "the ply before, the next one"], ["Home, End", "the first, the last"], ["n, p", "the next slip, the one before"]];

/** @typedef {import("./types.js").PlyReview} PlyReview */
/** @typedef {import("./types.js").Reviewed} Reviewed */
/** @typedef {import("./types.js").Rules} Rules */

/** The review of a text that was dropped in; it is not in the archive. @type {Reviewed | null} */
let dropped = null;

/** @param {string[]} words the game, or `text`, and a ply */
export async function open([id, ply]) {
  if (!id) return intake();
  if (id === "text" && !dropped) return intake();
  const reviewed = id === "text" && dropped ? dropped : await api.gameReview(Number(id));
  const rules = await api.rules(reviewed.review.rules);
  return new ReviewScreen(reviewed, rules, id, Number(ply) || 0).screen();
}

/** Where a game is dropped, chosen or pasted. */
async function intake() {
  const text = h("textarea", { rows: 9, spellcheck: "false", placeholder: "format: urg 1\nrules: finkel\n\nL 4 0-4 …" });
  const file = h("input", { type: "file", "aria-label": "The record of a game", accept: ".urg,.rgn,.json,.ur,text/plain" });
  const lines = await api.ruleSets();
  let rules = "";
  const chooser = select("Rules of a file that names none", [["", "as the file says"], ...lines.map((line) => /** @type {[string, string]} */ ([line.name, line.title]))],
    "", (value) => { rules = value; });
  const read = async (/** @type {string} */ found) => {
    try {
      dropped = await api.review({ text: found, ...(rules && { rules }) });
      if (location.hash.startsWith("#/review/text")) dispatchEvent(new HashChangeEvent("hashchange"));
      go("review", "text");
    } catch (error) {
      complain(error);
    }
  };
  const take = async (/** @type {FileList | null | undefined} */ files) => { if (files?.[0]) read(await files[0].text()); };
  file.addEventListener("change", () => take(file.files));
  const drop = h("div", { class: "drop" }, h("p", {}, "Drop the record of a game here, or choose a file."), file);
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
  const element = h("section", { class: "card intake" },
    h("h1", {}, "Review a game"),
    h("p", {}, "Luck and errors of every ply, against the solved game. Games of Puabi (.urg), RoyalUr (.rgn, .json) and Heled's logs (.ur) can be read; they stay on this machine. Games played here are under ",
      h("a", { href: "#/games" }, "Games"), "."),
    drop, field("Or paste it", text), field("Rules of a file that names none", chooser),
    h("p", { class: "row end" }, button("Review", () => read(text.value), { class: "primary" })));
  return { element, title: "Review" };
}

class ReviewScreen {
  /**
   * @param {Reviewed} reviewed
   * @param {Rules} rules
   * @param {string} id
   * @param {number} at
   */
  constructor(reviewed, rules, id, at) {
    this.reviewed = reviewed;
    this.review = reviewed.review;
    this.rules = rules;
    this.id = id;
    /** Plies that have been played on the board that is shown. */
    this.at = Math.max(0, Math.min(at, this.review.plies.length));
    this.values = chances(this.review);
    this.board = new Board(rules, { orientation: orientation() });
    this.bar = new ChanceBar();
    this.graph = new Graph(this.review, (ply) => this.show(ply));
    this.told = h("section", { class: "card told" });
    this.place = h("span", { class: "hint" });
    this.turned = () => this.board.turn({ orientation: orientation(), near: "dark" });
  }

  screen() {
    addEventListener("resize", this.turned);
    changes.addEventListener("change", this.turned);
    const { turning_points: turns } = this.review;
    const element = h("div", { class: "study review" },
      h("div", {}, this.board.element, this.steps(), this.bar.element, this.told),
      h("aside", { class: "side" },
        h("section", { class: "card" }, h("h1", {}, this.title()), h("p", { class: "hint" }, this.outcome()), this.caveat(), this.graph.element),
        turns.length > 0 && h("section", { class: "card" }, h("h2", {}, "Key moments"), this.keyMoments(turns)),
        h("section", { class: "card" }, h("h2", {}, "Luck and skill"), this.totals()),
        this.reviewed.remarks.length > 0 && h("section", { class: "card" }, h("h2", {}, "About the file"), h("ul", {}, ...this.reviewed.remarks.map((remark) => h("li", {}, remark)))),
        this.files()));
    this.show(this.at);
    return {
      element,
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
  name(player) {
    return this.review.names[player] ?? capital(player);
  }

  title() {
    return PLAYERS.map((player) => this.name(player)).join(" against ");
  }

  outcome() {
    const { winner, plies, result, rules } = this.review;
    const end = winner ? `${this.name(winner)} won after ${plies.length} plies` : `${plies.length} plies, light stands at ${percent(result)}`;
    return `${this.rules.title || rules}. ${end}.`;
  }

  /** What is to be said where no solved game judges. */
  caveat() {
    const { judge } = this.review;
    return judge !== "table" && h("p", { class: "hint" }, `The game is too large to be solved here: a search (${judge}) judges, and all chances are estimates.`);
  }

  steps() {
    const { plies } = this.review;
    return h("div", { class: "steps", role: "group", "aria-label": "Steps" },
      button("«", () => this.show(0), { "aria-label": "First ply" }),
      button("‹", () => this.show(this.at - 1), { "aria-label": "Back" }),
      button("›", () => this.show(this.at + 1), { "aria-label": "On" }),
      button("»", () => this.show(plies.length), { "aria-label": "Last ply" }),
      button("Next slip", () => this.slip(1)),
      this.place);
  }

  /** Shows the ply of this number about to be played, or the end. @param {number} ply */
  show(ply) {
    const { plies } = this.review;
    this.at = Math.max(0, Math.min(ply, plies.length));
    const next = plies[this.at];
    this.board.show(this.reviewed.frames[this.at]);
    this.bar.show(this.values[this.at]);
    this.graph.point(this.at);
    this.place.textContent = `${this.at} of ${plies.length}`;
    this.board.mark(this.lastMarks(), next ? this.arrows(next) : []);
    fill(this.told, ...(next ? this.tell(next) : [h("h2", {}, "The end"), h("p", {}, this.outcome())]));
    say(`Ply ${this.at} of ${plies.length}. ${this.told.querySelector("h2")?.textContent}. ${this.told.querySelector(".class")?.textContent ?? ""}`);
    settle("review", this.id, ...(this.at ? [String(this.at)] : []));
  }

  lastMarks() {
    const last = this.review.plies[this.at - 1];
    if (!last || last.move === "pass") return [];
    const way = ends(this.rules, last.player, last.move);
    return [way.from, way.to].flatMap((place) => (place ? [{ place: place.tile, kind: "last" }] : []));
  }

  /** The move played, and the best one where that is another. @param {PlyReview} ply */
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
    const luck = `Luck of the roll ${points(ply.luck)} points`;
    return [
      h("h2", {}, h("i", { class: `dot ${ply.player}`, "aria-hidden": "true" }), ` ${ply.number}. ${this.name(ply.player)} rolls ${ply.roll}: ${words(ply.move)}`),
      h("p", {}, h("span", { class: `class ${ply.class}` }, ply.class), ` ${luck}${ply.error > 0 ? `, error ${(ply.error * 100).toFixed(1)}` : ""}.`),
      ply.reason && h("p", {}, `Best was ${words(ply.best)}. The move played ${ply.reason.sentence}.`),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Move"), h("th", { class: "number" }, "Wins"), h("th", { class: "number" }, "Points"))), h("tbody", {}, ...rows)),
    ];
  }

  /** @param {number[]} turns */
  keyMoments(turns) {
    return h("ul", { class: "keys" }, ...turns.map((number) => {
      const ply = this.review.plies[number - 1];
      const swing = this.values[number] - this.values[number - 1];
      const slip = ply.error > 0 && ply.class !== "best";
      return h("li", {}, h("button", { type: "button", onclick: () => this.show(number - 1) },
        `${number}. ${this.name(ply.player)} rolls ${ply.roll}`, h("b", {}, `light ${points(swing)}`),
        slip && h("span", { class: `class ${ply.class}` }, ply.class)));
    }));
  }

  totals() {
    const { totals } = this.review;
    /** @type {[string, (sum: import("./types.js").Totals) => string][]} */
    const lines = [
      ["Accuracy", (sum) => (sum.accuracy === null ? "–" : `${sum.accuracy.toFixed(1)} %`)],
      ["Luck, points", (sum) => points(sum.luck)],
      ["Errors, points", (sum) => (sum.error * 100).toFixed(1)],
      ["Free choices", (sum) => String(sum.decisions)],
      ["Best moves", (sum) => String(sum.classes.best)],
      ["Good", (sum) => String(sum.classes.good)],
      ["Inaccuracies", (sum) => String(sum.classes.inaccuracy)],
      ["Mistakes", (sum) => String(sum.classes.mistake)],
      ["Blunders", (sum) => String(sum.classes.blunder)],
    ];
    return h("table", { class: "totals" },
      h("thead", {}, h("tr", {}, h("th", {}, ""), ...PLAYERS.map((player) => h("th", { scope: "col" }, this.name(player))))),
      h("tbody", {}, ...lines.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), ...PLAYERS.map((player) => h("td", {}, value(totals[player])))))));
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
      button("Download as one page", page, { class: "primary" }),
      button("Record", () => save(`${name}.urg`, this.reviewed.record, "text/plain")),
      button("Explore this position", () => go("explorer", this.review.rules, this.reviewed.frames[this.at].position ?? this.rules.start)),
      h("a", { class: "button", href: address("review") }, "Another game"));
  }

  /** @param {1 | -1} step */
  slip(step) {
    const slips = this.review.plies.filter((ply) => ["inaccuracy", "mistake", "blunder"].includes(ply.class)).map((ply) => ply.number - 1);
    const next = step > 0 ? slips.find((at) => at > this.at) : slips.reverse().find((at) => at < this.at);
    if (next === undefined) say("No further slip.");
    else this.show(next);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.show(this.at - 1), ArrowRight: () => this.show(this.at + 1),
      Home: () => this.show(0), End: () => this.show(this.review.plies.length),
      n: () => this.slip(1), p: () => this.slip(-1),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
