//! A game as it is played: rolls, moves and what is asked in between.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Agent, Decision, Game, Move, Player, Roll, Rules, Setup};
use puabi_engine::{AgentSpec, Answer, MoveAnswer, Seat, Sitting};
use puabi_tables::Table;

use super::console::{Console, HELP, Line};
use super::file::{self, GameFile};
use super::{DiceBy, Opening};
use crate::drawing::Pen;
use crate::{Outcome, agents, interrupt, tables, text};

/// A game with those who play it.
pub(crate) struct Session<'a> {
    sitting: Sitting,
    dice: DiceBy,
    pen: Pen,
    file: GameFile,
    console: Console<'a>,
    table: OnceCell<Table>,
    /// What was shown last; with a roll where its moves were.
    shown: Option<Setup>,
    /// Whether keeping the game has failed.
    is_unkept: bool,
}

/// Whether the game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Goes,
    Ends,
}

impl<'a> Session<'a> {
    /// Returns the game of `opening`, about to go on.
    pub(crate) fn new(opening: Opening, console: Console<'a>) -> Self {
        let Opening { sitting, dice, pen, file } = opening;
        let (table, shown) = (OnceCell::new(), None);
        Self { sitting, dice, pen, file, console, table, shown, is_unkept: false }
    }

    /// Plays until the game is over or left.
    pub(crate) fn run(mut self) -> Result<Outcome> {
        for spec in self.sitting.bots() {
            self.with_agent(spec, |_| ())?;
        }
        let [light, dark] = Player::BOTH.map(|player| self.sitting.seat(player));
        let seed = self.sitting.seed();
        let opening = format!(
            "{}: light is {light}, dark is {dark}, the seed is {seed}",
            self.rules().rule_set()
        );
        self.console.say(opening)?;
        interrupt::set_farewell(format!("\nthe game is kept in {}", self.file.path().display()));
        while self.step()? == Step::Goes {
            if self.is_watched() {
                self.keep()?;
            }
        }
        Ok(Outcome::Done)
    }

    fn game(&self) -> &Game {
        self.sitting.game()
    }

    fn rules(&self) -> Arc<Rules> {
        Arc::clone(self.game().rules())
    }

    fn seat(&self, player: Player) -> &Seat {
        self.sitting.seat(player)
    }

    /// Returns what `work` makes of the agent, once that is ready to play.
    fn with_agent<T>(&self, spec: &AgentSpec, work: impl FnOnce(&dyn Agent) -> T) -> Result<T> {
        let table = if spec.needs_values() { Some(self.table()?) } else { None };
        agents::with_agent(spec, &self.rules(), table, work)
    }

    /// Returns whether anybody is there to leave the game before its end.
    fn is_watched(&self) -> bool {
        self.sitting.has_people() || self.dice == DiceBy::Manual
    }

    fn step(&mut self) -> Result<Step> {
        let Some(player) = self.game().turn() else { return self.finish() };
        match (self.seat(player).clone(), self.game().pending()) {
            (_, None) => self.roll(player),
            (Seat::Human, Some(roll)) => self.choose(player, roll),
            (Seat::Bot(spec), Some(roll)) => self.reply(player, &spec, roll),
        }
    }
}

