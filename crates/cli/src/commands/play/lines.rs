//! A game in lines of text: rolls, moves and the questions in between.

mod cube;
mod ending;

use std::cell::OnceCell;
use std::io::{self, BufRead, IsTerminal};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Agent, Move, Player, Roll, Rules, Setup, Stakes};
use puabi_engine::{AgentSpec, Answer, MoveAnswer, Seat};
use puabi_server::Language;

use crate::errors;
use crate::output::text::{self, t};
use crate::output::{self, Out, status};
use crate::play::ending::early;
use crate::play::{DiceBy, LocalGame, WaitsFor};
use crate::progress::interrupt;
use crate::style::Style;
use crate::tables::judge::Judge;
use crate::tables::{self, agents};

/// A game that is played in lines of text.
pub(super) struct LineGame<'a> {
    local: LocalGame,
    style: Style,
    out: &'a mut Out,
    judge: OnceCell<Judge>,
    /// The position that was shown last, with a roll if its moves were shown too.
    shown: Option<Setup>,
    /// The stakes that were printed last.
    shown_stakes: Option<Stakes>,
}

/// Whether the game goes on.
type Step = Result<ControlFlow<()>>;

impl<'a> LineGame<'a> {
    /// Returns the game in lines of text, ready to be played by `run`.
    pub(super) fn new(local: LocalGame, style: Style, out: &'a mut Out) -> Self {
        let judge = OnceCell::new();
        Self { local, style, out, judge, shown: None, shown_stakes: None }
    }

    /// Plays until the game is over or the user leaves it.
    pub(super) fn run(mut self) -> Result<()> {
        agents::ensure(self.local.session.bots(), &self.rules())?;
        if self.local.session.bots().any(AgentSpec::needs_values) {
            let table = tables::obtain(&self.rules(), self.language())?;
            let _ = self.judge.set(Judge::Table(table.into()));
        }
        for spec in self.local.session.bots() {
            self.with_agent(spec, |_| ())?;
        }
        // Ctrl-C leaves the cursor behind a question, so it prints a line break first.
        interrupt::set_exit(|| status(""), self.local.kept(self.language()));
        self.prepare_cube()?;
        self.open()?;
        while self.step()?.is_continue() {
            // Only a person can leave the game before its end, so a game without people need not be on disk.
            if self.local.session.has_people() || self.local.dice == DiceBy::Manual {
                self.keep()?;
            }
        }
        Ok(())
    }

    /// Prints the rules, the players and the seed.
    fn open(&mut self) -> Result<()> {
        let [light, dark] = Player::BOTH.map(|player| self.local.who(player, self.language()));
        let opening = t!(
            self.language(),
            "{rules}: light is {light}, dark is {dark}, the seed is {seed}",
            rules = self.rules().rule_set(),
            light,
            dark,
            seed = self.local.session.seed()
        );
        writeln!(self.out, "{opening}")
    }

    fn language(&self) -> Language {
        self.style.language
    }

    /// Returns the word for a player.
    fn player(&self, player: Player) -> String {
        self.language().translate(player)
    }

    fn rules(&self) -> Arc<Rules> {
        Arc::clone(self.local.game().rules())
    }

    fn seat(&self, player: Player) -> &Seat {
        self.local.session.seat(player)
    }

    /// Returns the result of `work` with an agent that is ready to play.
    fn with_agent<T>(&self, spec: &AgentSpec, work: impl FnOnce(&dyn Agent) -> T) -> Result<T> {
        let table = self.judge.get().and_then(Judge::table);
        agents::with_agent(spec, &self.rules(), table, &self.local.engines, work)
    }

