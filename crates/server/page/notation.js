/**
 * Positions and moves as text: read, written and put in words. No rules: the server says whether a position or a move is legal.
 */

import { BEFORE, decimal, language, t, translate } from "./texts.js";

/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {{ squares: number[], home: number }} Side */
/** @typedef {{ player: Player, square: number }} Lying */
/** @typedef {{ tile: string, pieces: Lying[] }} Stack  Bottom first. */
/** @typedef {{ light: Side, dark: Side, turn: Player, roll: number | null, stacks: Stack[] }} Setup */

/** @type {readonly Player[]} */
export const PLAYERS = ["light", "dark"];

/** @param {Player} player @returns {Player} */
export const opponent = (player) => (player === "light" ? "dark" : "light");

/** @param {string} text @returns {Side} */
function readSide(text) {
  const [squares, home] = text.replace("-", "").split("+");
  return { squares: squares ? squares.split(",").map(Number) : [], home: Number(home ?? 0) };
}

/** One side of a position: its squares, and how many of its pieces are home. */
const SIDE = "-|\\d+(?:,\\d+)*(?:\\+\\d+)?|\\+\\d+";
const STACK = "[A-Z]\\d+=[LD]\\d+(?:[.][LD]\\d+)*";
const POSITION = new RegExp(`^(${SIDE}):(${SIDE}):([LD])(\\d*)(?::(${STACK}(?:,${STACK})*))?$`);

/** @param {string} letter @returns {Player} */
const turnOf = (letter) => (letter === "L" ? "light" : "dark");

/** @param {string} text @returns {Stack} */
function readStack(text) {
  const [tile, pieces] = text.split("=");
  return { tile, pieces: pieces.split(".").map((piece) => ({ player: turnOf(piece.charAt(0)), square: Number(piece.slice(1)) })) };
}

/**
 * Reads a position; throws if the text does not have the form of one.
 *
 * @param {string} text
 * @returns {Setup}
 */
export function readPosition(text) {
  const found = POSITION.exec(text.trim());
  if (!found) throw new Error(t("“{text}” is not a position. A position looks like -:-:L or 4,8+2:1,5:D3.", { text }));
  const [, light, dark, turn, roll, stacks] = found;
  return {
    light: readSide(light),
    dark: readSide(dark),
    turn: turnOf(turn),
    roll: roll === "" ? null : Number(roll),
    stacks: stacks ? stacks.split(",").map(readStack) : [],
  };
}

/** @param {Side} side */
function writeSide({ squares, home }) {
  const standing = [...squares].sort((a, b) => a - b).join(",");
  return standing + (home > 0 ? `+${home}` : "") || "-";
}

/** @param {Player} player */
const letterOf = (player) => (player === "light" ? "L" : "D");

/** @param {Stack} stack */
const writeStack = ({ tile, pieces }) => `${tile}=${pieces.map(({ player, square }) => letterOf(player) + square).join(".")}`;

/** @param {Setup} setup */
export function writePosition({ light, dark, turn, roll, stacks }) {
  const last = stacks.length > 0 ? `:${stacks.map(writeStack).join(",")}` : "";
  return `${writeSide(light)}:${writeSide(dark)}:${letterOf(turn)}${roll ?? ""}${last}`;
}

/**
 * Where every piece of a position stands; throws if the board has no such square or tile, or the player too few pieces.
 *
 * @param {Rules} rules
 * @param {string} position
 * @returns {import("./types.js").Standing}
 */
export function standing(rules, position) {
  const setup = readPosition(position);
  /** @param {Player} player */
  const pieces = (player) => setup[player].squares.map((square) => {
    const tile = rules.paths[player][square - 1];
    if (!tile) {
      const { length } = rules.paths[player];
      throw new Error(t("“{position}” has a {player} piece on square {square}. The path has the squares 1 to {length}.", { position, player: t(player), square, length }));
    }
    return { player, square, tile };
  });
  /** @param {Player} player */
  const hand = (player) => {
    const held = rules.pieces - setup[player].squares.length - setup[player].home;
    if (held < 0) {
      const { pieces } = rules;
      throw new Error(t("“{position}” has {count} {player} pieces. Each player has {pieces}.", { position, count: pieces - held, player: t(player), pieces }));
    }
    return held;
  };
  const unknown = setup.stacks.find(({ tile }) => !rules.board.tiles.some((known) => known.tile === tile));
  if (unknown) throw new Error(t("“{position}” has a stack on {tile}, which is not a tile of this board.", { position, tile: unknown.tile }));
  return {
    pieces: inStacks([...pieces("light"), ...pieces("dark")], setup.stacks),
    hand: { light: hand("light"), dark: hand("dark") },
    home: { light: setup.light.home, dark: setup.dark.home },
  };
}