/// Rolls and moves.
impl Session<'_> {
    fn roll(&mut self, player: Player) -> Result<Step> {
        let question = match (self.dice, self.seat(player)) {
            (DiceBy::Auto, Seat::Bot(_)) => {
                self.sitting.throw()?;
                return Ok(Step::Goes);
            }
            (DiceBy::Auto, Seat::Human) => format!("{player}: Enter to roll, ? for help"),
            (DiceBy::Manual, _) => format!("{player}'s roll, ? for help"),
        };
        self.show_board()?;
        match self.console.ask(&question)? {
            Line::Text(text) => self.take_roll(player, &text),
            line => self.obey(line),
        }
    }

    fn take_roll(&mut self, player: Player, text: &str) -> Result<Step> {
        let thrown = match (self.dice, text.parse()) {
            (DiceBy::Auto, _) if text.is_empty() => self.sitting.throw(),
            (DiceBy::Auto, _) => {
                self.console.say("press Enter to roll; ? tells what else can be typed")?;
                return Ok(Step::Goes);
            }
            (DiceBy::Manual, Ok(steps)) => self.sitting.take_roll(Roll::new(steps)),
            (DiceBy::Manual, Err(_)) => {
                let line = format!("`{text}` is no roll: type the number that the dice show");
                self.console.say(line)?;
                return Ok(Step::Goes);
            }
        };
        let thrown = thrown.map(|decision| decision.roll());
        let is_human = *self.seat(player) == Seat::Human;
        match thrown {
            Err(error) => self.console.say(error)?,
            Ok(roll) if is_human => self.console.say(format!("{player} rolls {roll}"))?,
            Ok(_) => {}
        }
        Ok(Step::Goes)
    }

    fn choose(&mut self, player: Player, roll: Roll) -> Result<Step> {
        let rules = self.rules();
        let Some(position) = self.game().position() else { return Ok(Step::Goes) };
        let decision = rules.decision(position, roll);
        let moves = decision.moves();
        self.show_moves(player, &decision)?;
        if moves[0] == Move::Pass {
            self.sitting.choose(Move::Pass)?;
            return Ok(Step::Goes);
        }
        let question = match moves.len() {
            1 => "Enter for the only move, ? for help".to_owned(),
            count => format!("move 1 to {count}, ? for help"),
        };
        match self.console.ask(&question)? {
            Line::Text(text) => match picked(&moves, &text) {
                Some(action) => drop(self.sitting.choose(action)?),
                None => self.console.say(format!(
                    "`{text}` is none of the moves: type the number before one, or the move as in {}",
                    moves[0]
                ))?,
            },
            line => return self.obey(line),
        }
        Ok(Step::Goes)
    }

    fn reply(&mut self, player: Player, spec: &AgentSpec, roll: Roll) -> Result<Step> {
        let rules = self.rules();
        let Some(position) = self.game().position() else { return Ok(Step::Goes) };
        let decision = rules.decision(position, roll);
        let Some(action) = self.with_agent(spec, |agent| self.sitting.reply(agent))? else {
            return Ok(Step::Goes);
        };
        let line = self.pen.action(&decision, player, action);
        self.console.say(format!("{player} ({spec}) rolls {roll}: {line}"))?;
        self.sitting.choose(action)?;
        Ok(Step::Goes)
    }

    fn finish(&mut self) -> Result<Step> {
        if !self.game().is_over() {
            return Ok(Step::Ends);
        }
        self.show_board()?;
        let rolls = self.game().plies().len();
        let end = match self.game().winner() {
            Some(winner) => {
                let setup = self.game().setup();
                let [won, lost] = [winner, winner.opponent()].map(|it| setup.side(it).score);
                format!("{winner} wins, {won} to {lost}")
            }
            None => "neither player can ever move: nobody wins".to_owned(),
        };
        self.console.say(format!("{end}, after {rolls} rolls"))?;
        self.keep()?;
        self.say_kept()?;
        Ok(Step::Ends)
    }
}

/// Returns the move that `text` names by its number or as written in notation.
fn picked(moves: &[Move], text: &str) -> Option<Move> {
    if text.is_empty() && moves.len() == 1 {
        return moves.first().copied();
    }
    let by_number = || moves.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
    let by_name = || text.parse().ok().filter(|action| moves.contains(action));
    by_number().or_else(by_name)
}

