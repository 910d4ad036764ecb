//! Who sits at the board: a person or a bot.

use std::fmt;
use std::str::FromStr;

use puabi_engine::AgentSpec;

/// Who plays a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seat {
    /// A person at this console.
    Human,
    /// An agent.
    Bot(AgentSpec),
}

impl Seat {
    /// The perfect player.
    pub(crate) const PERFECT: Self = Self::Bot(AgentSpec::Perfect);

    /// Returns whether the game must be solved for it to play.
    pub(crate) fn needs_values(self) -> bool {
        matches!(self, Self::Bot(spec) if spec.needs_values())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.pad("human"),
            Self::Bot(spec) => spec.fmt(f),
        }
    }
}

/// The error of a text that names nobody.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no player: expected human, perfect, greedy or random")]
pub(crate) struct SeatError {
    found: String,
}

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        if text == "human" {
            return Ok(Self::Human);
        }
        text.parse().map(Self::Bot).map_err(|_| SeatError { found: text.to_owned() })
    }
}
