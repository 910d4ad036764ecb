/** Questions that are answered by yes or no before something happens. */

import { button, h } from "./dom.js";

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
