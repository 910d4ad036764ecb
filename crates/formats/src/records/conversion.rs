//! The results of reading a record from a notation, and of writing it in one.

use puabi_core::{Record, RecordError};

use crate::records::settings::SettingsError;

/// A record read from a text, with remarks on what is odd about the text.
///
/// ```
/// use puabi_formats::Notation;
/// let reading = Notation::Rgn.read("[Rules finkel]\n\n1. A@A1 A@A3 / 0 --\n", None)?;
/// let remark = &reading.remarks[0];
/// assert_eq!(remark.to_string(), "line 3, column 4: A@A1 lands on a rosette: expected ` *` after it");
/// # Ok::<(), puabi_core::RecordError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The record.
    pub record: Record,
    /// Remarks on what the text should say instead, in the order of the text; at most the first hundred.
    pub remarks: Vec<RecordError>,
    /// The number of remarks that would follow these.
    pub more_remarks: usize,
}

impl Reading {
    /// Returns the reading of a text with nothing odd about it.
    pub(crate) const fn without_remarks(record: Record) -> Self {
        Self { record, remarks: Vec::new(), more_remarks: 0 }
    }
}

/// A record written as a text, with a list of what the notation cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The parts of the record that the text leaves out, in words.
    pub lost: Vec<&'static str>,
}

/// The reason why a record cannot be written in a notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WriteError(pub(crate) String);

impl From<SettingsError> for WriteError {
    fn from(error: SettingsError) -> Self {
        Self(error.to_string())
    }
}

/// Returns whether there is a comment on the end of the game, but no roll that waits for its move, which the comment could
/// stand with.
pub(crate) fn has_comment_on_end(record: &Record) -> bool {
    let note = record.note(record.game.plies().len() + 1);
    record.game.thrown().is_none() && note.is_some_and(|note| !note.comment().is_empty())
}
