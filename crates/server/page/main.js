/** The frame of the page: navigation, settings, and the screens. */

import { api, unanswered } from "./api.js";
import { fill, h, s } from "./dom.js";
import { complain, mountLive, wordsOf } from "./live.js";
import { piece } from "./motifs.js";
import { capital } from "./notation.js";
import { address, ensure, register, start, whileHere } from "./router.js";
import { apply, openSettings } from "./settings.js";
import { t } from "./texts.js";
import { transport } from "./transport.js";

const SCREENS = [["play", t("Play")], ["review", t("Review")], ["explorer", t("Explorer")], ["rules", t("Rules")], ["games", t("Games")]];

/** A part of the page that is loaded later; if that fails, the error says that the server does not answer. @template T @param {Promise<T>} part @returns {Promise<T>} */
const had = (part) => part.catch((error) => { throw error instanceof TypeError && !transport.alone ? unanswered() : error; });

/** The screens, each loaded when it is first asked for. */
const load = {
  play: () => had(import("./play.js")),
  review: () => had(import("./review.js")),
  explorer: () => had(import("./explorer.js")),
  rules: () => had(import("./rules.js")),
  games: () => had(import("./games.js")),
  shared: () => had(import("./share.js")),
};

/** The screen that is seen first: a server that begins no games shows those that it has. */
async function home() {
  const here = whileHere();
  const { mode } = await api.server();
  ensure(here);
  const isPlaying = mode !== "read-only";
  show(isPlaying ? "play" : "games");
  return isPlaying ? (await load.play()).open([]) : (await load.games()).open();
}

register({
  "": home,
  play: async (words) => (await load.play()).open(words),
  review: async (words) => (await load.review()).open(words),
  explorer: async (words) => (await load.explorer()).open(words),
  rules: async (words) => (await load.rules()).open(words),
  games: async () => (await load.games()).open(),
  shared: async (words) => (await load.shared()).open(words),
});

const main = h("main", { id: "main", tabindex: "-1" }, h("p", { class: "loading" }, "…"));
const links = new Map(SCREENS.map(([name, title]) => [name, h("a", { href: address(name), class: name === "play" && "playing" }, title)]));

function mark() {
  const logo = s("svg", { viewBox: "-40 -40 80 80", class: "logo", "aria-hidden": "true" }, piece("dark"));
  return h("a", { href: "#/", class: "brand", "aria-label": t("Puabi, to the game") }, logo, h("span", {}, "Puabi"));
}

/** @param {string} opened */
function show(opened) {
  for (const [name, link] of links) {
    if (name === opened) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** @param {unknown} error */
function failed(error) {
  fill(main, h("section", { class: "card" },
    h("h1", {}, t("This could not be shown")),
    h("p", {}, capital(wordsOf(error))),
    h("p", { class: "row" }, h("a", { class: "button primary playing", href: "#/play" }, t("A new game")), h("a", { class: "button", href: "#/games" }, t("All games")))));
}

/** Loads the other screens when there is nothing else to do, and has the page kept for when the server is away. */
async function keep() {
  await navigator.serviceWorker.register("sw.js");
  const { active } = await navigator.serviceWorker.ready;
  await Promise.all(Object.values(load).map((screen) => screen()));
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const kept = loaded.filter(({ pathname }) => /\.(js|css|svg)$/.test(pathname)).map(String);
  // A file that two parts ask for is listed twice, and a list with one twice is refused.
  active?.postMessage([...new Set(kept)]);
}

apply();
// Inside another page only the screen is shown.
document.documentElement.classList.toggle("embedded", new URLSearchParams(location.search).has("embed"));
// What the server does not do for others is not offered.
api.server().then(({ mode }) => { document.documentElement.dataset.mode = mode; }, () => {});
addEventListener("keydown", () => { document.documentElement.dataset.input = "keys"; }, true);
addEventListener("pointerdown", () => { document.documentElement.dataset.input = "pointer"; }, true);
document.body.append(
  h("a", { href: "#main", class: "skip", onclick: (/** @type {Event} */ event) => { event.preventDefault(); main.focus(); } }, t("Skip to content")),
  h("header", {}, mark(), h("nav", { "aria-label": t("Screens") }, ...links.values()),
    h("button", { type: "button", class: "quiet", onclick: openSettings, "aria-label": t("Settings") },
      h("span", { class: "wide" }, t("Settings")), h("span", { class: "narrow", "aria-hidden": "true" }, "⚙"))),
  main);
mountLive(main);
addEventListener("unhandledrejection", (event) => complain(event.reason));
start(main, show, failed);
// Without a worker the page only needs its server a little more.
if ("serviceWorker" in navigator) addEventListener("load", () => setTimeout(() => keep().catch(() => {}), 1000));