    fn step(&mut self) -> Step {
        let Some(player) = self.local.session.turn() else { return self.finish() };
        if let Some(player) = self.local.session.record().answering() {
            return self.answer_double(player);
        }
        self.show_stakes()?;
        if self.local.game().pending().is_none() && self.agent_doubles(player)? {
            return Ok(Continue(()));
        }
        match self.local.waits_for() {
            WaitsFor::Nothing => return self.finish(),
            // Answers are handled above.
            WaitsFor::PersonAnswers | WaitsFor::AgentAnswers => {}
            WaitsFor::AgentRolls => drop(self.local.session.throw()?),
            WaitsFor::PersonRolls => return self.roll(player),
            WaitsFor::PersonMoves => return self.choose(player),
            WaitsFor::AgentMoves(spec) => return self.reply(player, &spec),
            WaitsFor::ForcedPass => {
                // The reply of an agent that must pass is shown like any other.
                match self.seat(player).clone() {
                    Seat::Bot(spec) => return self.reply(player, &spec),
                    Seat::Human => self.show_moves(player)?,
                }
                self.local.session.choose(Move::Pass)?;
            }
        }
        Ok(Continue(()))
    }

    /// Writes a line and lets the game go on.
    fn say(&mut self, line: impl std::fmt::Display) -> Step {
        writeln!(self.out, "{line}").map(Continue)
    }
}

/// Rolls and moves.
impl LineGame<'_> {
    fn roll(&mut self, player: Player) -> Step {
        let name = self.player(player);
        let question = match self.local.dice {
            DiceBy::Auto => {
                t!(self.language(), "{player}: Enter to roll, ? for help", player = name)
            }
            DiceBy::Manual => t!(self.language(), "{player}'s roll, ? for help", player = name),
        };
        // A person who throws real dice for an agent does not double for it.
        let may_double =
            *self.seat(player) == Seat::Human && self.local.session.record().can_double().is_ok();
        let question = if may_double {
            t!(self.language(), "{question}, d doubles", question)
        } else {
            question
        };
        self.show_board()?;
        self.ask(&question, |game, text| game.take_roll(player, text))
    }

    fn take_roll(&mut self, player: Player, text: &str) -> Step {
        if matches!(text, "d" | "double") && *self.seat(player) == Seat::Human {
            return self.double(player);
        }
        let session = &mut self.local.session;
        let thrown = match (self.local.dice, text.parse()) {
            (DiceBy::Auto, _) if text.is_empty() => session.throw(),
            (DiceBy::Auto, _) => {
                let hint =
                    t!(self.language(), "press Enter to roll; ? tells what else can be typed");
                return self.say(hint);
            }
            (DiceBy::Manual, Ok(steps)) => session.take_roll(Roll::new(steps)),
            (DiceBy::Manual, Err(_)) => {
                return self.say(t!(
                    self.language(),
                    "`{text}` is not a roll: type the number that the dice show",
                    text
                ));
            }
        };
        match thrown.map(|decision| decision.roll()) {
            Err(error) => self.say(self.language().translate(error)),
            Ok(roll) if *self.seat(player) == Seat::Human => {
                let player = self.player(player);
                self.say(t!(self.language(), "{player} rolls {roll}", player, roll))
            }
            Ok(_) => Ok(Continue(())),
        }
    }

    fn choose(&mut self, player: Player) -> Step {
        let moves = self.local.moves();
        self.show_moves(player)?;
        let question = match moves.len() {
            1 => t!(self.language(), "Enter for the only move, ? for help"),
            count => t!(self.language(), "move 1 to {count}, ? for help", count),
        };
        self.ask(&question, |game, text| game.take_move(player, &moves, text))
    }

    fn take_move(&mut self, player: Player, moves: &[Move], text: &str) -> Step {
        let by_tiles = || self.style.named(&self.rules(), player, moves, text);
        let Some(action) = named(moves, text).or_else(by_tiles) else {
            return self.say(t!(
                self.language(),
                "`{text}` is not one of the moves: type the number before one, or the move as in {action} or {tiles}",
                text,
                action = moves[0],
                tiles = self.style.tiles(&self.rules(), player, moves[0])
            ));
        };
        self.local.session.choose(action)?;
        Ok(Continue(()))
    }

    fn reply(&mut self, player: Player, spec: &AgentSpec) -> Step {
        let reply = self.with_agent(spec, |agent| self.local.session.reply(agent))?;
        let Some((decision, reply)) = self.local.game().decision().zip(reply) else {
            return Ok(Continue(()));
        };
        let action = match reply {
            Ok(action) => self.local.move_with_cube(spec, action)?,
            Err(reason) => {
                self.local.session.resign(player);
                return self.say(t!(
                    self.language(),
                    "{player} ({agent}) gives the game up: {reason}",
                    player = self.player(player),
                    agent = self.language().translate(spec),
                    reason
                ));
            }
        };
        let (roll, line) = (decision.roll(), self.style.action(&decision, player, action));
        self.local.session.choose(action)?;
        self.say(t!(
            self.language(),
            "{player} ({agent}) rolls {roll}: {action}",
            player = self.player(player),
            agent = self.language().translate(spec),
            roll,
            action = line
        ))
    }

    fn finish(&mut self) -> Step {
        self.show_board()?;
        let record = self.local.session.record();
        let end = ending::words(record, |winner| self.player(winner), self.language());
        let early = early(record, |player| self.player(player), self.language());
        let early = early.map_or(String::new(), |early| format!("{early}; "));
        writeln!(self.out, "{early}{end}")?;
        self.after_game()
    }
}

