/** What is inlaid in the tiles, after the board from Ur in the British Museum, and the pieces. Units: a tile is 100 wide. */

import { s } from "./dom.js";

/** @typedef {"rosette" | "eyes" | "dots" | "fives" | "lozenge" | "steps"} Motif */

/** The plain tiles of the board from Ur, lane by lane; `-` where it has none. The rules alone say which tiles are rosettes. */
const FROM_UR = ["?edE--?s", "ldf?dfed", "?edE--?s"];
/** @type {Record<string, Motif>} */
const LETTERS = { e: "eyes", E: "eyes", d: "dots", f: "fives", l: "lozenge", s: "steps" };
/** @type {Motif[]} */
const OTHERS = ["eyes", "dots", "fives", "lozenge"];

/**
 * Which motif a tile without a rosette has: that of the board from Ur if it has the place, else one by turns.
 *
 * @param {number} column from 1
 * @param {number} row from 0
 * @returns {Motif}
 */
export function motifOf(column, row) {
  return LETTERS[FROM_UR[row]?.[column - 1]] ?? OTHERS[(column + 2 * row) % OTHERS.length];
}

/** @param {number} count @param {(turn: number) => SVGElement} part */
function round(count, part) {
  return Array.from({ length: count }, (_, at) => {
    const element = part(at);
    element.setAttribute("transform", `rotate(${(360 / count) * at})`);
    return element;
  });
}

/** @param {number} x @param {number} y @param {number} r @param {string} kind */
const disc = (x, y, r, kind) => s("circle", { cx: x, cy: y, r, class: kind });

/** Five dots as on a die. @param {number} x @param {number} y @param {number} apart @param {number} r @param {string} kind */
function quincunx(x, y, apart, r, kind) {
  const spots = [[0, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]];
  return spots.map(([dx, dy]) => disc(x + dx * apart, y + dy * apart, r, kind));
}

const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

function rosette() {
  const petal = "M0-9C8-16 11-30 0-41C-11-30-8-16 0-9Z";
  const vein = "M0-14V-32";
  return [
    disc(0, 0, 43, "inlay-line"),
    ...round(8, (at) => s("path", { d: petal, class: at % 2 ? "inlay-red" : "inlay-lapis" })),
    ...round(8, () => s("path", { d: vein, class: "inlay-vein" })),
    disc(0, 0, 8, "inlay-lapis"),
    disc(0, 0, 4, "inlay-shell"),
  ];
}

function eyes() {
  const almond = "M-18 0Q0-17 18 0Q0 17-18 0Z";
  const eye = (/** @type {number[]} */ [x, y]) =>
    s("g", { transform: `translate(${x * 22} ${y * 22})` },
      s("path", { d: almond, class: "inlay-lapis" }),
      s("path", { d: almond, class: "inlay-shell", transform: "scale(.68)" }),
      disc(0, 0, 4.6, "inlay-red"));
  return [
    ...CORNERS.map(eye),
    s("path", { d: "M0-44V44M-44 0H44", class: "inlay-line" }),
    s("path", { d: "M0-9L9 0L0 9L-9 0Z", class: "inlay-red" }),
  ];
}

function dots() {
  return [
    s("rect", { x: -39, y: -39, width: 78, height: 78, class: "inlay-line" }),
    ...quincunx(0, 0, 21, 10.5, "inlay-lapis"),
    ...quincunx(0, 0, 21, 4, "inlay-shell"),
  ];
}

function fives() {
  return [
    s("path", { d: "M0-43V43M-43 0H43", class: "inlay-band" }),
    ...CORNERS.flatMap(([x, y]) => [
      s("rect", { x: x * 23 - 17, y: y * 23 - 17, width: 34, height: 34, class: "inlay-line" }),
      ...quincunx(x * 23, y * 23, 9, 3.7, "inlay-lapis"),
    ]),
  ];
}

function lozenge() {
  const tooth = "M-40-42H40L30-30L20-42L10-30L0-42L-10-30L-20-42L-30-30Z";
  return [
    ...round(4, (at) => s("path", { d: tooth, class: at % 2 ? "inlay-red" : "inlay-lapis" })),
    s("path", { d: "M0-27L27 0L0 27L-27 0Z", class: "inlay-line" }),
    ...quincunx(0, 0, 9, 4, "inlay-lapis"),
  ];
}

function steps() {
  const zigzag = (/** @type {number} */ y) => `M-42 ${y}l12-11 12 11 12-11 12 11 12-11 12 11 12-11`;
  return [
    s("path", { d: zigzag(-24), class: "inlay-zigzag lapis" }),
    s("path", { d: zigzag(-6), class: "inlay-zigzag red" }),
    s("path", { d: zigzag(12), class: "inlay-zigzag lapis" }),
    s("path", { d: zigzag(30), class: "inlay-zigzag red" }),
  ];
}

const DRAWN = { rosette, eyes, dots, fives, lozenge, steps };

/**
 * A plaque with its inlay, around (0, 0).
 *
 * @param {Motif} motif
 */
export function plaque(motif) {
  return s("g", { class: "plaque" },
    s("rect", { x: -47, y: -47, width: 94, height: 94, rx: 4, class: "shell" }),
    ...DRAWN[motif]());
}

/**
 * A piece around (0, 0): shell with five lapis dots for light, dark stone with a ring and five shell dots for dark.
 *
 * @param {import("./types.js").Player} player
 * @param {number} [scale]
 */
export function piece(player, scale = 1) {
  return s("g", { class: `piece ${player}` },
    s("g", { transform: `scale(${scale})` },
      s("ellipse", { cx: 1, cy: 5, rx: 33, ry: 33, class: "shadow" }),
      disc(0, 0, 32, "body"),
      disc(0, 0, 25, "ring"),
      ...quincunx(0, 0, 10.5, 4.4, "spot")));
}
