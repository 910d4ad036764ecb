/** Links that carry a position, a game or a rule set, and pictures of the board. */

import { ApiError, api } from "./api.js";
import { button, field, h, save } from "./dom.js";
import { complain } from "./live.js";
import { pngOf, svgOf } from "./picture.js";
import { address, ensure, settle, whileHere } from "./router.js";
import { t } from "./texts.js";
import { transport } from "./transport.js";

/** What a link carries: a game, or a position under rules, or rules alone; rules that are not a preset, as their file. */
/** @typedef {{ toml?: string, rules?: string, position?: string, record?: string }} Carried */
/** @typedef {import("./types.js").Rules} Rules */

/** @param {ReadableStream<Uint8Array>} stream */
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** @param {Carried} carried */
async function encoded(carried) {
  const text = new Blob([JSON.stringify(carried)]).stream();
  const bytes = await bytesOf(text.pipeThrough(new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} code @returns {Promise<Carried>} */
async function decoded(code) {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    throw new Error(t("This link is incomplete: ask for it again."));
  }
}

/** The address of what is shared, within this page. @param {Rules} rules @param {{ position?: string, record?: string }} what */
async function shared(rules, { position, record }) {
  // A server has its rules by name, and one for others takes no new rules; without a server the link carries the rules.
  const isNamed = rules.preset || (rules.name && !transport.alone);
  if (isNamed && !record) return position ? address("explorer", rules.name, position) : address("rules", rules.name);
  const carried = { ...(rules.preset ? { rules: rules.name } : { toml: rules.toml }), ...(record ? { record } : position && { position }) };
  return address("shared", await encoded(carried));
}

/** The status of a refusal because something else has the name. */
const TAKEN = 409;

/** Says what to do if other rules have the name of those in the link. @param {unknown} error @returns {never} */
function refused(error) {
  if (!(error instanceof ApiError) || error.status !== TAKEN) throw error;
  throw new Error(t("{message}. Remove or rename those under Rules, and open the link again.", { message: error.message }));
}

/** Opens what a link carries. @param {string[]} words the code */
export async function open([code]) {
  const here = whileHere();
  const { toml, rules, position, record } = await decoded(code ?? "");
  if (record) {
    // A server that takes no new rules may have these; if not, the review says so.
    if (toml) await api.keepRules(toml).catch(() => {});
    return (await import("./review.js")).openText(record, code);
  }
  // Positions are asked about by the name of their rules.
  const name = toml ? (await api.keepRules(toml).catch(refused)).name : rules;
  ensure(here);
  settle(...(position ? ["explorer", name, position] : ["rules", name]));
  return position ? (await import("./explorer.js")).open([name, position]) : (await import("./rules.js")).open([name]);
}

/** Copies the text of a field, or selects it if pages may not copy, as over plain HTTP. Returns the words to show. @param {HTMLInputElement} input */
export async function copy(input) {
  try {
    await navigator.clipboard.writeText(input.value);
    return t("Copied.");
  } catch {
    input.focus();
    input.select();
    return t("Press Ctrl-C to copy.");
  }
}

/** A text to be copied: shown whole, and selected when it is focused. @param {string} label @param {string} text @param {string} name */
export function copied(label, text, name) {
  const input = h("input", { type: "text", class: `mono ${name}`, dir: "ltr", readonly: true, value: text, onfocus: () => input.select() });
  const said = h("p", { class: "hint", role: "status" });
  return h("div", { class: "copied" },
    h("div", { class: "pair" }, field(label, input), button(t("Copy"), async () => { said.textContent = await copy(input); })), said);
}

/**
 * Opens the panel with links and pictures to share.
 *
 * @param {{ rules: Rules, board: import("./board.js").Board, position?: string, record?: string }} what
 */
export async function share({ rules, board, ...what }) {
  const link = new URL(await shared(rules, what), location.href);
  link.search = "";
  const frame = new URL(link);
  frame.search = "embed";
  const picture = async (/** @type {() => void | Promise<void>} */ make) => {
    try {
      await make();
    } catch (error) {
      complain(error);
    }
  };
  const png = async () => {
    const address = URL.createObjectURL(await pngOf(board));
    h("a", { href: address, download: "board.png" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  const dialog = h("dialog", { class: "panel share", "aria-labelledby": "share-title" },
    h("h2", { id: "share-title" }, t("Share")),
    copied(t("A link that contains it"), link.href, "link"),
    transport.alone && copied(t("To embed in another page"), `<iframe src="${frame.href}" width="720" height="640" title="Puabi"></iframe>`, "frame"),
    h("p", { class: "row" },
      button(t("Picture (SVG)"), () => picture(() => save("board.svg", svgOf(board), "image/svg+xml")), { class: "svg" }),
      button(t("Picture (PNG)"), () => picture(png), { class: "png" }),
      "share" in navigator && button(t("Send"), () => navigator.share({ title: document.title, url: link.href }).catch(() => {}))),
    h("p", { class: "row end" }, button(t("Done"), () => dialog.close(), { class: "primary" })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
