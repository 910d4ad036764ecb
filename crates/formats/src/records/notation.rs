//! The notations of game records, by name and by their look.

use std::fmt;
use std::str::FromStr;

use puabi_core::{Move, Record, RuleSet};

use crate::records::conversion::{Reading, WriteError, Written};
use crate::records::place::{Problem, ReadError};
use crate::records::{json, log, rgn};

/// A way to write a game down.
///
/// ```
/// use puabi_formats::Notation;
/// assert_eq!(Notation::of_name("games/final.rgn"), Some(Notation::Rgn));
/// assert_eq!(Notation::of_text("{\"notation_version\":2}"), Notation::Json);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Our own records.
    Urg,
    /// The text notation of `RoyalUr`.
    Rgn,
    /// The JSON notation of `RoyalUr`, version 1 or 2.
    Json,
    /// The logs of Heled's program; Finkel's rules only.
    Log,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 4] = [Self::Urg, Self::Rgn, Self::Json, Self::Log];

    /// Returns how the files of this notation end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Urg => "urg",
            Self::Rgn => "rgn",
            Self::Json => "json",
            Self::Log => "ur",
        }
    }

    /// Returns the notation of a file by how its name ends.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Self::ALL.into_iter().find(|notation| notation.extension().eq_ignore_ascii_case(extension))
    }

    /// Returns the notation that a text looks like; our own where it looks like none.
    pub fn of_text(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with('#'));
        match first.unwrap_or_default() {
            line if line.starts_with('{') => Self::Json,
            line if line.starts_with(['[', '/', '1']) => Self::Rgn,
            line if ["X", "O", "Board"].iter().any(|word| line.starts_with(word)) => Self::Log,
            _ => Self::Urg,
        }
    }

    /// Reads a game, played through the rules.
    ///
    /// `rules` are those of a text that names none, or whose own name for them is not known; they take precedence over
    /// the name that a text in RGN gives. Takes linear time.
    ///
    /// # Errors
    ///
    /// Where the text is no game: an illegal move, an impossible roll, a wrong turn or anything else, with its place.
    pub fn read(self, text: &str, rules: Option<&RuleSet>) -> Result<Reading, ReadError> {
        if text.len() > Record::MAX_BYTES {
            return Err(Problem::TooLong { found: text.len() }.at(text, 0));
        }
        match self {
            Self::Urg => match text.parse() {
                Ok(record) => Ok(Reading { record, remarks: Vec::new() }),
                Err(error) => Err(ReadError::of_record(&error)),
            },
            Self::Rgn => rgn::read(text, rules),
            Self::Json => json::read(text),
            Self::Log => log::read(text),
        }
    }

    /// Writes a game, and tells what of it the notation cannot hold.
    ///
    /// # Errors
    ///
    /// Where the notation cannot hold the rules.
    pub fn write(self, record: &Record) -> Result<Written, WriteError> {
        if let Some(passed) = passed(record).filter(|_| self != Self::Urg) {
            let mut written = self.write(&passed)?;
            written.lost.push("that the last roll waits for its pass");
            return Ok(written);
        }
        match self {
            Self::Urg => Ok(Written { text: record.to_string(), lost: Vec::new() }),
            Self::Rgn if record.game.rules().has_stacks() => {
                Err(WriteError::Stacks { rules: record.game.rules().rule_set().to_string() })
            }
            Self::Rgn => Ok(rgn::write(record)),
            Self::Json => json::write(record),
            Self::Log => log::write(record),
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

/// The error of a text that names no notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no notation: expected urg, rgn, json or ur")]
pub struct NotationError {
    found: String,
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let named = Self::ALL.into_iter().find(|notation| notation.extension() == text);
        named.ok_or_else(|| NotationError { found: text.to_owned() })
    }
}

/// Returns the record with its last roll passed where nothing can move with it, which is how the dialects would read it.
///
/// Nothing where no roll waits for that. A roll that the start gives is part of the start.
fn passed(record: &Record) -> Option<Record> {
    let game = &record.game;
    let is_start = game.plies().is_empty() && game.start().roll.is_some();
    let mut passed = Some(record.clone()).filter(|_| !is_start && game.pending().is_some())?;
    passed.game.play(Move::Pass).is_ok().then_some(passed)
}
