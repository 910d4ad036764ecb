/** Clicks and drags over a board, by mouse, pen and finger alike. */

import { placeOf } from "./board.js";

/** Pixels after which a press is a drag. */
const SLACK = 8;

/** @param {import("./board.js").Board} board */
export function dragging(board) {
  const { element } = board;
  /** @type {{ place: string, piece: SVGGElement | undefined, home: string | null, x: number, y: number, moved: boolean } | null} */
  let held = null;

  element.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    // A second finger neither takes a piece nor moves the one that is held.
    if (place === null || event.button !== 0 || !event.isPrimary) return;
    const piece = board.movableAt(place);
    held = { place, piece, home: piece?.getAttribute("transform") ?? null, x: event.clientX, y: event.clientY, moved: false };
    if (piece) element.setPointerCapture(event.pointerId);
  });

  element.addEventListener("pointermove", (event) => {
    if (!held?.piece || !event.isPrimary) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLACK;
    if (!held.moved && !far) return;
    held.moved = true;
    const matrix = element.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    held.piece.setAttribute("transform", `translate(${point.x} ${point.y})`);
    held.piece.classList.add("held");
  });

  element.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    const { place, piece, home, moved } = held;
    held = null;
    const over = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    const option = moved ? board.optionBetween(place, over) : over === place ? board.optionAt(place) : null;
    piece?.classList.remove("held");
    if (piece && home !== null && !(moved && option)) piece.setAttribute("transform", home);
    if (option) board.onmove(option);
    else if (!moved && over === place) board.onplace(place);
  });

  element.addEventListener("pointercancel", (event) => {
    if (!event.isPrimary) return;
    if (held?.piece && held.home !== null) held.piece.setAttribute("transform", held.home);
    held = null;
  });
}
