/** What the player has set, kept by the browser, and the panel to set it. */

import { button, field, h, select } from "./dom.js";
import { restart } from "./guide.js";
import { LANGUAGES, chooseLanguage, chosenLanguage, t } from "./texts.js";

const KEY = "puabi.settings";

/** @typedef {{ theme: "system" | "light" | "dark", sound: boolean, animation: boolean, tutor: boolean, chances: boolean, heat: boolean, tiles: boolean, board: "auto" | "wide" | "tall", pace: number, name: string }} Settings */

/** @type {Settings} */
const DEFAULTS = {
  theme: "system", sound: true, animation: true, tutor: false, chances: true, heat: false, tiles: true, board: "auto", pace: 600, name: "",
};

/** @returns {Settings} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...found };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = kept();

/** Tells that a setting has changed. */
export const changes = new EventTarget();

/**
 * @template {keyof Settings} K
 * @param {K} key
 * @param {Settings[K]} value
 */
export function change(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  apply();
  changes.dispatchEvent(new Event("change"));
}

/** Brings what concerns the whole page into effect. */
export function apply() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.classList.toggle("still", !settings.animation);
  root.classList.toggle("bare", !settings.tiles);
}

/** Whether the board lies or stands. @returns {import("./layout.js").Orientation} */
export function orientation() {
  if (settings.board !== "auto") return settings.board;
  return innerWidth < 640 && innerHeight > innerWidth ? "tall" : "wide";
}

/** @param {"sound" | "animation" | "tutor" | "chances" | "heat" | "tiles"} key @param {string} text */
export function toggle(key, text) {
  const box = h("input", { type: "checkbox", checked: settings[key] });
  box.addEventListener("change", () => change(key, box.checked));
  return h("label", { class: "switch" }, box, h("span", {}, text));
}

/** Opens the panel. */
export function openSettings() {
  const theme = select(t("Colours"), [["system", t("as the system")], ["light", t("light")], ["dark", t("dark")]], settings.theme,
    (value) => change("theme", /** @type {Settings["theme"]} */ (value)));
  const board = select(t("Board"), [["auto", t("as the screen")], ["wide", t("lying")], ["tall", t("standing")]], settings.board,
    (value) => change("board", /** @type {Settings["board"]} */ (value)));
  const languages = LANGUAGES.map(([code, name]) => /** @type {[string, string]} */ ([code, code === "system" ? t(name) : name]));
  const language = select(t("Language"), languages, chosenLanguage(), chooseLanguage);
  const dialog = h("dialog", { class: "panel", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, t("Settings")),
    field(t("Language"), language),
    field(t("Colours"), theme),
    field(t("Board"), board),
    toggle("sound", t("Sound")),
    toggle("animation", t("Animation")),
    toggle("tutor", t("Tutor: warn before a costly move")),
    toggle("chances", t("Show the chance to win")),
    toggle("heat", t("Show what the next roll would bring")),
    toggle("tiles", t("Show the names of the tiles")),
    h("p", {}, button(t("Show the guide of a first game again"), restart, { class: "guideagain" })),
    h("p", { class: "hint" }, t("For programs:"), " ", h("a", { href: "/api/docs/" }, t("the API")), t(", "), h("a", { href: "/help/api" }, t("what it is for")), ". ",
      t("For people:"), " ", h("a", { href: "/help/notation" }, t("notation")), t(", "), h("a", { href: "/help/rules" }, t("rule files")), t(", "), h("a", { href: "/help/review" }, t("reviews")), t(", "), h("a", { href: "/help/agents" }, t("programs that play"))),
    h("p", { class: "row end" }, button(t("Done"), () => dialog.close(), { class: "primary" })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