/// Returns the move that `text` names by its number or in notation.
fn named(moves: &[Move], text: &str) -> Option<Move> {
    if text.is_empty() && moves.len() == 1 {
        return moves.first().copied();
    }
    let by_number = || moves.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
    let by_name = || text.parse().ok().filter(|action| moves.contains(action));
    by_number().or_else(by_name)
}

/// The board, the moves and their values.
impl LineGame<'_> {
    fn show_board(&mut self) -> Result<()> {
        let setup = self.local.game().setup();
        let bare = Setup { roll: None, ..setup.clone() };
        let shown = self.shown.take().map(|shown| Setup { roll: None, ..shown });
        if shown.as_ref() != Some(&bare) {
            let rules = self.rules();
            writeln!(self.out)?;
            self.style.position(&rules, &setup, self.out)?;
        }
        self.shown = Some(bare);
        Ok(())
    }

    fn show_moves(&mut self, player: Player) -> Result<()> {
        let setup = self.local.game().setup();
        if self.shown.as_ref() == Some(&setup) {
            return Ok(());
        }
        self.show_board()?;
        self.shown = Some(setup);
        let Some(decision) = self.local.game().decision() else { return Ok(()) };
        for (number, action) in (1..).zip(decision.moves()) {
            let line = self.style.action(&decision, player, action);
            match action {
                Move::Pass => {
                    let pass = t!(self.style.language, "no piece can move: the turn passes");
                    writeln!(self.out, "  {pass}")?;
                }
                _ => writeln!(self.out, "  {number}  {line}")?,
            }
        }
        Ok(())
    }

    /// Returns the judge of the game; solves the game first if it needs a table and there is none.
    fn judge(&self) -> Result<&Judge> {
        if let Some(judge) = self.judge.get() {
            return Ok(judge);
        }
        let judge = Judge::at_once(self.local.game().rules(), None, self.language())?;
        Ok(self.judge.get_or_init(|| judge))
    }

    /// Shows the values of the moves if the user wants them and there is a roll, or else of the position.
    fn show_values(&mut self, wants_moves: bool) -> Step {
        let answer = match self.judge().and_then(|judge| self.local.answer(judge)) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(Continue(())),
            Err(error) => {
                let why = self.language().translate(errors::line(&error));
                return self.say(t!(self.language(), "there are no values: {why}", why));
            }
        };
        if !wants_moves || self.local.game().pending().is_none() {
            let step = self.show_chances(&answer)?;
            return if step.is_continue() { self.show_cube() } else { Ok(step) };
        }
        let (rules, turn) = (self.rules(), answer.position.turn);
        let moves: &[MoveAnswer] = answer.rolls.first().map_or(&[], |roll| &roll.moves);
        if let Some(best) = moves.first() {
            self.style.advice(&rules, &answer.position, best.action, self.out)?;
        }
        for option in moves {
            let line = self.style.option(&rules, turn, option, moves[0].value);
            writeln!(self.out, "  {line}")?;
        }
        let caveat = answer.source.caveat().map(|caveat| self.language().translate(caveat));
        caveat.map_or(Ok(Continue(())), |caveat| self.say(output::wrapped(&caveat)))
    }

    /// Shows the chance of each player before the roll.
    fn show_chances(&mut self, answer: &Answer) -> Step {
        let (language, turn) = (self.language(), answer.position.turn);
        let [mine, theirs] =
            [answer.value, 1.0 - answer.value].map(|it| language.number(text::percent(it)));
        let [player, other] = [turn, turn.opponent()].map(|player| self.player(player));
        let Some(caveat) = answer.source.caveat() else {
            return self.say(t!(
                language,
                "before the roll {player} wins {mine}, {other} {theirs}, if both play perfectly",
                player,
                mine,
                other,
                theirs
            ));
        };
        let about = t!(
            language,
            "before the roll about {player} wins {mine}, {other} {theirs}",
            player,
            mine,
            other,
            theirs
        );
        self.say(format!("{about}\n{}", output::wrapped(&language.translate(caveat))))
    }
}

