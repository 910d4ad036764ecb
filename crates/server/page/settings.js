/** What the player has set, kept by the browser, and the panel to set it. */

import { button, field, h, select } from "./dom.js";
import { restart } from "./guide.js";

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
  const theme = select("Colours", [["system", "as the system"], ["light", "light"], ["dark", "dark"]], settings.theme,
    (value) => change("theme", /** @type {Settings["theme"]} */ (value)));
  const board = select("Board", [["auto", "as the screen"], ["wide", "lying"], ["tall", "standing"]], settings.board,
    (value) => change("board", /** @type {Settings["board"]} */ (value)));
  const dialog = h("dialog", { class: "panel", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, "Settings"),
    field("Colours", theme),
    field("Board", board),
    toggle("sound", "Sound"),
    toggle("animation", "Animation"),
    toggle("tutor", "Tutor: warn before a costly move"),
    toggle("chances", "Show the chance to win"),
    toggle("heat", "Show what the next roll would bring"),
    toggle("tiles", "Show the names of the tiles"),
    h("p", {}, button("Show the guide of a first game again", restart, { class: "guideagain" })),
    h("p", { class: "hint" }, "For programs: ", h("a", { href: "/api/docs/" }, "the API"), ", ", h("a", { href: "/help/api" }, "what it is for"), ". For people: ", h("a", { href: "/help/notation" }, "notation"), ", ", h("a", { href: "/help/rules" }, "rule files"), ", ", h("a", { href: "/help/review" }, "reviews"), ", ", h("a", { href: "/help/agents" }, "programs that play")),
    h("p", { class: "row end" }, button("Done", () => dialog.close(), { class: "primary" })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
