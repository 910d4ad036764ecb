/** The board of any rule set, drawn from the tiles and paths that the API names, with its pieces and marks. */

import { fill, s, set } from "./dom.js";
import { Layout, SIDE, coordinates, origin, target } from "./layout.js";
import { motifOf, piece, plaque } from "./motifs.js";
import { travel } from "./motion.js";
import { PLAYERS, opponent, stacksOf, stackWords, standingWords } from "./notation.js";
import { dragging } from "./dragging.js";
import { t, translate } from "./texts.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Standing} Standing */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {{ move: string, from: { square: number, tile: string } | null, to: { square: number, tile: string } | null, capture: boolean }} Step */
/** @typedef {{ from: string, to: string, kind: string }} Arrow */
/** @typedef {{ place: string, kind: string, text?: string }} Mark */

/** @type {readonly ("hand" | "home")[]} */
const WELLS = ["hand", "home"];

/** What a tile is called, and its kind. @param {import("./types.js").Tile} tile */
const titleOf = ({ tile, ground }) => `${tile}${t(", ")}${translate(ground)}`;

/** What is written on a tile that is neither plain nor a rosette: `camp`, `novices`. @param {string} kind */
const kindWord = (kind) => (["plain", "rosette"].includes(kind) ? "" : t(kind));

export class Board {
  /** @type {Standing} */
  #standing = { pieces: [], hand: { light: 0, dark: 0 }, home: { light: 0, dark: 0 } };
  /** @type {Option[]} */
  #options = [];
  /** @type {Player} */
  #mover = "light";
  /** @type {Mark[]} */
  #marks = [];
  /** @type {Arrow[]} */
  #arrows = [];

  /**
   * @param {Rules} rules
   * @param {{ orientation?: import("./layout.js").Orientation, near?: Player }} [view]
   */
  constructor(rules, { orientation = "wide", near = "dark" } = {}) {
    this.rules = rules;
    this.layers = { ground: s("g"), marks: s("g"), names: s("g"), pieces: s("g"), arrows: s("g", { class: "arrows" }), hits: s("g") };
    this.element = s("svg", { class: "board", role: "img", direction: "ltr" }, ...Object.values(this.layers));
    /** Called with a place that was clicked, if that is not a move. @type {(place: string) => void} */
    this.onplace = () => {};
    /** Called with a move that was clicked or dragged. @type {(option: Option) => void} */
    this.onmove = () => {};
    /** Called with the move under the pointer, or null. @type {(option: Option | null) => void} */
    this.onpoint = () => {};
    this.layout = new Layout(rules, orientation, near);
    this.turn({ orientation, near });
    dragging(this);
    this.element.addEventListener("pointerover", (event) => this.onpoint(this.optionAt(placeOf(event.target))));
    this.element.addEventListener("pointerleave", () => this.onpoint(null));
  }

