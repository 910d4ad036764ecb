/** Motion over the board; none if it is switched off or the system asks for less. */

import { settings } from "./settings.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export const moves = () => settings.animation && !STILL.matches;

/** Milliseconds from tile to tile. */
const STRIDE = 130;

/**
 * Moves a piece through `points`, hopping from each to the next.
 *
 * @param {SVGGElement} piece
 * @param {import("./layout.js").Point[]} points
 * @param {{ scale?: { from: number, to: number }, stride?: number }} [manner]
 */
export async function travel(piece, points, { scale = { from: 1, to: 1 }, stride = STRIDE } = {}) {
  if (!moves()) return;
  const matrix = piece.transform.baseVal.consolidate()?.matrix;
  const way = [{ x: matrix?.e ?? 0, y: matrix?.f ?? 0 }, ...points];
  await frames(stride * points.length, (part) => {
    const at = Math.min(part * points.length, points.length - 1e-9);
    const [leg, within] = [Math.floor(at), at % 1];
    const [from, to] = [way[leg], way[leg + 1]];
    const ease = within * within * (3 - 2 * within);
    const x = from.x + (to.x - from.x) * ease;
    const y = from.y + (to.y - from.y) * ease - 16 * Math.sin(Math.PI * within);
    const size = (scale.from + (scale.to - scale.from) * part) / scale.from;
    piece.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(3)})`);
  });
}

/**
 * Calls `draw` at each frame for `milliseconds`, with the part of this time that has passed, 0 to 1. Ends early if the page is hidden.
 *
 * @param {number} milliseconds
 * @param {(part: number) => void} draw
 * @returns {Promise<void>}
 */
function frames(milliseconds, draw) {
  const start = performance.now();
  return new Promise((done) => {
    const step = () => {
      const part = Math.min(1, (performance.now() - start) / milliseconds);
      draw(part);
      if (part >= 1 || document.hidden) done();
      else requestAnimationFrame(step);
    };
    step();
  });
}
