/** What happened between two states of a game: shown on the board and the dice, said, and sounded. */

import { say } from "./live.js";
import { moveWords, opponent, stacksOf, stackWords } from "./notation.js";
import { play as sound } from "./sound.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {{ board: import("./board.js").Board, dice: import("./dice.js").Dice, name: (player: import("./types.js").Player) => string }} Table */

/**
 * Reports the one roll or ply between two states, and a double; nothing else.
 *
 * @param {Table} table
 * @param {Game} before
 * @param {Game} after
 */
export async function tell(table, before, after) {
  // After undo, or if steps were missed, a roll waits that nobody threw just now.
  const isSamePly = after.plies.length === before.plies.length && after.turn === before.turn;
  if (isSamePly && before.stage === "roll" && after.stage === "move" && after.roll !== null) {
    sound("roll");
    const values = { player: table.name(before.turn), roll: after.roll };
    say(after.forced_pass ? t("{player} rolls {roll} and cannot move.", values) : t("{player} rolls {roll}.", values));
    await table.dice.roll(after.dice, after.roll);
  }
  tellDouble(table, before, after);
  const { length } = before.plies;
  if (after.plies.length === length + 1) await tellPly(table, after.plies[length], after);
}

/** Reports a double, or the answer to one. @param {Table} table @param {Game} before @param {Game} after */
function tellDouble(table, before, after) {
  const last = after.doubles.at(-1);
  if (!last || !after.stakes) return;
  if (after.doubles.length > before.doubles.length && last.taken === null) {
    say(t("{player} doubles to {value}.", { player: table.name(last.player), value: 2 * after.stakes.value }));
  } else if (after.doubles.length === before.doubles.length && last.taken !== null && before.doubles.at(-1)?.taken === null) {
    const player = table.name(opponent(last.player));
    say(last.taken ? t("{player} takes.", { player }) : t("{player} passes.", { player }));
  }
}

/** @param {Table} table @param {Ply} ply @param {Game} after */
async function tellPly(table, ply, after) {
  table.board.mark([]);
  await table.board.play(ply.player, ply);
  sound(after.winner ? "over" : soundOf(ply));
  const stack = stacksOf(after).find(({ tile }) => tile === ply.to?.tile);
  const onto = stack && stack.pieces.length > 1 ? ` ${t("{tile}, {pieces}.", { tile: stack.tile, pieces: stackWords(stack) })}` : "";
  say(t("{player} {move}.", { player: table.name(ply.player), move: moveWords(ply) }) + onto);
  if (after.winner) say(t("{player} wins.", { player: table.name(after.winner) }));
}

/** @param {Ply} ply */
function soundOf({ move, to, capture, again }) {
  if (move === "pass") return "pass";
  if (capture) return "capture";
  if (!to) return "home";
  return again ? "rosette" : "move";
}
