/** Tells what happens to those who hear the page, and short notes to everybody. */

import { h } from "./dom.js";

const region = h("div", { class: "spoken", role: "log", "aria-live": "polite", "aria-label": "What happens" });
const notes = h("div", { class: "notes", role: "status" });
/** Lines that stay to be read again. */
const KEPT = 12;

export function mountLive() {
  document.body.append(region, notes);
}

/** Says a sentence to screen readers. @param {string} text */
export function say(text) {
  region.append(h("p", {}, text));
  while (region.children.length > KEPT) region.firstChild?.remove();
}

/** Shows a short note. @param {string} text @param {"plain" | "wrong"} [kind] */
export function note(text, kind = "plain") {
  const element = h("p", { class: `note ${kind}` }, text);
  notes.append(element);
  setTimeout(() => element.remove(), kind === "wrong" ? 8000 : 3500);
}

/** Shows an error in its own words. @param {unknown} error */
export function complain(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  note(error instanceof Error ? error.message : String(error), "wrong");
}
