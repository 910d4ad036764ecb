//! A seat at the board: a person or an agent.

use std::fmt;
use std::str::FromStr;

use puabi_core::wording::is_control;

use crate::agents::error::AgentSpecError;
use crate::agents::spec::AgentSpec;

/// The player of a colour: a person or an agent.
///
/// ```
/// use puabi_engine::Seat;
/// assert_eq!("human".parse(), Ok(Seat::Human));
/// assert_eq!("greedy".parse::<Seat>()?.to_string(), "greedy");
/// # Ok::<(), puabi_engine::SeatError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Seat {
    /// A person.
    Human,
    /// An agent.
    Bot(AgentSpec),
}

impl Seat {
    /// The perfect player.
    pub const PERFECT: Self = Self::Bot(AgentSpec::PERFECT);

    /// The largest number of characters in a person's name.
    pub const MAX_NAME: usize = 40;

    /// Returns whether a person may have this name in records: not empty, at most [`Seat::MAX_NAME`] characters, in one line,
    /// without a space at either end, and not the name of an agent.
    ///
    /// ```
    /// use puabi_engine::Seat;
    /// assert!(Seat::is_name_of_person("Bea B."));
    /// assert!(!Seat::is_name_of_person("perfect") && !Seat::is_name_of_person(" "));
    /// ```
    pub fn is_name_of_person(text: &str) -> bool {
        (1..=Self::MAX_NAME).contains(&text.chars().count())
            && text.trim() == text
            && !text.contains(is_control)
            && text.parse::<AgentSpec>().is_err()
    }

    /// Returns the agent that plays; `None` for a person.
    pub const fn bot(&self) -> Option<&AgentSpec> {
        match self {
            Self::Human => None,
            Self::Bot(spec) => Some(spec),
        }
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

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        if text == "human" {
            return Ok(Self::Human);
        }
        text.parse().map(Self::Bot).map_err(SeatError)
    }
}

/// The error of a text that names neither an agent nor a person.
///
/// ```
/// use puabi_engine::Seat;
/// let error = "god".parse::<Seat>().unwrap_err();
/// assert!(error.to_string().ends_with("; or human"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}; or human")]
pub struct SeatError(AgentSpecError);
