/** The archive: every game that was played here, to be searched, gone on with, reviewed, exported and deleted. */

import { api } from "./api.js";
import { ask, sure } from "./asking.js";
import { button, fill, h, refill, save, select } from "./dom.js";
import { complain, note } from "./live.js";
import { capital, personName } from "./notation.js";
import { progressChart } from "./progress.js";
import { address } from "./router.js";
import { settings } from "./settings.js";
import { language, t, translate } from "./texts.js";
import { transport } from "./transport.js";

/** @typedef {import("./types.js").GameLine} GameLine */

const NOTATIONS = ["urg", "rgn", "json", "ur"];

export async function open() {
  const [lines, server] = await Promise.all([api.ruleSets(), api.server().catch(() => null)]);
  const archive = new Archive(lines, server?.keeps !== false);
  await archive.search();
  return { element: archive.element, title: t("Games") };
}

/** When a game began. @param {number} started */
function timeWords(started) {
  const locale = language === "en" ? undefined : language;
  return new Date(started * 1000).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short", ...(locale && { numberingSystem: "latn" }) });
}

/** How a game ended. @param {GameLine} game */
function resultWords({ winner, ending }) {
  if (!winner) return ending ? t(ending) : t("goes on");
  const player = t(capital(winner));
  return ending && ending !== "won" ? t("{player} won, {ending}", { player, ending: ending === "passed" ? t("a double was passed") : t(ending) }) : t("{player} won", { player });
}