  /** Draws the board anew, lying or standing. @param {{ orientation: import("./layout.js").Orientation, near: Player }} view */
  turn({ orientation, near }) {
    this.layout = new Layout(this.rules, orientation, near);
    const { width, height } = this.layout;
    set(this.element, { viewBox: `0 0 ${width} ${height}`, "data-orientation": orientation });
    this.#drawGround();
    this.show(this.#standing);
    this.choose(this.#options, this.#mover);
    this.mark(this.#marks, this.#arrows);
  }

  #drawGround() {
    const { layout, rules } = this;
    const spots = rules.board.tiles.map((tile) => ({ ...tile, ...layout.tile(tile.tile) }));
    /** The tiles grown together; one path, since edges that are drawn twice show. @param {number} grown @param {string} kind */
    const union = (grown, kind) => s("path", { class: kind, d: spots.map(({ x, y }) => rounded(x, y, SIDE / 2 + grown, grown * 0.6)).join("") });
    const plaques = spots.map(({ tile, rosette, x, y }) => {
      const { column, row } = coordinates(tile);
      const drawn = plaque(rosette ? "rosette" : motifOf(column, row));
      drawn.setAttribute("transform", `translate(${x} ${y})`);
      return drawn;
    });
    const names = spots.map(({ tile, x, y }) => s("text", { x: x - 43, y: y - 31, class: "tilename" }, tile));
    const kinds = spots.map(({ kind, x, y }) => s("text", { x: x + 43, y: y + 42, class: "tilekind", "text-anchor": "end" }, kindWord(kind)));
    const wells = PLAYERS.flatMap((player) => WELLS.map((kind) => this.#well(kind, player)));
    fill(this.layers.ground, union(14, "rim"), union(11, "wood"), ...plaques, ...wells);
    fill(this.layers.names, ...names, ...kinds);
    const hits = spots.map(({ x, y, ...tile }) =>
      s("rect", { x: x - 50, y: y - 50, width: SIDE, height: SIDE, class: "hit", "data-place": tile.tile }, s("title", {}, titleOf(tile))));
    const trays = PLAYERS.flatMap((player) => WELLS.map((kind) =>
      s("rect", { ...layout.well(kind, player), rx: 12, class: "hit", "data-place": `${kind}:${player}` })));
    fill(this.layers.hits, ...hits, ...trays);
  }

  /** @param {"hand" | "home"} kind @param {Player} player */
  #well(kind, player) {
    const label = this.layout.label(kind, player);
    const { goal, pieces } = this.rules;
    const text = kind === "home" && goal < pieces ? t("home, {goal} win", { goal }) : t(kind);
    return s("g", { class: "well" },
      s("rect", { ...this.layout.well(kind, player), rx: 12 }),
      s("text", { ...label, "text-anchor": "middle" }, text));
  }

  /** Draws the pieces. @param {Standing} standing */
  show(standing) {
    this.#standing = standing;
    const stacks = stacksOf(standing);
    const onTiles = stacks.flatMap(({ tile, pieces }) => [
      ...pieces.map(({ player, square, veteran }, at) => {
        const { scale, ...point } = this.layout.stacked(tile, at, pieces.length);
        const drawn = this.#piece(player, tile, point, scale);
        drawn.classList.toggle("veteran", veteran ?? false);
        drawn.classList.toggle("stacked", pieces.length > 1);
        drawn.dataset.piece = `${player}:${square}`;
        return drawn;
      }),
      pieces.length > 1 && this.#key(tile, pieces)]);
    const waiting = PLAYERS.flatMap((player) => WELLS.flatMap((kind) =>
      Array.from({ length: standing[kind][player] }, (_, at) =>
        this.#piece(player, `${kind}:${player}`, this.layout.waiting(kind, player, at), 0.66))));
    fill(this.layers.pieces, ...onTiles, ...waiting);
    this.element.setAttribute("aria-label", t("Board. {pieces}", { pieces: standingWords(standing) }));
    for (const tile of this.rules.board.tiles) {
      const stack = stacks.find((found) => found.tile === tile.tile);
      const title = this.layers.hits.querySelector(`[data-place="${tile.tile}"] title`);
      if (title) title.textContent = [titleOf(tile), stack && stackWords(stack)].filter(Boolean).join(t("; "));
    }
  }

  /** Beside a stack: a dot for each of its pieces, the lowest one below, and how many they are. @param {string} tile @param {import("./types.js").Piece[]} pieces */
  #key(tile, pieces) {
    const { x, y } = this.layout.tile(tile);
    const dots = pieces.map(({ player, veteran }, at) =>
      s("circle", { cx: -36, cy: 35 - 17 * at, r: 7, class: `${player}${veteran ? " veteran" : ""}` }));
    return s("g", { class: "stack", transform: `translate(${x} ${y})` }, ...dots,
      s("circle", { cx: 34, cy: -34, r: 13 }), s("text", { x: 34, y: -28, "text-anchor": "middle" }, pieces.length));
  }

  /** @param {Player} player @param {string} at @param {import("./layout.js").Point} point @param {number} scale */
  #piece(player, at, { x, y }, scale) {
    const element = piece(player, scale);
    set(element, { transform: `translate(${x} ${y})`, "data-at": at });
    return element;
  }

  /** The uppermost piece of a place. @param {string} place @param {string} [which] */
  pieceAt(place, which = "") {
    const found = this.layers.pieces.querySelectorAll(`[data-at="${place}"]${which}`);
    return /** @type {SVGGElement | undefined} */ (found[found.length - 1]);
  }

  /** The piece that a move moves: not always the uppermost of its stack. @param {Pick<Step, "from">} step @param {Player} player */
  #pieceOf(step, player) {
    return this.pieceAt(origin(step, player), step.from ? `[data-piece="${player}:${step.from.square}"]` : "");
  }

  /** Offers moves: their pieces can be clicked and dragged. @param {Option[]} options @param {Player} mover */
  choose(options, mover) {
    this.#options = options.filter((option) => option.move !== "pass");
    this.#mover = mover;
    for (const element of this.element.querySelectorAll(".movable")) element.classList.remove("movable");
    for (const hit of this.layers.hits.children) hit.classList.toggle("live", false);
    for (const option of this.#options) {
      this.#pieceOf(option, mover)?.classList.add("movable");
      for (const place of [origin(option, mover), target(option, mover)]) {
        this.layers.hits.querySelector(`[data-place="${place}"]`)?.classList.add("live");
      }
    }
  }

  /** The moves that start at a place; several if any piece of a stack may move. @param {string | null} place */
  #startingAt(place) {
    return this.#options.filter((option) => origin(option, this.#mover) === place);
  }

  /** The only move that starts at a place, or else the only one that ends there. @param {string | null} place @returns {Option | null} */
  optionAt(place) {
    if (place === null) return null;
    const starting = this.#startingAt(place);
    const ending = this.#options.filter((option) => target(option, this.#mover) === place);
    return [starting, ending].find((found) => found.length === 1)?.[0] ?? null;
  }

  /** The piece that can be dragged from a place. @param {string} place */
  movableAt(place) {
    const [option] = this.#startingAt(place);
    return option && this.#pieceOf(option, this.#mover);
  }

  /** The move between two places. @param {string} from @param {string | null} to */
  optionBetween(from, to) {
    return this.#options.find((option) =>
      origin(option, this.#mover) === from && target(option, this.#mover) === to) ?? null;
  }

  /** Marks places and draws arrows; both replace the ones before. @param {Mark[]} marks @param {Arrow[]} [arrows] */
  mark(marks, arrows = []) {
    this.#marks = marks;
    this.#arrows = arrows;
    fill(this.layers.marks, ...marks.map((mark) => this.#drawMark(mark)));
    fill(this.layers.arrows, ...arrows.map((arrow) => this.#drawArrow(arrow)));
  }

  /** @param {Mark} mark */
  #drawMark({ place, kind, text }) {
    const { x, y } = this.layout.place(place);
    const size = place.includes(":") ? 56 : 92;
    return s("g", { class: `mark ${kind}` },
      s("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: place.includes(":") ? 28 : 6 }),
      text && s("text", { x: x + 42, y: y - 25, "text-anchor": "end" }, text));
  }

  /** How many pieces wait in a hand or a home. @param {string} place */
  #waiting(place) {
    const [kind, player] = place.split(":");
    return player === undefined ? 0 : this.#standing[/** @type {"hand" | "home"} */ (kind)][/** @type {Player} */ (player)];
  }

  /** @param {Arrow} arrow */
  #drawArrow({ from, to, kind }) {
    const start = this.layout.place(from, this.#waiting(from) - 1);
    const end = this.layout.place(to, this.#waiting(to));
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const tip = { x: end.x - ux * 10, y: end.y - uy * 10 };
    const neck = { x: tip.x - ux * 26, y: tip.y - uy * 26 };
    const head = [tip, { x: neck.x - uy * 16, y: neck.y + ux * 16 }, { x: neck.x + uy * 16, y: neck.y - ux * 16 }];
    return s("g", { class: `arrow ${kind}` },
      s("circle", { cx: start.x, cy: start.y, r: 9 }),
      s("line", { x1: start.x, y1: start.y, x2: neck.x, y2: neck.y }),
      s("polygon", { points: head.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }));
  }

  /**
   * Moves a piece along its path; a piece that it captures goes back to the hand. Draw the new standing afterwards.
   *
   * @param {Player} player
   * @param {Step} step
   */
  async play(player, step) {
    if (step.move === "pass") return;
    const moving = this.#pieceOf(step, player);
    if (!moving) return;
    const captured = step.to && step.capture ? this.pieceAt(step.to.tile) : undefined;
    const path = this.rules.paths[player].slice(step.from?.square ?? 0, step.to?.square ?? undefined);
    const end = step.to ? [] : [this.layout.place(`home:${player}`, this.#standing.home[player])];
    const scale = { from: step.from ? 1 : 0.66, to: step.to ? 1 : 0.66 };
    moving.parentNode?.append(moving);
    await travel(moving, [...path.map((tile) => this.layout.tile(tile)), ...end], { scale });
    if (captured) {
      const hand = this.layout.place(`hand:${opponent(player)}`, this.#standing.hand[opponent(player)]);
      await travel(captured, [hand], { scale: { from: 1, to: 0.66 } });
    }
  }
}

/** A square with round corners around a point, as a path. @param {number} x @param {number} y @param {number} half @param {number} round */
function rounded(x, y, half, round) {
  const side = 2 * (half - round);
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${round} ${round} 0 0 1 ${dx * round} ${dy * round}`;
  return `M${x - half + round} ${y - half}h${side}${corner(1, 1)}v${side}${corner(-1, 1)}h${-side}${corner(-1, -1)}v${-side}${corner(1, -1)}z`;
}

/** The place that an event is about. @param {EventTarget | null} element @returns {string | null} */
export function placeOf(element) {
  return element instanceof SVGElement ? element.dataset.place ?? null : null;
}
