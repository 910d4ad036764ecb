/** Which screen the address asks for: `#/explorer/finkel/-:-:L` is the screen `explorer` with two words. */

import { showKeys } from "./asking.js";
import { clearNotes } from "./live.js";
import { t } from "./texts.js";

/** @typedef {(words: string[]) => Promise<Screen> | Screen} Open */
/** @typedef {[string, string][]} Keys  What keys do. */
/** @typedef {{ element: HTMLElement, title: string, close?: () => void, key?: (event: KeyboardEvent) => void, keys?: Keys, visit?: (words: string[]) => boolean }} Screen */

/** The screens by their names; the one without a name is shown if no other is asked for. @type {Record<string, Open>} */
const screens = {};
/** @type {Screen | null} */
let shown = null;
let name = "";
let visits = 0;

/** Returns a function that says later whether this screen is still shown, so that late answers do and say nothing. */
export function whileHere() {
  const visit = visits;
  return () => visit === visits;
}

/** Stops opening a screen that was left meanwhile, before it takes the address; this error is not shown. @param {() => boolean} here */
export function ensure(here) {
  if (!here()) throw new Error("left");
}

/** @param {Record<string, Open>} all */
export function register(all) {
  Object.assign(screens, all);
}

/** The address of a screen. @param {...string} words */
export const address = (...words) => "#/" + words.map(encodeURIComponent).join("/").replaceAll("%3A", ":").replaceAll("%2C", ",");

/** Goes to a screen. @param {...string} words */
export function go(...words) {
  location.hash = address(...words);
}

/** Replaces the present address, without opening the new one. @param {...string} words */
export function settle(...words) {
  [name] = words;
  history.replaceState(null, "", address(...words));
}

/** The number of a game in an address; throws if it is not one. @param {string} word */
export function gameNumber(word) {
  if (!/^\d{1,15}$/.test(word)) throw new Error(t("“{word}” is not the number of a game.", { word }));
  return Number(word);
}

function words() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

/**
 * Shows the screen of the address within `main`.
 *
 * @param {HTMLElement} main
 * @param {(name: string) => void} opened
 * @param {(error: unknown) => void} failed
 */
async function open(main, opened, failed) {
  const [asked, ...given] = words();
  const [next, rest] = Object.hasOwn(screens, asked) ? [asked, given] : ["", []];
  if (next === name && shown?.visit?.(rest)) return;
  const visit = ++visits;
  clearNotes();
  shown?.close?.();
  shown = null;
  name = next;
  opened(name);
  try {
    const screen = await screens[name](rest);
    if (visit !== visits) return screen.close?.();
    shown = screen;
    main.replaceChildren(screen.element);
    document.title = `${screen.title} · Puabi`;
    // A link may have settled as another screen.
    if (name !== next) opened(name);
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  } catch (error) {
    if (visit !== visits) return;
    document.title = "Puabi";
    failed(error);
  }
}

/**
 * @param {HTMLElement} main
 * @param {(name: string) => void} opened
 * @param {(error: unknown) => void} failed
 */
export function start(main, opened, failed) {
  addEventListener("hashchange", () => open(main, opened, failed));
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const inText = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    if (inText) return;
    if (event.key === "?") showKeys(shown?.keys ?? []);
    else shown?.key?.(event);
  });
  open(main, opened, failed);
}
