/** Which side of the board is near the viewer: the viewer's own. */

import { keysOf } from "./keys.js";
import { PLAYERS } from "./notation.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Server["mode"]} Mode */
/** @typedef {{ id: number, seats: Record<Player, import("./types.js").Seat> }} Seated */

/** The side that is near if people play both sides here, or neither. @type {Player} */
const USUAL = "dark";

/** Whether a person plays here who may act for this seat. @param {Seated} game @param {Player} player @param {Mode} mode */
export function isHere({ id, seats }, player, mode) {
  return seats[player].kind === "person" && (mode === "mine" || player in keysOf(id));
}

/** The only one of these players, else the usual one. @param {Player[]} people @returns {Player} */
export const onlyOf = (people) => (people.length === 1 ? people[0] : USUAL);

/** @type {Player} */
let last = USUAL;

/** The side that is near: that of the only person who plays here. @param {Seated} game @param {Mode} mode @returns {Player} */
export function nearSide(game, mode) {
  last = onlyOf(PLAYERS.filter((player) => isHere(game, player, mode)));
  return last;
}

/** The side that was near in the game shown last, so that a position from it does not turn around. */
export const lastNearSide = () => last;
