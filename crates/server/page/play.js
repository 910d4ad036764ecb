/** The screen on which games are played: by people, by programs, or by both. */

import { api } from "./api.js";
import { ask, sure } from "./asking.js";
import { Board } from "./board.js";
import { ChanceBar, heatMap, judged, lightChance, tableState } from "./chances.js";
import { Controls } from "./controls.js";
import { Course } from "./course.js";
import { CubePanel, actor, choiceTable, pointWords } from "./cube.js";
import { Dice, diceCount } from "./dice.js";
import { button, fill, h } from "./dom.js";
import { Guide, restarts } from "./guide.js";
import { forget, keep, keysOf, takeSeat } from "./keys.js";
import { complain, say } from "./live.js";
import { MoveList } from "./movelist.js";
import { lobby } from "./newgame.js";
import { PLAYERS, capital, ends, moveText, opponent, percent, personName, programName } from "./notation.js";
import { address, gameNumber, go, settle, whileHere } from "./router.js";
import { copied, share } from "./share.js";
import { nearSide } from "./side.js";
import { changes, orientation, settings } from "./settings.js";
import { tell } from "./telling.js";
import { t } from "./texts.js";
import { allowed } from "./tutor.js";
import { origin, target } from "./layout.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").Player} Player */
/** @typedef {import("./types.js").Rules} Rules */

/** @type {import("./router.js").Keys} */
const KEYS = [
  [t("Space, Enter"), t("throws the dice")], [t("1 to 9"), t("plays the move with this number, or enters what real dice show")],
  [t("Arrows"), t("go through the moves, Enter plays one")], ["h", t("gives a hint")], ["u", t("takes back")], ["d", t("doubles, in a game with a cube; t takes, p passes")],
];

/** @param {string[]} words the game and perhaps a seat with its key, or `new`, the rules and a start */
export async function open([word, ...rest]) {
  if (!word || word === "new") return lobby(rest);
  const [seat, key] = rest;
  const id = gameNumber(word);
  // A link that a friend sent: the seat is taken, and the key leaves the address.
  if (key && (seat === "light" || seat === "dark")) {
    if (!takeSeat(id, seat, key)) complain(new Error(t("This link is incomplete: ask for it again.")));
    settle("play", word);
  }
  const [game, rules, { mode }] = await Promise.all([api.game(id), api.gameRules(id), api.server()]);
  return new Play(game, rules, mode).screen();
}

/** A seat for the other player; a person without a name is called after that player. @param {import("./types.js").Seat} seat @param {Player} player @returns {import("./types.js").Seat} */
function moved(seat, player) {
  const isNamed = seat.kind !== "person" || seat.name !== capital(opponent(player));
  return isNamed ? seat : { ...seat, name: capital(player) };
}

class Play extends Course {
  /**
   * @param {Game} game
   * @param {Rules} rules
   * @param {import("./types.js").Server["mode"]} mode
   */
  constructor(game, rules, mode) {
    super(game, mode);
    this.rules = rules;
    /** What the viewer of two programs has hidden. @type {Set<import("./controls.js").Veiled>} */
    this.veiled = new Set();
    this.dice = new Dice();
    this.bar = new ChanceBar();
    this.guide = new Guide(rules);
    this.moveList = new MoveList({ onmove: (option) => this.move(option), onpoint: (option) => this.point(option) });
    this.board = new Board(rules, this.view());
    this.board.onmove = (option) => void this.move(option);
    this.board.onpoint = (option) => this.point(option);
    this.status = h("p", { class: "status" });
    this.rollButton = button(t("Roll"), () => this.roll(), { class: "primary large roll" });
    this.cube = new CubePanel({ double: () => this.double(), answer: (take) => this.answerDouble(take), next: () => this.next() });
    this.thrown = h("div", { class: "throw" }, this.dice.element, this.rollButton);
    /** The buttons to enter the roll of real dice. */
    this.throws = h("div", { class: "chips" });
    this.heat = h("div", {});
    /** The marks of what the next roll would bring. @type {import("./board.js").Mark[]} */
    this.warmth = [];
    this.controls = new Controls({
      hint: () => this.hint(), undo: () => this.undo(), resign: () => this.resign(), rematch: () => this.rematch(),
      hold: () => this.hold(!this.paused), step: () => this.step(), invite: () => this.invite(), share: () => this.share(),
      veil: (what) => this.veil(what),
    });
    this.history = h("ol", { class: "history" });
    this.names = { light: h("h2", {}), dark: h("h2", {}) };
    this.table = tableState(rules.name, () => { this.judgeable = true; this.judge(); this.run(); });
    /** Whether there is a table to ask. */
    this.judgeable = true;
    this.boardside = h("div", { class: "boardside" });
    this.redraw = () => {
      this.turn();
      this.render();
    };
    this.onresize = () => this.turn();
  }

