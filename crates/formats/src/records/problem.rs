//! Mistakes in the text of a record, each with its line and column.

use puabi_core::{Decision, Player, Record, RecordError, wording};

use crate::records::conversion::Reading;

/// What is wrong with a part of a record, before its place is known.
#[derive(Debug)]
pub(crate) struct Problem(pub(crate) String);

impl Problem {
    /// Returns the problem that `found` stands where `expected` should.
    pub(crate) fn expected(found: impl AsRef<str>, expected: impl AsRef<str>) -> Self {
        Self(format!("found {}: expected {}", found.as_ref(), expected.as_ref()))
    }

    /// Returns the problem of a ply of `found` in the opponent's turn.
    pub(crate) fn not_on_turn(found: Player) -> Self {
        let expected = format!("one of {}, whose turn it is", found.opponent());
        Self::expected(format!("a ply of {found}"), expected)
    }

    /// Returns the problem that the roll of a decision still waits for its move.
    #[cold]
    pub(crate) fn missing_move(decision: &Decision<'_>) -> Self {
        let legal: Vec<_> = decision.moves().iter().map(ToString::to_string).collect();
        Self(format!("no move is made with this roll: expected one of {}", legal.join(", ")))
    }

    /// Returns this problem as an error at a byte of a text.
    pub(crate) fn at(&self, text: &str, offset: usize) -> RecordError {
        RecordError::at(text, offset, &self.0)
    }
}

impl<E: std::error::Error> From<E> for Problem {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// The most remarks that are kept for one text.
const MAX_REMARKS: usize = 100;

/// The remarks on a text, the first hundred of them.
#[derive(Debug)]
pub(crate) struct Remarks<'t> {
    text: &'t str,
    kept: Vec<RecordError>,
    /// The number of remarks that are left out.
    more: usize,
}

impl<'t> Remarks<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, kept: Vec::new(), more: 0 }
    }

    /// Adds a remark on a sign within a part of the text, or on the beginning of the part if it has no such sign.
    pub(crate) fn add_in(&mut self, part: &'t str, sign: &str, what: &str) {
        self.add(offset(self.text, part) + part.find(sign).unwrap_or(0), what);
    }

    /// Adds a remark on the byte at `offset`.
    pub(crate) fn add(&mut self, offset: usize, what: &str) {
        if self.kept.len() < MAX_REMARKS {
            self.kept.push(RecordError::at(self.text, offset, &what));
        } else {
            self.more += 1;
        }
    }

    /// Returns the record that was read from the text, with these remarks.
    pub(crate) fn with(self, record: Record) -> Reading {
        Reading { record, remarks: self.kept, more_remarks: self.more }
    }
}

/// Returns the byte of `text` at which its part begins.
pub(crate) fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// Returns the beginning of a text that may be long, in quotes.
pub(crate) fn excerpt(text: &str) -> String {
    format!("`{}`", wording::excerpt(text))
}
