/** The tutor: a word before a move that gives away much. */

import { sure } from "./asking.js";
import { ends, moveText, percent, readPosition } from "./notation.js";
import { decimal, t } from "./texts.js";

/** What a move must give away for a warning: 2 points, where reviews begin to speak of an inaccuracy. */
const COSTLY = 0.02;

/**
 * Returns whether the move may be played: at once if it is good, else as the player says.
 *
 * @param {import("./types.js").Rules} rules
 * @param {import("./types.js").Answer | null} answer
 * @param {string} move
 * @returns {Promise<boolean>}
 */
export async function allowed(rules, answer, move) {
  const moves = answer?.rolls[0]?.moves ?? [];
  const chosen = moves.find((option) => option.move === move);
  if (!answer || !chosen || moves[0].value - chosen.value < COSTLY) return true;
  const { turn } = readPosition(answer.position);
  const best = moveText({ move: moves[0].move, ...ends(rules, turn, moves[0].move) });
  const played = moveText({ move, ...ends(rules, turn, move) });
  const cost = decimal((moves[0].value - chosen.value) * 100, 1);
  const chances = { chance: percent(chosen.value), most: percent(moves[0].value) };
  const text = t("{played} wins {chance}. {best} would win {most}.", { played, best, ...chances });
  return sure(t("This gives away {cost} points", { cost }), text, { yes: t("Play it all the same"), no: t("Take it back"), kind: "tutor" });
}
