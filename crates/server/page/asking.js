/** Panels that open by themselves: questions before something happens, and what the keys do. */

import { button, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Asks, and returns the chosen answer; an empty one if the question was closed, or by its last button.
 *
 * @param {string} title
 * @param {import("./dom.js").Child[]} content
 * @param {{ answers: [string, string][], none: string, kind?: string }} choice  Each answer has a value and its words.
 * @returns {Promise<string>}
 */
export function ask(title, content, { answers, none, kind = "plain" }) {
  return new Promise((decided) => {
    const dialog = h("dialog", { class: `panel ${kind}`, "aria-labelledby": "question" },
      h("h2", { id: "question" }, title), ...content,
      h("p", { class: "row end" },
        ...answers.map(([value, words]) => button(words, () => dialog.close(value), { class: value })),
        button(none, () => dialog.close(""), { class: "primary", autofocus: true })));
    dialog.addEventListener("close", () => {
      dialog.remove();
      decided(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks, and returns whether the answer is yes. Closing the question is a no.
 *
 * @param {string} title
 * @param {string} text
 * @param {{ yes: string, no: string, kind?: string }} answers
 */
export async function sure(title, text, { yes, no, kind }) {
  return await ask(title, [text && h("p", {}, text)], { answers: [["yes", yes]], none: no, kind }) === "yes";
}

/** Shows what the keys of a screen do. @param {import("./router.js").Keys} keys */
export function showKeys(keys) {
  const rows = [...keys, ["?", t("shows this")]].flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]);
  const dialog = h("dialog", { class: "panel keys", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, t("Keys")),
    h("dl", { class: "facts" }, ...rows),
    h("p", { class: "row end" }, button(t("Close"), () => dialog.close(), { class: "primary", autofocus: true })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
