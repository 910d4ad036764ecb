/** Where things lie on a drawn board: tiles, hands and homes, for a board that lies or stands. */

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {"wide" | "tall"} Orientation */

export const SIDE = 100;
const FRAME = 20;
const TRAY = 86;
/** How much higher than the piece below a piece of a stack lies. */
const LIFT = 12;
/** How large the pieces of a stack are. */
const STACKED = 0.8;

/** @param {string} tile a name such as `B4` */
export function coordinates(tile) {
  return { row: tile.charCodeAt(0) - "A".charCodeAt(0), column: Number(tile.slice(1)) };
}

/** The geometry of one board. `near` is the player whose side is below, or to the right if the board stands. */
export class Layout {
  /**
   * @param {Rules} rules
   * @param {Orientation} orientation
   * @param {Player} near
   */
  constructor(rules, orientation, near) {
    const places = rules.board.tiles.map((tile) => coordinates(tile.tile));
    this.rows = Math.max(...places.map((place) => place.row)) + 1;
    this.columns = Math.max(...places.map((place) => place.column));
    this.tall = orientation === "tall";
    this.near = near;
    this.pieces = rules.pieces;
    const along = this.columns * SIDE + 2 * FRAME;
    const across = this.rows * SIDE + 2 * (FRAME + TRAY);
    this.width = this.tall ? across : along;
    this.height = this.tall ? along : across;
    this.along = along;
    this.across = across;
  }

  /** Turns a point of the lying board into one of this board. @param {number} along @param {number} across @returns {Point} */
  #point(along, across) {
    return this.tall ? { x: across, y: along } : { x: along, y: across };
  }

  /** The centre of a tile. @param {string} tile */
  tile(tile) {
    const { row, column } = coordinates(tile);
    const lane = this.near === "dark" ? row : this.rows - 1 - row;
    return this.#point(FRAME + (column - 0.5) * SIDE, TRAY + FRAME + (lane + 0.5) * SIDE);
  }

  /**
   * Where a piece of a stack lies, and its size; the lower ones show below the upper ones.
   *
   * @param {string} tile
   * @param {number} at from the bottom
   * @param {number} count of the stack
   */
  stacked(tile, at, count) {
    const { x, y } = this.tile(tile);
    return count === 1 ? { x, y, scale: 1 } : { x: x + 6, y: y + 10 - at * LIFT, scale: STACKED };
  }

  /** The line along which the pieces of a player wait. @param {Player} player */
  #trayLine(player) {
    return player === this.near ? this.across - TRAY / 2 + 4 : TRAY / 2 - 4;
  }

  /** The well of a hand or a home. @param {"hand" | "home"} kind @param {Player} player */
  well(kind, player) {
    const middle = this.along * 0.5;
    const [start, end] = kind === "hand" ? [FRAME, middle - 6] : [middle + 6, this.along - FRAME];
    const line = this.#trayLine(player);
    const [from, to] = [this.#point(start, line - 32), this.#point(end, line + 32)];
    return { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y };
  }

  /** Where a piece lies in a well. @param {"hand" | "home"} kind @param {Player} player @param {number} at */
  waiting(kind, player, at) {
    const room = this.along / 2 - FRAME - 6;
    const label = this.tall ? 44 : 84;
    const step = Math.min(46, (room - label - 40) / Math.max(1, this.pieces - 1));
    const start = (kind === "hand" ? FRAME : this.along * 0.5 + 6) + label + 8;
    return this.#point(start + at * step, this.#trayLine(player));
  }

  /** Where the label of a well stands. @param {"hand" | "home"} kind @param {Player} player */
  label(kind, player) {
    const well = this.well(kind, player);
    return this.tall
      ? { x: well.x + well.width / 2, y: well.y + 26 }
      : { x: well.x + 36, y: well.y + well.height / 2 + 6 };
  }

  /** The centre of any place: a tile, `hand:light`, `home:dark`. @param {string} place @param {number} [at] */
  place(place, at = 0) {
    const [kind, player] = place.split(":");
    if (player === undefined) return this.tile(place);
    return this.waiting(/** @type {"hand" | "home"} */ (kind), /** @type {Player} */ (player), at);
  }
}

/** Where a move starts. @param {{ from: { tile: string } | null }} option @param {Player} player */
export const origin = (option, player) => option.from?.tile ?? `hand:${player}`;

/** Where a move ends. @param {{ to: { tile: string } | null }} option @param {Player} player */
export const target = (option, player) => option.to?.tile ?? `home:${player}`;
