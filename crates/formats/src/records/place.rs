//! Mistakes in the text of a record, each with its line and column.

use puabi_core::{Decision, GameError, Player, PositionError, Record, RuleError};
use serde::Serialize;

/// A mistake in the text of a game record: its place, what was found, and what would be right.
///
/// ```
/// use puabi_formats::Notation;
/// let error = Notation::Rgn.read("[Rules finkel]\n\n1. A@A5 / 0 --\n", None).unwrap_err();
/// assert_eq!((error.line(), error.column()), (3, 4));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ReadError {
    line: usize,
    column: usize,
    problem: Box<Problem>,
}

/// What is wrong with a game record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is longer than any record that is read.
    #[error("the text has {found} bytes: expected a record of at most {max}", max = Record::MAX_BYTES)]
    TooLong {
        /// Bytes of the text.
        found: usize,
    },
    /// Something else should stand there.
    #[error("found {found}: expected {expected}")]
    Expected {
        /// What stands there.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// It is the other player's turn.
    #[error("found a ply of {found}: expected one of {}, whose turn it is", found.opponent())]
    Turn {
        /// Whose ply it says it is.
        found: Player,
    },
    /// A roll waits for its move.
    #[error("no move is made with this roll: expected one of {legal}")]
    NoMove {
        /// The legal moves.
        legal: String,
    },
    /// The rules forbid what is said to have happened.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The start breaks the rules.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// The rules are no game.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A text in our own notation is not a record.
    #[error("{0}")]
    Record(String),
    /// The text is not the JSON that it should be.
    #[error("{message}")]
    Json {
        /// What was found and what was expected.
        message: String,
    },
}

impl Problem {
    /// Something else should stand there.
    pub(crate) fn expected(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Expected { found: found.into(), expected: expected.into() }
    }

    /// The roll of a decision waits for its move.
    #[cold]
    pub(crate) fn no_move(decision: &Decision<'_>) -> Self {
        let legal: Vec<_> = decision.moves().iter().map(ToString::to_string).collect();
        Self::NoMove { legal: legal.join(", ") }
    }

    /// This, at a byte of a text.
    pub(crate) fn at(self, text: &str, offset: usize) -> ReadError {
        let (line, column) = place(text, offset);
        ReadError { line, column, problem: Box::new(self) }
    }
}

impl ReadError {
    pub(crate) fn of_record(error: &puabi_core::RecordError) -> Self {
        let problem = Box::new(Problem::Record(error.message().to_owned()));
        Self { line: error.line(), column: error.column(), problem }
    }

    /// Returns the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }
}

/// Something that is not as it should be and does not keep a record from being read.
///
/// ```
/// use puabi_formats::Notation;
/// let reading = Notation::Rgn.read("[Rules finkel]\n\n1. A@A1 A@A3 / 0 --\n", None)?;
/// let remark = &reading.remarks[0];
/// assert_eq!(remark.to_string(), "line 3, column 4: A@A1 lands on a rosette: expected ` *` after it");
/// # Ok::<(), puabi_formats::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct Remark {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is not as it should be, and what would be right.
    pub what: String,
}

/// The most remarks that are kept of one text.
const MAX_REMARKS: usize = 100;

/// The remarks on a text, the first hundred of them.
#[derive(Debug)]
pub(crate) struct Remarks<'t> {
    text: &'t str,
    remarks: Vec<Remark>,
}

impl<'t> Remarks<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, remarks: Vec::new() }
    }

    /// Remarks on the byte at `offset`.
    pub(crate) fn add(&mut self, offset: usize, what: String) {
        if self.remarks.len() < MAX_REMARKS {
            let (line, column) = place(self.text, offset);
            self.remarks.push(Remark { line, column, what });
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Remark> {
        self.remarks
    }
}

/// Returns the line and the column of a byte, both counted from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.bytes().filter(|&byte| byte == b'\n').count() + 1, before[start..].chars().count() + 1)
}

/// Returns the byte of `text` at which its part begins.
pub(crate) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Returns the beginning of a text that may be long, in quotes.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