  /** How the board lies, and which side of it is near. */
  view() {
    return { orientation: orientation(), near: nearSide(this.game, this.mode) };
  }

  /** Turns the board and the names beside it to the viewer. */
  turn() {
    const view = this.view();
    this.board.turn(view);
    fill(this.boardside, this.names[opponent(view.near)], this.board.element, this.names[view.near]);
  }

  screen() {
    changes.addEventListener("change", this.redraw);
    restarts.addEventListener("restart", this.redraw);
    addEventListener("resize", this.onresize);
    this.follow();
    const side = h("aside", { class: "side" },
      h("section", { class: "card now" }, this.status, this.thrown, this.throws, this.moveList.element, this.cube.element),
      this.guide.element,
      h("section", { class: "card" }, this.bar.element, this.table.element, this.heat, this.controls.element),
      h("details", { class: "card" }, h("summary", {}, t("Moves of the game")), this.history));
    const title = t("{light} against {dark}", { light: this.name("light"), dark: this.name("dark") });
    const element = h("div", { class: "play" }, h("h1", { class: "unseen" }, title),
      this.boardside, side);
    this.redraw();
    this.run();
    return {
      element,
      title,
      close: () => this.close(),
      key: (/** @type {KeyboardEvent} */ event) => this.key(event),
      keys: KEYS,
    };
  }

  close() {
    this.leave();
    this.table.close();
    changes.removeEventListener("change", this.redraw);
    restarts.removeEventListener("restart", this.redraw);
    removeEventListener("resize", this.onresize);
  }

  /** @param {Player} player */
  name(player) {
    const seat = this.game.seats[player];
    if (seat.kind === "agent") return programName(seat.spec);
    return personName(seat.name);
  }

  /** Shows and says the way to the next state. @param {Game} next */
  async tell(next) {
    await tell(this, this.game, next);
  }

  /** Takes no moves meanwhile. @param {boolean} busy */
  hush(busy) {
    this.board.element.classList.toggle("busy", busy);
    if (busy) this.board.choose([], "light");
  }

  render() {
    const { game } = this;
    this.board.show(game);
    const mine = this.isHere(game.turn) && game.stage === "move";
    const options = mine ? game.moves : [];
    this.board.choose(options, game.turn);
    this.moveList.show(mine && !game.forced_pass ? options : [], this.judgements());
    this.dice.show(game.dice, game.stage === "roll" ? null : game.roll, diceCount(this.rules.dice));
    for (const player of PLAYERS) {
      this.names[player].dataset.turn = t("to play");
      this.names[player].className = `seatname ${player}${game.stage !== "over" && actor(game) === player ? " turn" : ""}`;
      fill(this.names[player], h("i", { "aria-hidden": "true" }), this.name(player),
        game.winner === player && h("b", {}, ` ${t("wins")}`));
    }
    this.renderStatus();
    this.cube.show(game, { isHere: (player) => this.isHere(player), name: (player) => this.name(player), choice: this.hinted ? this.answer?.cube ?? null : null });
    this.controls.show(game, this);
    this.renderVeils();
    if (game.stage === "over" || this.isHere(actor(game))) this.guide.show(game);
    this.renderHistory();
    this.warmth = [];
    this.point(null);
    this.judge();
    if (document.documentElement.dataset.input === "keys") this.focus();
  }

