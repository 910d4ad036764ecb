/** Guess the move: a review asks for each choice before it judges it, and a score is kept until the page is left. */

import { h } from "./dom.js";
import { ends, moveText } from "./notation.js";
import { decimal, t } from "./texts.js";

/** @typedef {import("./types.js").PlyReview} PlyReview */
/** @typedef {import("./types.js").Rules} Rules */

/** All guesses so far: how many, how many were best, what they gave away, and what the players gave away at the same choices. */
const score = { guesses: 0, best: 0, given: 0, players: 0 };

export class Guessing {
  /** The moves that were named, by the number of the ply. @type {Map<number, string>} */
  #named = new Map();
  isOn = false;

  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** Whether the move of a ply is still to be named. @param {PlyReview | undefined} ply @returns {ply is PlyReview} */
  asks(ply) {
    return this.isOn && ply !== undefined && ply.moves.length > 1 && !this.#named.has(ply.number);
  }

  /** The moves to choose from, in the order of the path: the order of a review shows which is best. @param {PlyReview} ply */
  options({ player, moves }) {
    const options = moves.map((move) => ({ ...move, ...ends(this.rules, player, move.move) }));
    return options.sort((one, other) => (one.from?.square ?? 0) - (other.from?.square ?? 0));
  }

  /** @param {PlyReview} ply @param {string} move */
  name(ply, move) {
    const given = lost(ply, move);
    this.#named.set(ply.number, move);
    score.guesses += 1;
    score.best += given === 0 ? 1 : 0;
    score.given += given;
    score.players += ply.error;
  }

  /** What the named move costs, if one was named. @param {PlyReview} ply @returns {HTMLElement | false} */
  verdict(ply) {
    const move = this.isOn && this.#named.get(ply.number);
    if (!move) return false;
    const values = { move: moveText({ move, ...ends(this.rules, ply.player, move) }) };
    const said = move === ply.move ? t("You guessed {move}, as played.", values) : t("You guessed {move}.", values);
    const given = lost(ply, move);
    return h("p", { class: "verdict" }, `${said} `,
      h("b", {}, given === 0 ? t("No move is better.") : t("It gives away {count} points.", { count: count(given) })));
  }

  /** How the guesses went so far. */
  score() {
    const { guesses, best, given, players } = score;
    if (guesses === 0) return t("No guess yet.");
    const values = { best, guesses, given: count(given), players: count(players) };
    return t("You found a best move in {best} of {guesses} choices. Your guesses gave away {given} points, the moves played {players}.", values);
  }
}

/** @param {number} given */
const count = (given) => decimal(given * 100, 1);

/** What a move of a ply gives away. @param {PlyReview} ply @param {string} move */
const lost = ({ moves, best_value: best }, move) => best - (moves.find((option) => option.move === move)?.value ?? best);
