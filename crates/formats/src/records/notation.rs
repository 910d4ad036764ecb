//! The list of notations: how each is recognised, read and written.

use std::fmt;
use std::str::FromStr;

use puabi_core::{Move, Record, RecordError, RuleSet};

use crate::records::conversion::{Reading, WriteError, Written};
use crate::records::{json, log, rgn};

/// A text format for the record of one game.
///
/// ```
/// use puabi_formats::Notation;
/// assert_eq!(Notation::from_file_name("games/final.rgn"), Some(Notation::Rgn));
/// assert_eq!(Notation::guess("{\"notation_version\":2}"), Notation::Json);
/// assert_eq!(Notation::guess("{A comment.} 1. A@A3"), Notation::Rgn);
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

    /// Returns the extension of this notation's files, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Urg => "urg",
            Self::Rgn => "rgn",
            Self::Json => "json",
            Self::Log => "ur",
        }
    }

    /// Returns the notation that the extension of a file's name stands for, in either case.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Self::ALL.into_iter().find(|notation| notation.extension().eq_ignore_ascii_case(extension))
    }

    /// Guesses the notation of a text from its first line that is neither empty nor a comment.
    ///
    /// Returns our own if the line looks like no other notation.
    pub fn guess(text: &str) -> Self {
        let text = past_comments(text);
        // No tag begins with a brace. A list of objects is not a game, but it is JSON.
        let list = text.strip_prefix('[');
        if list.is_some_and(|list| list.trim_start().starts_with('{')) {
            return Self::Json;
        }
        // A comment in RGN stands in braces. An object is empty, or begins with a key.
        let object = text.strip_prefix('{').map(str::trim_start);
        if object.is_some_and(|object| object.is_empty() || object.starts_with(['"', '}'])) {
            return Self::Json;
        }
        match text {
            line if line.starts_with(['{', '[', '/', '1']) => Self::Rgn,
            line if ["X", "O", "Board"].iter().any(|word| line.starts_with(word)) => Self::Log,
            _ => Self::Urg,
        }
    }

    /// Reads a game, played through the rules.
    ///
    /// `rules` apply to a text in RGN, even if it names rules itself. They mean nothing for other texts, which name their rules
    /// or, as logs, always follow Finkel's. The time is linear in the length of the text.
    ///
    /// ```
    /// use puabi_formats::Notation;
    /// let error = Notation::Rgn.read("[Rules finkel]\n\n1. A@A5 / 0 --\n", None).unwrap_err();
    /// assert_eq!((error.line(), error.column()), (3, 4));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first mistake of the text with its line and column: an illegal move, an impossible roll, a ply out of
    /// turn, or anything that the notation does not allow.
    pub fn read(self, text: &str, rules: Option<&RuleSet>) -> Result<Reading, RecordError> {
        if text.len() > Record::MAX_BYTES {
            let (found, max) = (text.len(), Record::MAX_BYTES);
            let message = format!("the text has {found} bytes: expected a record of at most {max}");
            return Err(RecordError::at(text, 0, &message));
        }
        match self {
            Self::Urg => Ok(Reading::without_remarks(text.parse()?)),
            Self::Rgn => rgn::read(text, rules),
            Self::Json => json::read(text),
            Self::Log => log::read(text),
        }
    }

    /// Writes a game, and lists the parts that the notation cannot hold.
    ///
    /// # Errors
    ///
    /// Returns an error if the notation cannot hold games by these rules.
    pub fn write(self, record: &Record) -> Result<Written, WriteError> {
        if record.stakes_at_start().is_some() && self != Self::Urg {
            let mut written = self.write(&record.clone().with_doubles_as_comments())?;
            written.lost.push("the cube (kept only as comments)");
            return Ok(written);
        }
        if let Some(passed) = with_forced_pass(record).filter(|_| self != Self::Urg) {
            let mut written = self.write(&passed)?;
            written.lost.push("that the pass of the last roll is still to be played");
            return Ok(written);
        }
        match self {
            Self::Urg => Ok(Written { text: record.to_string(), lost: Vec::new() }),
            Self::Rgn if record.game.rules().has_stacks() => Err(WriteError(format!(
                "{}: RGN holds games of one piece a tile only",
                record.game.rules().rule_set()
            ))),
            Self::Rgn => Ok(rgn::write(record)),
            Self::Json => json::write(record),
            Self::Log => log::write(record),
        }
    }
}

/// Returns the text from its first line that is neither empty nor a comment.
fn past_comments(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if !text.starts_with('#') {
            return text;
        }
        text = text.split_once('\n').map_or("", |(_, rest)| rest);
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

/// The error of a word that does not name a notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a notation: expected urg, rgn, json or ur")]
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

/// Returns the record with a pass for its last roll, if no piece can move with that roll.
///
/// The readers of the other notations play the pass of such a roll. A roll that the start gives is part of the start, and is
/// left alone.
fn with_forced_pass(record: &Record) -> Option<Record> {
    record.game.thrown()?;
    let mut passed = record.clone();
    passed.game.play(Move::Pass).is_ok().then_some(passed)
}