  /** Who gave up or left, if the game ended so. */
  early() {
    const [how, who] = (this.game.ending ?? "").split(" ");
    const player = who === "L" ? this.name("light") : who === "D" ? this.name("dark") : t("A player");
    if (this.game.doubles.at(-1)?.taken === false) return `${t("{player} passes.", { player })} `;
    return how === "resigned" ? `${t("{player} resigned.", { player })} ` : how ? `${t("{player} left.", { player })} ` : "";
  }

  /** Who wins, and how much if the game has a cube. @param {Player} winner */
  winWords(winner) {
    const { stakes, next_score: next } = this.game;
    const player = this.name(winner);
    if (!stakes) return t("{player} wins.", { player });
    const points = t("{player} wins {points}.", { player, points: pointWords(stakes.value) });
    return stakes.score && !next ? `${points} ${t("{player} wins the match.", { player })}` : points;
  }

  renderStatus() {
    const { stage, turn, winner, roll, forced_pass: forced, answering } = this.game;
    const own = this.isHere(turn);
    const manual = this.game.thrown === "manual" && stage === "roll";
    this.rollButton.hidden = !(stage === "roll" && own) || manual;
    fill(this.throws, ...(manual && this.isOurs ? this.rules.rolls.map(({ roll }) => button(String(roll), () => this.roll(roll), { class: "chip", "aria-label": t("The dice show {roll}", { roll }) })) : []));
    this.thrown.hidden = stage === "over" || stage === "answer";
    if (stage === "over") {
      this.status.textContent = winner ? this.early() + this.winWords(winner) : t("The game is over.");
    } else if (answering) {
      const values = { player: this.name(answering), other: this.name(turn), value: 2 * (this.game.stakes?.value ?? 1) };
      this.status.textContent = this.isHere(answering) ? t("{other} doubles to {value}: {player} takes or passes", values) : t("{other} doubles to {value}", values);
    } else {
      const values = { player: this.name(turn), roll: roll ?? "" };
      this.status.textContent = stage === "roll"
        ? own ? t("{player} to roll", values) : t("{player} is to roll", values)
        : !own ? t("{player} rolled {roll}", values)
          : forced ? t("{player} rolled {roll} and cannot move", values) : t("{player} rolled {roll}: choose a move", values);
    }
  }

  renderHistory() {
    const lines = this.game.plies.map((ply) =>
      h("li", { class: ply.player }, h("b", {}, ply.roll), ` ${moveText(ply)}${ply.capture ? " ×" : ""}`));
    fill(this.history, ...lines);
    this.history.scrollTop = this.history.scrollHeight;
  }

  /** Asks what the position is worth, and shows what the settings ask for. */
  async judge() {
    const { game } = this;
    this.bar.element.hidden = !settings.chances;
    fill(this.heat);
    if (game.stage === "over") return this.bar.show(game.winner ? Number(game.winner === "light") : null);
    if (!(settings.chances || settings.heat || settings.tutor)) return;
    if (!this.judgeable || !game.known) return this.bar.show(null);
    try {
      const answer = this.answer ?? await judged(game.rules, game.position);
      if (this.closed || game !== this.game) return;
      this.judgeable = answer !== null;
      this.answer = answer;
      this.bar.show(answer && lightChance(answer));
      if (answer && settings.heat && game.stage === "roll") {
        const { element, marks } = heatMap(this.rules, answer);
        fill(this.heat, element);
        this.warmth = marks;
        this.point(null);
      }
    } catch {
      this.bar.show(null);
    }
  }

  /** The values of the moves, the best first, if there is a hint about them; before a roll a hint is about the cube. */
  judgements() {
    return this.hinted && this.game.stage === "move" ? this.answer?.rolls[0]?.moves ?? [] : [];
  }

