/** Pictures of a board: as SVG, with the colours that it has on the screen, and as PNG. */

import { s } from "./dom.js";

/** The styles of drawn things, which a picture carries along. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "paint-order", "font-family", "font-size", "font-style", "font-weight", "display"];
/** Pixels of the longer side of a PNG. */
const LARGEST = 1600;

/** The board as it is shown, on the ground of the page. @param {import("./board.js").Board} board @returns {SVGSVGElement} */
function drawn({ element }) {
  const copy = /** @type {SVGSVGElement} */ (element.cloneNode(true));
  const [from, to] = [element, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((original, at) => {
    const style = getComputedStyle(original);
    for (const name of STYLES) to[at].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "data-place", "data-at", "data-piece"]) to[at].removeAttribute(name);
  });
  const { width, height } = element.viewBox.baseVal;
  copy.prepend(s("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor }));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return copy;
}

/** @param {import("./board.js").Board} board */
export const svgOf = (board) => new XMLSerializer().serializeToString(drawn(board));

/** @param {import("./board.js").Board} board @returns {Promise<Blob>} */
export async function pngOf(board) {
  const { width, height } = board.element.viewBox.baseVal;
  const scale = LARGEST / Math.max(width, height);
  const image = new Image(width * scale, height * scale);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(board))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, image.width, image.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}
