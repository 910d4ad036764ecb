//! How the game goes on: throws, moves and replies, by people and by themselves.

use std::time::Duration;

use puabi_core::{GameError, Move, Roll};
use puabi_engine::{AgentSpec, Class, Seat};

use super::app::{App, Room};
use super::dialog::{Costly, Dialog};
use super::reply::Reply;
use crate::commands::play::DiceBy;

/// What the game waits for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Waits {
    /// A person to throw, or to type what was thrown.
    Roll,
    /// A person to choose.
    Choice,
    /// The dice of a bot.
    Throw,
    /// A forced pass.
    Pass,
    /// A bot to choose.
    Reply(AgentSpec),
    /// Nothing: it is over.
    Over,
}

impl App {
    /// Returns what the game waits for.
    pub(super) fn waits(&self) -> Waits {
        let Some(seat) = self.sitting.seated() else { return Waits::Over };
        match (self.moves().first(), seat) {
            (None, Seat::Bot(_)) if self.dice == DiceBy::Auto => Waits::Throw,
            (None, _) => Waits::Roll,
            (Some(Move::Pass), _) => Waits::Pass,
            (Some(_), Seat::Human) => Waits::Choice,
            (Some(_), Seat::Bot(spec)) => Waits::Reply(spec.clone()),
        }
    }

    /// Returns the legal moves of the roll that waits for one.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.game().decision().map_or(Vec::new(), |decision| decision.moves().to_vec())
    }

    /// Returns whether the game goes on by itself.
    pub(super) fn is_going(&self) -> bool {
        let is_shown = matches!(self.room, Room::Game) && self.dialog.is_none();
        let waits_for_people = matches!(self.waits(), Waits::Roll | Waits::Choice | Waits::Over);
        is_shown && !waits_for_people && (self.is_hurried || !self.is_paused)
    }

    /// Lets the game go on by itself, once it has been waited long enough.
    pub(super) fn advance(&mut self, elapsed: Duration) {
        self.waited += elapsed;
        if let Waits::Reply(spec) = self.waits() {
            self.think(spec);
        }
        if self.is_hurried || self.waited >= self.pace.wait() {
            self.step();
        }
    }

    fn think(&mut self, spec: AgentSpec) {
        if self.reply.is_none() {
            let table = self.values.table().cloned();
            self.reply = Some(Reply::begin(&self.sitting, spec, table));
        }
    }

    /// Does what would happen by itself, or waits for the reply without which it cannot.
    fn step(&mut self) {
        match self.waits() {
            Waits::Throw => self.throw(),
            Waits::Pass => self.play(Move::Pass),
            Waits::Reply(_) => match self.reply.as_ref().and_then(Reply::poll) {
                Some(Ok(action)) => self.play(action),
                Some(Err(error)) => {
                    self.pause();
                    self.warn(format!("{error:#}"));
                }
                None => {}
            },
            Waits::Roll | Waits::Choice | Waits::Over => {}
        }
    }

    /// Goes on at once: throws, plays the selected move, or lets the bot throw or play now.
    pub(super) fn go_on(&mut self) {
        match self.waits() {
            Waits::Roll if self.dice == DiceBy::Auto => self.throw(),
            Waits::Roll => self.take_typed(),
            Waits::Choice => self.pick(self.selected),
            Waits::Throw | Waits::Pass | Waits::Reply(_) => self.is_hurried = true,
            Waits::Over => {}
        }
    }

    /// Stops what goes on by itself, or lets it go on.
    pub(super) fn pause(&mut self) {
        self.is_paused = !self.is_paused;
        self.waited = Duration::ZERO;
        self.is_hurried = false;
        self.reply = None;
    }

    fn throw(&mut self) {
        let thrown = self.sitting.throw().map(drop);
        self.take(thrown);
    }

    /// Adds a digit to the roll that is typed; takes the roll once no other begins like that.
    pub(super) fn type_digit(&mut self, digit: char) {
        self.typed.push(digit);
        let rolls = self.sitting.rules().rolls().iter();
        let alike = rolls.filter(|(roll, _)| roll.to_string().starts_with(&self.typed)).count();
        if alike <= 1 {
            self.take_typed();
        }
    }

    fn take_typed(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        match typed.parse() {
            Ok(steps) => {
                let taken = self.sitting.take_roll(Roll::new(steps)).map(drop);
                self.take(taken);
            }
            Err(_) => self.say("type the number that the dice show"),
        }
    }

    /// Plays the move with this index, or lets the tutor ask first.
    pub(super) fn pick(&mut self, index: usize) {
        let moves = self.moves();
        let Some(&action) = moves.get(index) else {
            return self.say(format!(
                "there is no move {}: expected 1 to {}",
                index + 1,
                moves.len()
            ));
        };
        self.selected = index;
        match self.cost(action).filter(|_| self.aids.tutor) {
            Some(costly) => self.dialog = Some(Dialog::Costly(costly)),
            None => self.play(action),
        }
    }

    /// Returns what is wrong with `action`, where it costs as much as a slip does.
    fn cost(&self, action: Move) -> Option<Costly> {
        let options = &self.answer.as_ref()?.rolls.first()?.moves;
        let (best, chosen) = (options.first()?, options.iter().find(|o| o.action == action)?);
        let error = best.value - chosen.value;
        Class::of(error).is_slip().then_some(Costly { action, best: best.action, error })
    }

    /// Plays `action`, whatever it costs.
    pub(super) fn play(&mut self, action: Move) {
        let played = self.sitting.choose(action).map(drop);
        self.take(played);
    }

    /// Goes back to the last decision of a person.
    pub(super) fn undo(&mut self) {
        if self.sitting.undo() {
            self.turn_over();
            self.say("taken back");
        } else {
            self.say("there is no move of yours to take back");
        }
    }

    fn take(&mut self, outcome: Result<(), GameError>) {
        match outcome {
            Ok(()) => self.turn_over(),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Forgets what belonged to the state before, and keeps the game.
    fn turn_over(&mut self) {
        self.waited = Duration::ZERO;
        self.is_hurried = false;
        self.reply = None;
        self.selected = 0;
        self.typed.clear();
        self.aids.hint = false;
        self.look_up();
        self.keep();
    }
}