  /** Shows a move on the board, or the last one. @param {Option | null} option */
  point(option) {
    const { turn, plies } = this.game;
    this.moveList.point(option);
    if (option) {
      return this.board.mark([{ place: target(option, turn), kind: option.capture ? "goal capture" : "goal" }],
        [{ from: origin(option, turn), to: target(option, turn), kind: turn }]);
    }
    const last = plies[plies.length - 1];
    const marks = last && last.move !== "pass"
      ? [last.from, last.to].flatMap((place) => (place ? [{ place: place.tile, kind: "last" }] : [])) : [];
    const goals = this.isHere(turn) && this.game.stage === "move" && !this.busy
      ? this.game.moves.filter((move) => move.to).map((move) => ({ place: target(move, turn), kind: move.capture ? "goal capture" : "goal" })) : [];
    this.board.mark([...this.warmth, ...marks, ...goals], this.hintArrows());
  }

  hintArrows() {
    const [best] = this.judgements();
    const { turn } = this.game;
    if (!best || best.move === "pass") return [];
    const way = ends(this.rules, turn, best.move);
    return [{ from: origin(way, turn), to: target(way, turn), kind: "best" }];
  }

  /** Throws the dice, or enters what real ones show. @param {number} [shown] */
  async roll(shown) {
    const { id, stage, thrown, turn } = this.game;
    const mine = thrown === "manual" ? shown !== undefined && this.isOurs : this.isHere(turn);
    if (stage === "roll" && mine && await this.take(() => api.roll(id, shown))) this.run();
  }

  /** What a digit says: which move to play, or what real dice show. @param {number} digit */
  number(digit) {
    const { stage, thrown } = this.game;
    if (stage === "move") return this.moveList.play(digit);
    if (thrown === "manual" && this.rules.rolls.some(({ roll }) => roll === digit)) this.roll(digit);
  }

  /** @param {Option} option */
  async move(option) {
    const { game } = this;
    if (this.busy || !this.isHere(game.turn)) return;
    if (settings.tutor && game.known) {
      const answer = this.answer ?? await judged(game.rules, game.position).catch(() => null);
      const isAllowed = await allowed(this.rules, answer, option.move);
      // Meanwhile the game may have gone on elsewhere: then the answer is about another position.
      if (this.closed || game !== this.game) return;
      if (!isAllowed) return this.render();
    }
    if (await this.take(() => api.move(game.id, option.move))) this.run();
  }

  async hint() {
    const { controls, game } = this;
    if (controls.hint.hidden || controls.hint.disabled) return;
    try {
      const answer = await api.hint(game.id);
      // A hint that comes late is about another position.
      if (this.closed || game !== this.game) return;
      this.answer = answer;
      this.hinted = true;
      const best = this.answer.rolls[0]?.moves[0];
      const { turn, stage, stakes } = this.game;
      if (stage !== "move") {
        if (!this.answer.cube) complain(new Error(t("This game is not solved with its cube, so there is no hint about doubling.")));
        else if (stakes) say(choiceTable(this.answer.cube, stakes, turn, (player) => this.name(player)).textContent ?? "");
      } else if (best) {
        const move = moveText({ move: best.move, ...ends(this.rules, turn, best.move) });
        say(t("Best: {move}, {chance}.", { move, chance: percent(best.value) }));
      }
      this.render();
      // The board and the moves, which now show the hint, may have been scrolled away on the way to the button.
      scrollTo(0, 0);
    } catch (error) {
      complain(error);
    }
  }

  async double() {
    if (this.game.may_double && this.isHere(this.game.turn) && await this.take(() => api.double(this.game.id))) this.run();
  }

  /** @param {boolean} take */
  async answerDouble(take) {
    const { answering, id } = this.game;
    if (answering && this.isHere(answering) && await this.take(() => api.answer(id, take))) this.run();
  }

  /** Goes to the next game of the match, with the same keys of its seats. */
  async next() {
    const { id } = this.game;
    const here = whileHere();
    try {
      const next = await api.next(id);
      keep(next.id, keysOf(id));
      if (here()) go("play", String(next.id));
    } catch (error) {
      complain(error);
    }
  }

