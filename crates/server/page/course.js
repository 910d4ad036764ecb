/** How a game on the page goes on: the requests of people and programs, and what others have done. */

import { ApiError, api, onceLost } from "./api.js";
import { actor } from "./cube.js";
import { pause } from "./dom.js";
import { keysOf } from "./keys.js";
import { complain } from "./live.js";
import { PLAYERS } from "./notation.js";
import { settings } from "./settings.js";
import { isHere } from "./side.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Player} Player */

/** How long to wait for a game that is being solved with its cube. */
const SOLVING = 2000;

/** How long a roll without a move is shown. */
const PASS_SHOWN = 1100;

/** How long to wait before a pass is tried again. */
const PASS_AGAIN = 3000;

/** The parts by which two states of a game differ. @param {Game} game */
const stands = ({ plies, stage, roll, ending, doubles, next_game: next }) => JSON.stringify([plies, stage, roll, ending, doubles, next]);

/** A game as it goes on. The screen on which it is played extends this, and shows it. */
export class Course {
  /**
   * @param {Game} game
   * @param {import("./types.js").Server["mode"]} mode
   */
  constructor(game, mode) {
    this.mode = mode;
    this.game = game;
    this.busy = false;
    this.closed = false;
    this.running = false;
    this.paused = false;
    /** What the position is worth; null until that is known. @type {import("./types.js").Answer | null} */
    this.answer = null;
    this.hinted = false;
    /** How many plies there were when a program whose dice are thrown by hand was last asked whether it doubles. */
    this.offered = -1;
    /** Whether the game is being solved with its cube, and a program waits for that. */
    this.waiting = false;
    /** Others change the game too: from another device, or another tab. @type {import("./transport.js").Events | null} */
    this.events = null;
    this.stale = false;
    /** The error of a request that was refused, as happens if another client was faster. @type {ApiError | null} */
    this.refused = null;
    this.attend = () => this.watch();
  }

  /** Draws how the game stands. */
  render() {}

  /** Shows and says the way to the next state. @param {Game} _next */
  async tell(_next) {}

  /** Takes no moves while a request is under way. @param {boolean} _busy */
  hush(_busy) {}

  /** Begins to follow what others do. */
  follow() {
    document.addEventListener("visibilitychange", this.attend);
    this.watch();
  }

  /** Ends what goes on by itself. */
  leave() {
    this.closed = true;
    this.events?.close();
    this.events = null;
    document.removeEventListener("visibilitychange", this.attend);
  }

  /** Follows the game as long as it is looked at: a browser has few connections to a server. */
  watch() {
    this.events?.close();
    this.events = null;
    if (document.hidden) return;
    const events = api.changes(this.game.id);
    this.events = events;
    events.onmessage = () => void this.refresh(true);
    // The stream does not report earlier changes.
    events.onopen = () => void this.refresh(true);
    onceLost(events, () => { if (this.events === events) this.watch(); });
  }

  /** Asks how the game stands, and shows what others have done. @param {boolean} [again] Whether programs that had to stop try again. */
  async refresh(again = false) {
    this.stale = this.busy;
    if (this.busy || this.closed) return;
    const next = await api.game(this.game.id).catch((error) => this.lose(error));
    if (!next || this.closed || this.busy) return;
    const isNew = stands(next) !== stands(this.game);
    // If another client was faster, the new state of the game is shown, and says enough.
    if (this.refused && !isNew) complain(this.refused);
    this.refused = null;
    if (isNew ? await this.take(async () => next) : again) this.run();
  }

  /** Says that the game was removed, if that is why it cannot be had; other errors pass. @param {unknown} error */
  lose(error) {
    if (this.closed || !(error instanceof ApiError && error.status === 404)) return;
    this.events?.close();
    this.events = null;
    complain(error);
  }

  /** The players that are people and play here. */
  get people() {
    return PLAYERS.filter((player) => this.isHere(player));
  }

  /** Whether a person plays here who may act for this seat. @param {Player} player */
  isHere(player) {
    return isHere(this.game, player, this.mode);
  }

  /** @param {Player} player */
  isPerson(player) {
    return this.game.seats[player].kind === "person";
  }

  /** Whether the game can go on from here: on a server for others, only with a seat's key. */
  get isOurs() {
    return this.mode === "mine" || Object.keys(keysOf(this.game.id)).length > 0;
  }

  /** Whether a program is to roll or to move, and may. */
  goesByItself() {
    const { stage, thrown, may_double: may, plies } = this.game;
    const waits = stage === "roll" && thrown === "manual" && !(may && this.offered !== plies.length);
    return this.isOurs && stage !== "over" && !this.isPerson(actor(this.game)) && !waits;
  }

  /** Lets programs play as long as it is their turn. */
  async run() {
    if (this.running) return;
    this.running = true;
    while (!this.closed && !this.paused && this.goesByItself()) {
      this.offered = this.game.plies.length;
      if (await this.take(() => api.step(this.game.id))) await pause(settings.pace);
      else if (this.waiting) await pause(SOLVING);
      else break;
    }
    this.running = false;
    if (!this.closed) this.passIfForced();
  }

  /** Plays the pass of a person who cannot move, after the roll has been seen. */
  async passIfForced() {
    const { forced_pass: forced, id, plies } = this.game;
    if (!forced || !this.isHere(this.game.turn) || this.busy) return;
    await pause(PASS_SHOWN);
    if (this.closed || this.game.plies.length !== plies.length || !this.game.forced_pass) return;
    if (await this.take(() => api.move(id, "pass"))) return void this.run();
    await pause(PASS_AGAIN);
    if (!this.closed) this.passIfForced();
  }

  /**
   * Asks for the next state of the game, shows the way to it and draws it. Returns whether that went well.
   *
   * @param {() => Promise<Game>} asked
   */
  async take(asked) {
    if (this.busy) return false;
    this.busy = true;
    this.hush(true);
    try {
      const next = await asked();
      await this.tell(next);
      this.game = next;
      this.answer = null;
      this.hinted = false;
      return true;
    } catch (error) {
      this.waiting = error instanceof ApiError && error.said.endsWith("is being solved with its cube");
      if (!this.waiting) this.fail(error);
      return false;
    } finally {
      this.busy = false;
      this.hush(false);
      if (!this.closed) this.render();
      if (this.stale) this.refresh();
    }
  }

  /** Says what went wrong; of a conflict only if the game has not changed. @param {unknown} error */
  fail(error) {
    if (!(error instanceof ApiError && error.status === 409)) return complain(error);
    this.stale = true;
    this.refused = error;
  }

  /** Waits until what is under way has been shown. */
  async free() {
    while (this.busy && !this.closed) await pause(50);
  }
}
