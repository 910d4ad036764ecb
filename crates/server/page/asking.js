/** Panels that open by themselves: questions before something happens, and what the keys do. */

import { button, h } from "./dom.js";
import { t } from "./texts.js";

/**
 * Asks, and returns whether the answer is yes. Closing the question is a no.
 *
 * @param {string} title
 * @param {string} text
 * @param {{ yes: string, no: string, kind?: string }} answers
 * @returns {Promise<boolean>}
 */
export function sure(title, text, { yes, no, kind = "plain" }) {
  return new Promise((decided) => {
    let agreed = false;
    const dialog = h("dialog", { class: `panel ${kind}`, "aria-labelledby": "question" },
      h("h2", { id: "question" }, title), text && h("p", {}, text),
      h("p", { class: "row end" },
        button(yes, () => { agreed = true; dialog.close(); }, { class: "yes" }),
        button(no, () => dialog.close(), { class: "primary", autofocus: true })));
    dialog.addEventListener("close", () => {
      dialog.remove();
      decided(agreed);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
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
