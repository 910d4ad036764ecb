/** The archive: every game that was played here, to be searched, gone on with, reviewed, exported and deleted. */

import { api } from "./api.js";
import { sure } from "./asking.js";
import { button, fill, h, select } from "./dom.js";
import { complain, note } from "./live.js";
import { capital } from "./notation.js";
import { progressChart } from "./progress.js";
import { address } from "./router.js";
import { settings } from "./settings.js";

/** @typedef {import("./types.js").GameLine} GameLine */

const NOTATIONS = ["urg", "rgn", "json", "ur"];

export async function open() {
  const archive = new Archive(await api.ruleSets());
  await archive.search();
  return { element: archive.element, title: "Games" };
}

class Archive {
  /** @param {import("./types.js").RulesLine[]} lines */
  constructor(lines) {
    /** @type {Record<string, string>} */
    this.wanted = {};
    /** @type {GameLine[]} */
    this.games = [];
    this.total = 0;
    this.body = h("tbody", {});
    this.count = h("p", { class: "hint", role: "status" });
    this.more = button("Older games", () => this.search(true));
    this.chart = h("div", {});
    const text = h("input", { type: "search", placeholder: "A name, a program, rules", "aria-label": "Search" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let later;
    text.addEventListener("input", () => {
      clearTimeout(later);
      later = setTimeout(() => this.want("search", text.value.trim()), 250);
    });
    const rules = select("Rules", [["", "all rules"], ...lines.map((line) => /** @type {[string, string]} */ ([line.name, line.title]))], "", (name) => this.want("rules", name));
    const player = h("input", { type: "text", value: settings.name, placeholder: "A player's name", "aria-label": "Whose progress" });
    player.addEventListener("change", () => this.progress(player.value.trim()));
    this.element = h("div", { class: "games" },
      h("h1", {}, "Games"),
      h("section", { class: "card" },
        h("div", { class: "filters" }, text, rules),
        this.count,
        h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Games" }, h("table", {},
          h("thead", {}, h("tr", {}, ...["Played", "Light", "Dark", "Rules", "Plies", "Result", ""].map((name) => h("th", { scope: "col" }, name)))),
          this.body)),
        this.more),
      h("section", { class: "card" }, h("h2", {}, "Progress"), player, this.chart));
    if (settings.name) this.progress(settings.name);
    else fill(this.chart, h("p", { class: "hint" }, "Name a player to see accuracy and results over time."));
  }

  /** @param {string} key @param {string} value */
  want(key, value) {
    this.wanted[key] = value;
    this.search();
  }

  /** @param {boolean} [onward] */
  async search(onward = false) {
    try {
      const after = onward ? String(this.games[this.games.length - 1]?.id ?? "") : null;
      const { total, games } = await api.games({ ...this.wanted, after });
      this.games = onward ? [...this.games, ...games] : games;
      this.total = total;
      this.render();
    } catch (error) {
      complain(error);
    }
  }

  render() {
    this.count.textContent = this.total === 1 ? "1 game" : `${this.total} games`;
    this.more.hidden = this.games.length >= this.total;
    fill(this.body, ...this.games.map((game) => this.line(game)));
  }

  /** @param {GameLine} game */
  line(game) {
    const id = String(game.id);
    const over = game.ending !== null || game.winner !== null;
    const won = (/** @type {string} */ player) => (game.winner === player ? h("b", {}, game[/** @type {"light" | "dark"} */ (player)]) : game[/** @type {"light" | "dark"} */ (player)]);
    const result = game.winner ? `${capital(game.winner)} won${game.ending && game.ending !== "won" ? `, ${game.ending}` : ""}` : game.ending ?? "goes on";
    const exported = select(`Export game ${id}`, [["", "Export"], ...NOTATIONS.map((name) => /** @type {[string, string]} */ ([name, `.${name}`]))], "", (notation) => {
      if (notation) h("a", { href: api.record(game.id, notation), download: `game-${id}.${notation}` }).click();
      exported.value = "";
    });
    return h("tr", {},
      h("td", {}, new Date(game.started * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })),
      h("td", {}, won("light")), h("td", {}, won("dark")), h("td", {}, game.rules), h("td", { class: "number" }, game.plies), h("td", {}, result),
      h("td", {}, h("div", { class: "row" },
        h("a", { class: "button", href: address("play", id) }, over ? "Show" : "Go on"),
        h("a", { class: "button", href: address("review", id) }, "Review"),
        exported,
        button("Delete", () => this.drop(game), { class: "danger mine", "aria-label": `Delete game ${id}` }))));
  }

  /** @param {GameLine} game */
  async drop(game) {
    const title = `Delete the game of ${game.light} against ${game.dark}?`;
    if (!await sure(title, "It cannot be brought back.", { yes: "Delete", no: "Keep it" })) return;
    try {
      await api.dropGame(game.id);
      this.games = this.games.filter((kept) => kept !== game);
      this.total -= 1;
      this.render();
      note("Deleted.");
    } catch (error) {
      complain(error);
    }
  }

  /** @param {string} player */
  async progress(player) {
    if (!player) return fill(this.chart);
    try {
      fill(this.chart, progressChart(await api.progress(player)));
    } catch (error) {
      complain(error);
    }
  }
}