class Archive {
  /** @param {import("./types.js").RulesLine[]} lines @param {boolean} keeps Whether games outlive the server. */
  constructor(lines, keeps) {
    /** @type {Record<string, string>} */
    this.wanted = {};
    /** @type {GameLine[]} */
    this.games = [];
    this.total = 0;
    /** The number of requests so far, for games and for progress: only the last one's answer is shown. */
    this.asked = { games: 0, progress: 0 };
    this.body = h("tbody", {});
    this.count = h("p", { class: "hint", role: "status" });
    this.more = button(t("Older games"), () => this.search(true));
    this.chart = h("div", {});
    const text = h("input", { type: "search", placeholder: t("A name, a program, rules"), "aria-label": t("Search") });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let later;
    text.addEventListener("input", () => {
      clearTimeout(later);
      later = setTimeout(() => this.want("search", text.value.trim()), 250);
    });
    const rules = select(t("Rules"), [["", t("all rules")], ...lines.map((line) => /** @type {[string, string]} */ ([line.name, translate(line.title)]))], "", (name) => this.want("rules", name));
    const player = h("input", { type: "text", value: settings.name, placeholder: t("A player's name"), "aria-label": t("Whose progress") });
    player.addEventListener("change", () => this.progress(player.value.trim()));
    this.element = h("div", { class: "games" },
      h("h1", {}, t("Games")),
      !keeps && h("p", { class: "hint" }, transport.alone ? t("This browser keeps nothing: games are gone when the page is closed.") : t("Nothing is kept here: new games are gone when the server ends.")),
      h("section", { class: "card" },
        h("div", { class: "filters" }, text, rules),
        this.count,
        h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Games") }, h("table", {},
          h("thead", {}, h("tr", {}, ...[t("Played"), t("Light"), t("Dark"), t("Rules"), t("Plies"), t("Result"), ""].map((name) => h("th", { scope: "col" }, name)))),
          this.body)),
        this.more, transport.alone && this.backup(keeps)),
      h("section", { class: "card" }, h("h2", {}, t("Progress")), player, this.chart));
    if (settings.name) this.progress(settings.name);
    else fill(this.chart, h("p", { class: "hint" }, t("Name a player to see accuracy and results over time.")));
  }

  /** @param {string} key @param {string} value */
  want(key, value) {
    this.wanted[key] = value;
    this.search();
  }

  /** @param {boolean} [onward] */
  async search(onward = false) {
    const number = ++this.asked.games;
    try {
      const after = onward ? String(this.games[this.games.length - 1]?.id ?? "") : null;
      const { total, games } = await api.games({ ...this.wanted, after });
      if (number !== this.asked.games) return;
      this.games = onward ? [...this.games, ...games] : games;
      this.total = total;
      this.render();
    } catch (error) {
      complain(error);
    }
  }

  render() {
    this.count.textContent = this.total === 1 ? t("1 game") : t("{count} games", { count: this.total });
    this.more.hidden = this.games.length >= this.total;
    refill(this.body, ...this.games.map((game) => this.line(game)));
  }

  /** @param {GameLine} game */
  line(game) {
    const id = String(game.id);
    const over = game.ending !== null || game.winner !== null;
    const named = (/** @type {"light" | "dark"} */ player) => (game.winner === player ? h("b", {}, personName(game[player])) : personName(game[player]));
    return h("tr", {},
      h("td", {}, timeWords(game.started)),
      h("td", { "data-after": t("against") }, named("light")), h("td", {}, named("dark")), h("td", {}, game.rules), h("td", { class: "number", "data-after": t("plies") }, game.plies), h("td", {}, resultWords(game)),
      h("td", {}, h("div", { class: "row" },
        h("a", { class: "button", href: address("play", id) }, over ? t("Show") : t("Go on")),
        h("a", { class: "button", href: address("review", id) }, t("Review")),
        button(t("Export"), () => this.export(game), { class: "export", "aria-label": t("Export game {id}", { id }) }),
        button(t("Delete"), () => this.drop(game), { class: "danger mine", "aria-label": t("Delete game {id}", { id }) }))));
  }

  /** @param {GameLine} game */
  async export({ id }) {
    const answers = NOTATIONS.map((name) => /** @type {[string, string]} */ ([name, `.${name}`]));
    const notation = await ask(t("Export game {id}", { id }), [], { answers, none: t("Close") });
    if (!notation) return;
    try {
      const { text, lost } = await api.record(id, notation);
      save(`game-${id}.${notation}`, text, notation === "json" ? "application/json" : "text/plain");
      if (lost.length > 0) note(t("The file does not hold: {lost}.", { lost: lost.map(translate).join("; ") }));
    } catch (error) {
      complain(error);
    }
  }

  /** Saves all games and rules as one file, and restores them: without a server they are in this browser alone. @param {boolean} keeps */
  backup(keeps) {
    const file = h("input", { type: "file", accept: ".json,application/json", hidden: true, "aria-label": t("A file of games") });
    file.addEventListener("change", async () => {
      try {
        const { games, rules, taken } = await api.restore(await file.files?.[0]?.text() ?? "");
        note(t("Games added: {games}, rule files: {rules}.", { games, rules }));
        if (taken) note(t("Not added, since other rules have the name: {names}.", { names: taken.join(", ") }), "wrong");
        await this.search();
      } catch (error) {
        complain(error);
      } finally {
        file.value = "";
      }
    });
    const all = async () => {
      try {
        save("puabi-games.json", await api.archive(), "application/json");
      } catch (error) {
        complain(error);
      }
    };
    return h("p", { class: "row" }, button(t("Export all"), all, { class: "exportall" }), button(t("Import"), () => file.click()), file,
      keeps && h("span", { class: "hint" }, t("The games are kept in this browser only.")));
  }

  /** @param {GameLine} game */
  async drop(game) {
    const title = t("Delete the game of {light} against {dark}?", { light: personName(game.light), dark: personName(game.dark) });
    if (!await sure(title, t("It cannot be brought back."), { yes: t("Delete"), no: t("Keep it") })) return;
    try {
      await api.dropGame(game.id);
      this.games = this.games.filter((kept) => kept !== game);
      this.total -= 1;
      this.render();
      note(t("Deleted."));
    } catch (error) {
      complain(error);
    }
  }

  /** @param {string} player */
  async progress(player) {
    const number = ++this.asked.progress;
    if (!player) return fill(this.chart);
    try {
      const progress = await api.progress(player);
      if (number === this.asked.progress) fill(this.chart, progressChart(progress));
    } catch (error) {
      complain(error);
    }
  }
}