/// What is shown.
impl Session<'_> {
    fn show_board(&mut self) -> Result<()> {
        let setup = self.game().setup();
        let bare = Setup { roll: None, ..setup.clone() };
        let shown = self.shown.take().map(|shown| Setup { roll: None, ..shown });
        if shown.as_ref() != Some(&bare) {
            let rules = self.rules();
            self.console.say("")?;
            self.pen.position(&rules, &setup, self.console.out())?;
        }
        self.shown = Some(bare);
        Ok(())
    }

    fn show_moves(&mut self, player: Player, decision: &Decision<'_>) -> Result<()> {
        let setup = self.game().setup();
        if self.shown.as_ref() == Some(&setup) {
            return Ok(());
        }
        self.show_board()?;
        for (number, action) in (1..).zip(decision.moves()) {
            let line = self.pen.action(decision, player, action);
            match action {
                Move::Pass => self.console.say("  no piece can move: the turn passes")?,
                _ => self.console.say(format!("  {number}  {line}"))?,
            }
        }
        self.shown = Some(setup);
        Ok(())
    }

    /// Returns the table of the game, solving the game first if there is no table.
    fn table(&self) -> Result<&Table> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let table = tables::obtain(self.game().rules())?;
        Ok(self.table.get_or_init(|| table))
    }

    /// Returns what there is to know of where the game stands.
    fn answer(&self) -> Result<Option<Answer>> {
        let game = self.game();
        let Some(asked) = game.position().zip(game.turn()) else { return Ok(None) };
        let (rules, roll) = (game.rules(), game.pending());
        tables::with_values(self.table()?, |values| Some(Answer::new(rules, asked, roll, values)))
    }

    fn tell(&mut self, wants_moves: bool) -> Result<()> {
        let answer = match self.answer() {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(error) => return self.console.say(format!("there are no values: {error:#}")),
        };
        let turn = answer.position.turn;
        if !wants_moves || self.game().pending().is_none() {
            let (mine, theirs) = (text::percent(answer.value), text::percent(1.0 - answer.value));
            let opponent = turn.opponent();
            return self.console.say(format!(
                "before the roll {turn} wins {mine}, {opponent} {theirs}, if both play perfectly"
            ));
        }
        let rules = self.rules();
        let moves: &[MoveAnswer] = answer.rolls.first().map_or(&[], |roll| &roll.moves);
        for option in moves {
            let line = self.pen.option(&rules, turn, option, moves[0].value);
            self.console.say(format!("  {line}"))?;
        }
        Ok(())
    }
}

/// What can be typed at every prompt.
impl Session<'_> {
    fn obey(&mut self, line: Line) -> Result<Step> {
        match line {
            Line::Hint => self.tell(true)?,
            Line::Value => self.tell(false)?,
            Line::Undo => self.undo()?,
            Line::Save(path) => self.save(path)?,
            Line::Help => self.console.say(HELP)?,
            Line::Text(_) => {}
            Line::Quit => return self.quit(),
            Line::End => {
                self.keep()?;
                self.say_kept()?;
                return Ok(Step::Ends);
            }
        }
        Ok(Step::Goes)
    }

    /// Goes back to the last decision that a person took, with the same roll.
    fn undo(&mut self) -> Result<()> {
        if !self.sitting.undo() {
            return self.console.say("there is no move of yours to take back");
        }
        self.shown = None;
        Ok(())
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<()> {
        let path = path.unwrap_or_else(|| self.file.path().to_owned());
        match file::write(&path, self.sitting.record()) {
            Ok(()) => self.console.say(format!("the game is kept in {}", path.display())),
            Err(error) => self.console.say(format!("{error:#}")),
        }
    }

    fn quit(&mut self) -> Result<Step> {
        loop {
            match self.console.ask("keep the game? y or n")? {
                Line::Text(text) if matches!(text.as_str(), "n" | "no") => self.file.remove()?,
                Line::Text(text) if matches!(text.as_str(), "y" | "yes" | "") => {
                    return self.obey(Line::End);
                }
                Line::End => return self.obey(Line::End),
                _ => continue,
            }
            return Ok(Step::Ends);
        }
    }

    /// Keeps the game; that it cannot be kept is said once.
    fn keep(&mut self) -> Result<()> {
        if self.is_unkept || self.game().plies().is_empty() && self.game().pending().is_none() {
            return Ok(());
        }
        if let Err(error) = self.file.write(self.sitting.record()) {
            self.is_unkept = true;
            self.console.say(format!("the game is not kept: {error:#}"))?;
        }
        Ok(())
    }

    fn say_kept(&mut self) -> Result<()> {
        let kept = self.file.kept(self.game());
        self.console.say(kept)
    }
}