/** Puts pieces that lie on each other in order, bottom first. @param {import("./types.js").Piece[]} pieces @param {Stack[]} stacks */
function inStacks(pieces, stacks) {
  const tiles = new Set(stacks.map(({ tile }) => tile));
  const lying = stacks.flatMap((stack) => stack.pieces.map((piece) => ({ ...piece, tile: stack.tile })));
  return [...pieces.filter(({ tile }) => !tiles.has(tile)), ...lying];
}

/**
 * The ends of a move: null for the hand and for home.
 *
 * @param {Rules} rules
 * @param {Player} player
 * @param {string} move
 */
export function ends(rules, player, move) {
  const [from, to] = move.split("-").map(Number);
  /** @param {number} square */
  const place = (square) => (square > 0 ? { square, tile: rules.paths[player][square - 1] } : null);
  return move === "pass" ? { from: null, to: null } : { from: place(from), to: place(to) };
}

/**
 * A move in few words: `hand → A4`.
 *
 * @param {{ move: string, from: { tile: string } | null, to: { tile: string } | null }} option
 */
export function moveText({ move, from, to }) {
  if (move === "pass") return t("no move");
  return t("{from} → {to}", { from: from?.tile ?? t("hand"), to: to?.tile ?? t("home") });
}

/**
 * A move in words.
 *
 * @param {{ move: string, from: { tile: string } | null, to: { tile: string } | null, capture?: boolean, again?: boolean }} option
 */
export function moveWords({ move, from, to, capture, again }) {
  if (move === "pass") return t("cannot move");
  const tiles = { from: from?.tile ?? "", to: to?.tile ?? "" };
  const way = from ? (to ? t("moves {from} to {to}", tiles) : t("brings {from} home", tiles)) : t("enters on {to}", tiles);
  return [way, ...(capture ? [t("captures")] : []), ...(again ? [t("rolls again")] : [])].join(t(", "));
}

/** The pieces of each tile that has some, bottom first. @param {import("./types.js").Standing} standing */
export function stacksOf({ pieces }) {
  const tiles = [...new Set(pieces.map(({ tile }) => tile))];
  return tiles.map((tile) => ({ tile, pieces: pieces.filter((piece) => piece.tile === tile) }));
}

/** The pieces of a tile in words: `light`, or `from below: light, dark veteran`. @param {{ pieces: { player: Player, veteran?: boolean }[] }} stack */
export function stackWords({ pieces }) {
  const words = pieces.map(({ player, veteran }) => (veteran ? t("{piece} veteran", { piece: t(player) }) : t(player))).join(t(", "));
  return pieces.length > 1 ? t("from below: {pieces}", { pieces: words }) : words;
}

/**
 * A position in words.
 *
 * @param {import("./types.js").Standing} standing
 */
export function standingWords(standing) {
  const { pieces, hand, home } = standing;
  const words = PLAYERS.map((player) => {
    const tiles = pieces.filter((piece) => piece.player === player).map(({ tile, veteran }) => (veteran ? t("{piece} veteran", { piece: tile }) : tile));
    const values = { player: t(player), hand: hand[player], home: home[player], tiles: tiles.join(t(", ")) };
    return tiles.length > 0 ? t("{player}: {hand} in hand, {home} home, on the board {tiles}", values) : t("{player}: {hand} in hand, {home} home, on the board none", values);
  });
  const stacks = stacksOf(standing).filter((stack) => stack.pieces.length > 1);
  return [...words, ...stacks.map((stack) => stack.tile + t(", ") + stackWords(stack))].join(t("; "));
}

/** A chance in percent. @param {number} chance @param {number} [digits] */
export function percent(chance, digits = 1) {
  return `${decimal(chance * 100, digits)} %`;
}

/** A number with its sign, unless it is zero. @param {number} number @param {number} digits */
export function signed(number, digits) {
  const text = decimal(number, digits);
  return number > 0 && text !== decimal(0, digits) ? `${BEFORE}+${text}` : text;
}

/** A difference of chances in points, with its sign. @param {number} difference */
export const points = (difference) => signed(difference * 100, 1);

/** @param {string} player */
export function capital(player) {
  return player.charAt(0).toUpperCase() + player.slice(1);
}

/** Digits in groups. @param {number} number */
export function grouped(number) {
  return new Intl.NumberFormat(language, { numberingSystem: "latn" }).format(number);
}

/** What a program is called: `elo:1800` is “Elo 1800”. @param {string} spec */
export const programName = (spec) => translate(capital(spec.replaceAll(":", " ")));

/** What a person is called: one without a name is called after the player, in English. @param {string} name */
export const personName = (name) => (PLAYERS.some((one) => capital(one) === name) ? t(name) : name);

/** Dice in words: `3d0=4` are three binary dice that count 4 if none is up. @param {string} dice */
export function diceWords(dice) {
  const [count, zero] = dice.split("d0=");
  const values = { count: Number.parseInt(count, 10), zero };
  return zero ? t("{count} binary dice; none marked counts {zero}", values) : t("{count} binary dice", values);
}
