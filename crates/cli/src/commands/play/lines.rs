//! A game in lines of text: rolls, moves and the questions in between.

use std::cell::OnceCell;
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Agent, Game, Move, Player, Roll, Rules, Setup};
use puabi_engine::{AgentSpec, MoveAnswer, Seat};
use puabi_tables::Table;

use super::console::{Console, HELP, Line};
use crate::errors;
use crate::output::{Outcome, text};
use crate::play::{DiceBy, LocalGame, Waits};
use crate::progress::interrupt;
use crate::style::Style;
use crate::tables::{self, agents};

/// A game that is played in lines of text.
pub(super) struct LineGame<'a> {
    local: LocalGame,
    style: Style,
    console: Console<'a>,
    table: OnceCell<Table>,
    /// The position that was shown last, with a roll if its moves were shown too.
    shown: Option<Setup>,
}

/// Whether the game goes on.
type Step = Result<ControlFlow<()>>;

impl<'a> LineGame<'a> {
    /// Returns a game that is about to go on.
    pub(super) fn new(local: LocalGame, style: Style, console: Console<'a>) -> Self {
        Self { local, style, console, table: OnceCell::new(), shown: None }
    }

    /// Plays until the game is over or the user leaves it.
    pub(super) fn run(mut self) -> Result<Outcome> {
        for spec in self.local.session.bots() {
            self.with_agent(spec, |_| ())?;
        }
        let [light, dark] = Player::BOTH.map(|player| self.seat(player));
        let (rules, seed) = (self.rules(), self.local.session.seed());
        let name = rules.rule_set();
        let opening = format!("{name}: light is {light}, dark is {dark}, the seed is {seed}");
        self.console.say(opening)?;
        let path = self.local.path.display();
        interrupt::set_exit_message(format!("\nthe game is kept in {path}"));
        while self.step()?.is_continue() {
            // Only a person can leave the game before its end, so only then it must be on disk.
            if self.local.session.has_people() || self.local.dice == DiceBy::Manual {
                self.keep()?;
            }
        }
        Ok(Outcome::Done)
    }

    fn game(&self) -> &Game {
        self.local.game()
    }

    fn rules(&self) -> Arc<Rules> {
        Arc::clone(self.game().rules())
    }

    fn seat(&self, player: Player) -> &Seat {
        self.local.session.seat(player)
    }

    /// Returns the result of `work` with an agent that is ready to play.
    fn with_agent<T>(&self, spec: &AgentSpec, work: impl FnOnce(&dyn Agent) -> T) -> Result<T> {
        let table = if spec.needs_values() { Some(self.table()?) } else { None };
        agents::with_agent(spec, &self.rules(), table, work)
    }

