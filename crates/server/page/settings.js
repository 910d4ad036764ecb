/** What the player has set, kept by the browser, and the panel to set it. */

import { button, field, h, select } from "./dom.js";
import { restart } from "./guide.js";
import { LANGUAGES, chooseLanguage, chosenLanguage, t } from "./texts.js";
import { transport } from "./transport.js";

const KEY = "puabi.settings";

/** @typedef {{ theme: "system" | "light" | "dark", sound: boolean, vibration: boolean, animation: boolean, tutor: boolean, chances: boolean, heat: boolean, tiles: boolean, board: "auto" | "wide" | "tall", pace: number, name: string }} Settings */

/** @type {Settings} */
const DEFAULTS = {
  theme: "system", sound: true, vibration: false, animation: true, tutor: false, chances: true, heat: false, tiles: true, board: "auto", pace: 600, name: "",
};

export const settings = { ...DEFAULTS };

/** Takes what the browser keeps. */
function recall() {
  try {
    Object.assign(settings, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

recall();

/** Reports that a setting has changed. */
export const changes = new EventTarget();

/**
 * @template {keyof Settings} K
 * @param {K} key
 * @param {Settings[K]} value
 */
export function change(key, value) {
  // Another window may have changed other settings.
  recall();
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // As above.
  }
  apply();
  changes.dispatchEvent(new Event("change"));
}

/** Applies the settings that concern the whole page. */
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

/** @param {"sound" | "vibration" | "animation" | "tutor" | "chances" | "heat" | "tiles"} key @param {string} text */
export function toggle(key, text) {
  const box = h("input", { type: "checkbox", checked: settings[key] });
  box.addEventListener("change", () => change(key, box.checked));
  return h("label", { class: "switch" }, box, h("span", {}, text));
}

/** @param {string} topic @param {string} text */
const help = (topic, text) => h("a", { href: transport.help(topic) }, text);

/** Opens the panel. */
export function openSettings() {
  const theme = select(t("Colours"), [["system", t("as the system")], ["light", t("light")], ["dark", t("dark")]], settings.theme,
    (value) => change("theme", /** @type {Settings["theme"]} */ (value)));
  const board = select(t("Board"), [["auto", t("as the screen")], ["wide", t("horizontal")], ["tall", t("vertical")]], settings.board,
    (value) => change("board", /** @type {Settings["board"]} */ (value)));
  const languages = LANGUAGES.map(([code, name]) => /** @type {[string, string]} */ ([code, code === "system" ? t(name) : name]));
  let code = chosenLanguage();
  const language = select(t("Language"), languages, code, (chosen) => { code = chosen; });
  const dialog = h("dialog", { class: "panel", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, t("Settings")),
    field(t("Language"), language),
    field(t("Colours"), theme),
    field(t("Board"), board),
    toggle("sound", t("Sound")),
    "vibrate" in navigator && toggle("vibration", t("Vibration")),
    toggle("animation", t("Animation")),
    toggle("tutor", t("Tutor: warn before a costly move")),
    toggle("chances", t("Show the chance to win")),
    toggle("heat", t("Show what the next roll would bring")),
    toggle("tiles", t("Show the names of the tiles")),
    h("p", {}, button(t("Show the beginner's guide again"), restart, { class: "guideagain" })),
    h("p", { class: "hint" }, ...(transport.alone ? [] : [t("For programs:"), " ", h("a", { href: "/api/docs/" }, t("the API")), t(", "), help("api", t("what it is for")), ". "]),
      t("For people:"), " ", help("notation", t("notation")), t(", "), help("rules", t("rule files")), t(", "), help("review", t("reviews")), t(", "), help("agents", t("programs that play"))),
    h("p", { class: "row end" }, button(t("Done"), () => dialog.close(), { class: "primary" })));
  dialog.addEventListener("close", () => {
    dialog.remove();
    // This loads the page anew, which must not happen at every step through the languages.
    if (code !== chosenLanguage()) chooseLanguage(code);
  });
  document.body.append(dialog);
  dialog.showModal();
}