  async undo() {
    if (await this.take(() => api.undo(this.game.id))) {
      say(t("Taken back."));
      this.run();
    }
  }

  async resign() {
    const turn = actor(this.game);
    const player = this.people.includes(turn) ? turn : this.people[0];
    const title = t("{player} resigns?", { player: this.name(player) });
    if (!await sure(title, "", { yes: t("Resign"), no: t("Play on") })) return;
    await this.free();
    await this.take(() => api.resign(this.game.id, player));
  }

  /** Shares the position, or the game once it is over. */
  async share() {
    const { id, stage, position } = this.game;
    try {
      const record = stage === "over" ? (await api.record(id, "urg")).text : undefined;
      await share({ rules: this.rules, board: this.board, position, record });
    } catch (error) {
      complain(error);
    }
  }

  /** Makes the link by which a friend takes dark's seat, and gives the seat up here. */
  async invite() {
    const { id } = this.game;
    const link = new URL(address("play", String(id), "dark", keysOf(id).dark ?? ""), location.href).href;
    const text = t("Send this link to a friend, then give the seat away. The person who opens it plays {player}.", { player: this.name("dark") });
    const content = [h("p", {}, text), copied(t("A link to the seat"), link, "link")];
    const answers = /** @type {[string, string][]} */ ([["yes", t("Give the seat away")]]);
    if (!await ask(t("Invite a friend?"), content, { answers, none: t("Play both"), kind: "share" })) return;
    forget(id, "dark");
    this.redraw();
  }

  /** Begins a game of the same players with changed sides. */
  async rematch() {
    const { rules, seats, stakes, thrown } = this.game;
    const here = whileHere();
    try {
      const again = await api.newGame({ rules, light: moved(seats.dark, "light"), dark: moved(seats.light, "dark"), manual: thrown === "manual", ...(stakes && { cube: stakes.cap }) });
      if (here()) go("play", String(again.id));
    } catch (error) {
      complain(error);
    }
  }

  /** Lets a program roll or move once, and holds. */
  async step() {
    this.hold(true);
    await this.free();
    await this.take(() => api.step(this.game.id));
  }

  /** @param {boolean} paused */
  hold(paused) {
    this.paused = paused;
    this.controls.show(this.game, this);
    this.run();
  }

  /** Hides the dice or the values of a game between programs, or shows them again. @param {import("./controls.js").Veiled} what */
  veil(what) {
    if (!this.veiled.delete(what)) this.veiled.add(what);
    this.controls.show(this.game, this);
    this.renderVeils();
  }

  /** Hides what the viewer wants to guess, as long as the game goes on. */
  renderVeils() {
    const hides = (/** @type {import("./controls.js").Veiled} */ what) => this.game.stage !== "over" && this.veiled.has(what);
    this.dice.element.classList.toggle("veiled", hides("dice"));
    this.status.classList.toggle("veiled", hides("dice") && this.game.stage === "move");
    for (const element of [this.bar.element, this.heat]) element.classList.toggle("veiled", hides("values"));
  }

  /** Puts the focus on what is to be done, for people who play by keys. */
  focus() {
    if (document.querySelector("dialog[open]")) return;
    if (this.cube.focused) this.cube.focused.focus({ preventScroll: true });
    else if (!this.rollButton.hidden) this.rollButton.focus({ preventScroll: true });
    else this.moveList.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const onControl = event.target instanceof Element && event.target.closest("button, a, summary, input");
    const inList = event.target instanceof Node && this.moveList.element.contains(event.target);
    if ((event.key === " " || event.key === "Enter") && !onControl) this.roll();
    else if (event.key.startsWith("Arrow") && (!onControl || inList)) this.moveList.step(event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1);
    else if (/^[0-9]$/.test(event.key)) this.number(Number(event.key));
    else if (event.key === "h") this.hint();
    else if (event.key === "u") this.undo();
    else if (event.key === "d") this.double();
    else if (event.key === "t") this.answerDouble(true);
    else if (event.key === "p") this.answerDouble(false);
    else return;
    event.preventDefault();
  }
}
