//! Moves, and how they are written.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::text::ascii::split_once;
use crate::text::wording::excerpt;
use crate::{RuleSet, Square};

/// A move of the player who rolled, along that player's own path.
///
/// Written `0-4` (enter), `3-7`, `14-off`, `pass`.
///
/// ```
/// use puabi_core::{Move, Square};
/// let to = Square::new(4).unwrap();
/// assert_eq!("0-4".parse(), Ok(Move::Enter { to }));
/// assert_eq!(Move::Enter { to }.to_string(), "0-4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// No piece can move; the turn passes.
    Pass,
    /// A piece from the hand enters.
    Enter {
        /// Where it lands.
        to: Square,
    },
    /// A piece moves along the path.
    Advance {
        /// Where it stood.
        from: Square,
        /// Where it lands.
        to: Square,
    },
    /// A piece leaves the board and scores.
    Score {
        /// Where it stood.
        from: Square,
    },
}

impl Move {
    /// Returns the square where the moved piece lands, if it stays on the board.
    pub const fn to(self) -> Option<Square> {
        match self {
            Self::Enter { to } | Self::Advance { to, .. } => Some(to),
            Self::Pass | Self::Score { .. } => None,
        }
    }

    /// Returns the square that the moved piece leaves, if it stood on the board.
    pub const fn from(self) -> Option<Square> {
        match self {
            Self::Advance { from, .. } | Self::Score { from } => Some(from),
            Self::Pass | Self::Enter { .. } => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.pad("pass"),
            Self::Enter { to } => f.pad(&format!("0-{to}")),
            Self::Advance { from, to } => f.pad(&format!("{from}-{to}")),
            Self::Score { from } => f.pad(&format!("{from}-off")),
        }
    }
}

/// The error of a text that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a move: expected `0-4` (enter), `3-7`, `14-off` or `pass`")]
pub struct MoveError {
    found: String,
}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let parse = || {
            if text == "pass" {
                return Some(Self::Pass);
            }
            let (from, to) = split_once(text, b'-')?;
            match (from, to) {
                ("0", to) => Some(Self::Enter { to: Square::read(to)? }),
                (from, "off") => Some(Self::Score { from: Square::read(from)? }),
                (from, to) => {
                    Some(Self::Advance { from: Square::read(from)?, to: Square::read(to)? })
                }
            }
        };
        parse().ok_or_else(|| MoveError { found: excerpt(text).into_owned() })
    }
}

/// The legal moves of one decision, ascending by the square they leave; never empty.
pub type Moves = ArrayVec<Move, { RuleSet::MAX_PIECES as usize + 1 }>;