/// The commands of every prompt.
impl LineGame<'_> {
    /// Asks `question`. Obeys the answer if it is a command, and passes any other answer to `take`.
    fn ask(&mut self, question: &str, take: impl FnOnce(&mut Self, &str) -> Step) -> Step {
        let Some(text) = self.read_answer(question)? else { return self.leave() };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
        match (word, rest.trim()) {
            ("h" | "hint", "") => self.show_values(true),
            ("v" | "value", "") => self.show_values(false),
            ("g" | "guide", "") => self.guide(),
            ("u" | "undo", "") => self.undo(),
            ("s" | "save", path) => self.save(path),
            ("q" | "quit", "") => self.quit(),
            ("?" | "help", "") => {
                let help = include_str!("../../../help/play-commands.txt").trim_end();
                let said = self.say(self.language().lines(help))?;
                if said.is_continue() { self.say_keys_of_the_cube() } else { Ok(said) }
            }
            _ => take(self, &text),
        }
    }

    /// Asks `question` and returns the answer; `None` at the end of the input, or if the reader of stdout has gone. Echoes the
    /// answer unless stdin is a terminal.
    fn read_answer(&mut self, question: &str) -> Result<Option<String>> {
        write!(self.out, "{question} > ")?;
        self.out.flush()?;
        // A line that is not UTF-8 is an answer like any other, not an error.
        let mut bytes = Vec::new();
        if !self.out.is_read() || io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        if !io::stdin().is_terminal() {
            writeln!(self.out, "{text}")?;
        }
        Ok(Some(text))
    }

    fn undo(&mut self) -> Step {
        if !self.local.undo() {
            return self.say(t!(self.language(), "there is no move of yours to take back"));
        }
        self.shown = None;
        Ok(Continue(()))
    }

    fn guide(&mut self) -> Step {
        self.say(self.style.way_of_play(&self.rules()))
    }

    fn save(&mut self, path: &str) -> Step {
        let language = self.language();
        let saved = match path {
            "" => self.local.save_here(language),
            path => self.local.save(Path::new(path), language),
        };
        self.say(saved.unwrap_or_else(|error| language.translate(errors::line(&error))))
    }

    /// Leaves the game. Asks whether to keep it, if there is anything to keep.
    fn quit(&mut self) -> Step {
        if !self.local.is_worth_keeping() {
            return self.leave();
        }
        let question = t!(self.language(), "keep the game? y or n");
        loop {
            match self.read_answer(&question)?.as_deref() {
                Some("n" | "no" | "nein") => return self.local.remove().map(Break),
                None | Some("y" | "yes" | "j" | "ja" | "") => return self.leave(),
                Some(_) => {}
            }
        }
    }

    fn keep(&mut self) -> Result<()> {
        self.local.keep(self.language()).map_or(Ok(()), |problem| writeln!(self.out, "{problem}"))
    }

    /// Keeps the game, says where, and leaves it.
    fn leave(&mut self) -> Step {
        self.keep()?;
        self.local.ensure_kept()?;
        writeln!(self.out, "{}", self.local.kept(self.language()))?;
        Ok(Break(()))
    }
}
