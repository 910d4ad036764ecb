//! A double before a roll, and the errors of doubles.

use crate::{Player, StakesError};

/// A double before a roll.
///
/// ```
/// use puabi_core::{Player, Record};
/// let text = "format: urg 1\nrules: finkel\nstakes: cube 1, match 3-5\n\nL 4 0-4\nL doubles\nD takes\nL 2 0-2\n";
/// let record: Record = text.parse()?;
/// let (before, double) = record.doubles().next().unwrap();
/// assert_eq!((before, double.by, double.is_taken), (1, Player::Light, Some(true)));
/// assert_eq!(record.stakes().unwrap().to_string(), "cube 2:dark, match 3-5");
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), puabi_core::RecordError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Double {
    /// The player who doubled.
    pub by: Player,
    /// Whether the opponent took; `None` until the opponent answers.
    pub is_taken: Option<bool>,
}

/// The reason why a double, or an answer to one, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DoubleError {
    /// The cube or the match does not allow it.
    #[error(transparent)]
    Stakes(#[from] StakesError),
    /// A double in a game without a cube.
    #[error("a double in a game without a cube: expected a header such as `stakes: cube 1 to 64`")]
    NoCube,
    /// A double after the end of the game.
    #[error("a double after the end of the game: expected none")]
    Over,
    /// A double after the dice were thrown.
    #[error("a double after the roll: expected it before")]
    Rolled,
    /// A second double before one roll.
    #[error("a second double before one roll: expected the roll")]
    Doubled,
    /// An answer without a double.
    #[error("an answer without a double: expected `takes` or `passes` only after `doubles`")]
    NotDoubled,
}
