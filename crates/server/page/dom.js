/** Elements, made in one call. Text is always text: nothing here reads markup. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === false || value === null || value === undefined) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * An HTML element; attributes that are functions (`onclick`) listen.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Puts `children` in the place of what `element` holds.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * Does the same; if a control in `element` had the focus of the keyboard, the one that takes its place has it then.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function refill(element, ...children) {
  const controls = () => [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("a[href], button"))];
  const focused = controls().findIndex((control) => control.matches(":focus-visible"));
  fill(element, ...children);
  if (focused < 0) return;
  const now = controls();
  // A control that takes no click takes no focus either.
  const near = [...now.slice(focused), ...now.slice(0, focused).reverse()];
  near.find((control) => !control.matches(":disabled"))?.focus({ preventScroll: true });
}

/**
 * @param {string} label
 * @param {(event: Event) => void} onclick
 * @param {Attributes} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * A button that takes no further click until what it does is done.
 *
 * @param {string} label
 * @param {() => Promise<void>} act
 * @param {Attributes} [attributes]
 */
export function patientButton(label, act, attributes) {
  const element = button(label, async () => {
    element.disabled = true;
    await act().finally(() => { element.disabled = false; });
  }, attributes);
  return element;
}

/**
 * A choice among `options`, each a value and its label.
 *
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function select(label, options, chosen, onchange) {
  const element = h("select", { "aria-label": label });
  element.append(...options.map(([value, text]) => new Option(text, value, false, value === chosen)));
  element.addEventListener("change", () => onchange(element.value));
  return element;
}

/**
 * @param {string} text
 * @param {Child} control
 */
export function field(text, control) {
  return h("label", { class: "field" }, h("span", {}, text), control);
}

/** @param {number} milliseconds */
export function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

/** Saves `text` as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function save(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
