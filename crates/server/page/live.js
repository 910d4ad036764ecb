/** Says what happens to people who hear the page, and shows short notes to all. */

import { h } from "./dom.js";
import { t } from "./texts.js";

const region = h("div", { class: "spoken", role: "log", "aria-live": "polite", "aria-label": t("What happens") });
const notes = h("div", { class: "notes", role: "status" });
/** Lines that stay to be read again. */
const KEPT = 12;
/** Notes that are shown at once. */
const SHOWN = 2;

/** Puts the notes before the content of the page, so that they cover nothing. @param {HTMLElement} main */
export function mountLive(main) {
  main.before(notes);
  document.body.append(region);
}

/** Takes the notes away: they are about the screen that was left. */
export function clearNotes() {
  notes.replaceChildren();
}

/** Says a sentence to screen readers. @param {string} text */
export function say(text) {
  region.append(h("p", {}, text));
  while (region.children.length > KEPT) region.firstChild?.remove();
}

/** Shows a short note; it replaces the same note, and the oldest one if there are too many. @param {string} text @param {"plain" | "wrong"} [kind] */
export function note(text, kind = "plain") {
  const element = h("p", { class: `note ${kind}` }, text);
  [...notes.children].find((shown) => shown.textContent === text)?.remove();
  while (notes.children.length >= SHOWN) notes.firstChild?.remove();
  notes.append(element);
  setTimeout(() => element.remove(), kind === "wrong" ? 8000 : 3500);
}

/** Shows an error in its own words. @param {unknown} error */
export function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  note(wordsOf(error), "wrong");
}

/** The words for an error; all faults of the page itself have the same words. @param {unknown} error */
export function wordsOf(error) {
  if (error instanceof TypeError || error instanceof RangeError) return t("An error in the page has stopped it. Load it again to go on.");
  return error instanceof Error ? error.message : String(error);
}
