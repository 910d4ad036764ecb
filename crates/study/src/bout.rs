//! A game between two contestants while it is played.

use puabi_core::{Afterstate, Decision, Position, Roll, Rules};
use puabi_engine::Thrower;

use crate::tally::Ending;

/// Which of the two agents of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contestant {
    /// The one named first.
    A,
    /// The other.
    B,
}

/// A game while it is played: who is to roll where, and the dice.
#[derive(Debug, Clone)]
pub(crate) struct Bout<'r> {
    rules: &'r Rules,
    thrower: Thrower,
    position: Position,
    mover: Contestant,
    plies: u64,
    longest: u64,
    given: Option<Roll>,
}

impl<'r> Bout<'r> {
    /// Returns the game that `light` begins with the dice of `seed`; it is cut off after `longest` plies.
    pub(crate) fn new(rules: &'r Rules, light: Contestant, seed: u64, longest: u64) -> Self {
        let (thrower, position) = (Thrower::new(seed), rules.start());
        let given = rules.rule_set().first_roll;
        Self { rules, thrower, position, mover: light, plies: 0, longest, given }
    }

    /// Returns who is to roll.
    pub(crate) const fn mover(&self) -> Contestant {
        self.mover
    }

    /// Throws the dice, unless the rules give the first roll, and returns what the mover has to decide.
    #[inline]
    pub(crate) fn throw(&mut self) -> Decision<'r> {
        let dice = self.rules.rule_set().dice;
        let roll = self.given.take().unwrap_or_else(|| self.thrower.throw(dice));
        self.rules.decision(self.position, roll)
    }

    /// Returns the number, even in 0..1, that the mover's choice is drawn by.
    #[inline]
    pub(crate) fn number(&self) -> f64 {
        self.thrower.number()
    }

    /// Goes on with what follows the move chosen; where that ends the game, returns how.
    #[inline]
    pub(crate) fn follow(&mut self, after: Afterstate) -> Option<Ending> {
        self.plies += 1;
        let before = self.position;
        match after {
            Afterstate::Won => return Some(self.ending(1.0)),
            Afterstate::RollsAgain(next) => self.position = next,
            Afterstate::TurnPasses(next) => {
                (self.position, self.mover) = (next, self.mover.other());
                // A board that stays as it was is that of a pass.
                if next == before.flipped() && self.rules.is_dead(next) {
                    return Some(self.ending(self.rules.dead_value(next)));
                }
            }
        }
        (self.plies == self.longest).then(|| self.ending(0.5))
    }

    /// How the game ends where it is worth `value` to the mover: 0, 1/2 or 1.
    fn ending(&self, value: f64) -> Ending {
        Ending { half_points: self.mover.half_points(value), plies: self.plies }
    }
}

impl Contestant {
    /// A's half points where the game is worth `value` to this one: 0, 1/2 or 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0, 1 or 2")]
    fn half_points(self, value: f64) -> usize {
        let own = (2.0 * value) as usize;
        if self == Self::A { own } else { 2 - own }
    }

    /// Returns the other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