    fn step(&mut self) -> Step {
        let Some(player) = self.game().turn() else { return self.finish() };
        match self.local.waits() {
            Waits::Over => return self.finish(),
            Waits::Throw => drop(self.local.session.throw()?),
            Waits::Roll => return self.roll(player),
            Waits::Choice => return self.choose(player),
            Waits::Reply(spec) => return self.reply(player, &spec),
            Waits::Pass => {
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

    /// Writes a line; the game goes on.
    fn say(&mut self, line: impl std::fmt::Display) -> Step {
        self.console.say(line).map(Continue)
    }
}

/// Rolls and moves.
impl LineGame<'_> {
    fn roll(&mut self, player: Player) -> Step {
        let question = match self.local.dice {
            DiceBy::Auto => format!("{player}: Enter to roll, ? for help"),
            DiceBy::Manual => format!("{player}'s roll, ? for help"),
        };
        self.show_board()?;
        match self.console.ask(&question)? {
            Line::Text(text) => self.take_roll(player, &text),
            line => self.obey(line),
        }
    }

    fn take_roll(&mut self, player: Player, text: &str) -> Step {
        let session = &mut self.local.session;
        let thrown = match (self.local.dice, text.parse()) {
            (DiceBy::Auto, _) if text.is_empty() => session.throw(),
            (DiceBy::Auto, _) => {
                return self.say("press Enter to roll; ? tells what else can be typed");
            }
            (DiceBy::Manual, Ok(steps)) => session.take_roll(Roll::new(steps)),
            (DiceBy::Manual, Err(_)) => {
                let problem = format!("`{text}` is no roll: type the number that the dice show");
                return self.say(problem);
            }
        };
        match thrown.map(|decision| decision.roll()) {
            Err(error) => self.say(error),
            Ok(roll) if *self.seat(player) == Seat::Human => {
                self.say(format!("{player} rolls {roll}"))
            }
            Ok(_) => Ok(Continue(())),
        }
    }

    fn choose(&mut self, player: Player) -> Step {
        let moves = self.local.moves();
        self.show_moves(player)?;
        let question = match moves.len() {
            1 => "Enter for the only move, ? for help".to_owned(),
            count => format!("move 1 to {count}, ? for help"),
        };
        let text = match self.console.ask(&question)? {
            Line::Text(text) => text,
            line => return self.obey(line),
        };
        let Some(action) = named(&moves, &text) else {
            return self.say(format!(
                "`{text}` is none of the moves: type the number before one, or the move as in {}",
                moves[0]
            ));
        };
        self.local.session.choose(action)?;
        Ok(Continue(()))
    }

    fn reply(&mut self, player: Player, spec: &AgentSpec) -> Step {
        let action = self.with_agent(spec, |agent| self.local.session.reply(agent))?;
        let Some((decision, action)) = self.game().decision().zip(action) else {
            return Ok(Continue(()));
        };
        let (roll, line) = (decision.roll(), self.style.action(&decision, player, action));
        self.local.session.choose(action)?;
        self.say(format!("{player} ({spec}) rolls {roll}: {line}"))
    }

    fn finish(&mut self) -> Step {
        self.show_board()?;
        let game = self.game();
        let end = match game.winner() {
            Some(winner) => {
                let setup = game.setup();
                let [won, lost] = [winner, winner.opponent()].map(|it| setup.side(it).score);
                format!("{winner} wins, {won} to {lost}")
            }
            None => "neither player can ever move: nobody wins".to_owned(),
        };
        let rolls = game.plies().len();
        self.console.say(format!("{end}, after {rolls} rolls"))?;
        self.leave()
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
        let setup = self.game().setup();
        let bare = Setup { roll: None, ..setup.clone() };
        let shown = self.shown.take().map(|shown| Setup { roll: None, ..shown });
        if shown.as_ref() != Some(&bare) {
            let rules = self.rules();
            self.console.say("")?;
            self.style.position(&rules, &setup, self.console.out())?;
        }
        self.shown = Some(bare);
        Ok(())
    }

    fn show_moves(&mut self, player: Player) -> Result<()> {
        let setup = self.game().setup();
        if self.shown.as_ref() == Some(&setup) {
            return Ok(());
        }
        self.show_board()?;
        self.shown = Some(setup);
        let Some(decision) = self.local.game().decision() else { return Ok(()) };
        for (number, action) in (1..).zip(decision.moves()) {
            let line = self.style.action(&decision, player, action);
            match action {
                Move::Pass => self.console.say("  no piece can move: the turn passes")?,
                _ => self.console.say(format!("  {number}  {line}"))?,
            }
        }
        Ok(())
    }

    /// Returns the table of the game; solves the game first if there is no table.
    fn table(&self) -> Result<&Table> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = tables::obtain(self.game().rules())?;
        Ok(self.table.get_or_init(|| table))
    }

    /// Shows the values of the moves if the user wants them and there is a roll, or else of the position.
    fn show_values(&mut self, wants_moves: bool) -> Step {
        let answer = match self.table().and_then(|table| self.local.answer(table)) {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(Continue(())),
            Err(error) => {
                return self.say(format!("there are no values: {}", errors::line(&error)));
            }
        };
        let turn = answer.position.turn;
        if !wants_moves || self.game().pending().is_none() {
            let (mine, theirs) = (text::percent(answer.value), text::percent(1.0 - answer.value));
            let opponent = turn.opponent();
            return self.say(format!(
                "before the roll {turn} wins {mine}, {opponent} {theirs}, if both play perfectly"
            ));
        }
        let rules = self.rules();
        let moves: &[MoveAnswer] = answer.rolls.first().map_or(&[], |roll| &roll.moves);
        for option in moves {
            let line = self.style.option(&rules, turn, option, moves[0].value);
            self.console.say(format!("  {line}"))?;
        }
        Ok(Continue(()))
    }
}

/// The commands of every prompt.
impl LineGame<'_> {
    fn obey(&mut self, line: Line) -> Step {
        match line {
            Line::Hint => self.show_values(true),
            Line::Value => self.show_values(false),
            Line::Undo => self.undo(),
            Line::Save(path) => self.save(path),
            Line::Help => self.say(HELP),
            Line::Text(_) => Ok(Continue(())),
            Line::Quit => self.quit(),
            Line::End => self.leave(),
        }
    }

    /// Goes back to the last decision of a person, with the same roll.
    fn undo(&mut self) -> Step {
        if !self.local.session.undo() {
            return self.say("there is no move of yours to take back");
        }
        self.shown = None;
        Ok(Continue(()))
    }

    fn save(&mut self, path: Option<PathBuf>) -> Step {
        let path = path.unwrap_or_else(|| self.local.path.clone());
        match self.local.save(&path) {
            Ok(()) => self.say(format!("the game is kept in {}", path.display())),
            Err(error) => self.say(errors::line(&error)),
        }
    }

    fn quit(&mut self) -> Step {
        loop {
            match self.console.ask("keep the game? y or n")? {
                Line::Text(text) if matches!(text.as_str(), "n" | "no") => {
                    self.local.remove()?;
                    return Ok(Break(()));
                }
                Line::Text(text) if matches!(text.as_str(), "y" | "yes" | "") => {
                    return self.leave();
                }
                Line::End => return self.leave(),
                _ => {}
            }
        }
    }

    fn keep(&mut self) -> Result<()> {
        self.local.keep().map_or(Ok(()), |problem| self.console.say(problem))
    }

    /// Keeps the game and tells where.
    fn leave(&mut self) -> Step {
        self.keep()?;
        self.console.say(self.local.kept())?;
        Ok(Break(()))
    }
}
