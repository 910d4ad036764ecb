//! Afterstates: what a move leads to, before the next roll.

use crate::Position;

/// What a move leads to.
///
/// ```
/// use puabi_core::{Afterstate, Roll, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let on_a_rosette = rules.decision(rules.start(), Roll::new(4)).afterstates().next();
/// assert!(matches!(on_a_rosette, Some((_, Afterstate::RollsAgain(_)))));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Afterstate {
    /// The mover has brought home the last piece needed to win.
    Won,
    /// The mover rolls again in this position.
    RollsAgain(Position),
    /// The opponent rolls in this position, which is seen by the opponent.
    TurnPasses(Position),
}

impl Afterstate {
    /// Returns the chance (0..=1) that the player who moved wins, given the value of each position.
    ///
    /// If the turn passes, it is 1 less the value of the position, which is the opponent's chance.
    ///
    /// ```
    /// use puabi_core::{Afterstate, RuleSet};
    /// let start = RuleSet::FINKEL.compile()?.start();
    /// assert_eq!(Afterstate::TurnPasses(start).value(|_| 0.75), 0.25);
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn value(self, value: impl Fn(Position) -> f64) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::RollsAgain(position) => value(position),
            Self::TurnPasses(position) => 1.0 - value(position),
        }
    }

    /// Returns whether the mover rolls again.
    pub const fn rolls_again(self) -> bool {
        matches!(self, Self::RollsAgain(_))
    }

    /// Returns the position that follows, seen by the player who rolls in it; `None` if the game is won.
    pub const fn position(self) -> Option<Position> {
        match self {
            Self::Won => None,
            Self::RollsAgain(position) | Self::TurnPasses(position) => Some(position),
        }
    }
}
