//! Errors of reading, writing and making tables.

use std::io;
use std::ops::Range;

use puabi_core::{RuleError, RuleFileError, TooManyPositions};
use puabi_solve::SolveError;

use crate::precision::Precision;

/// The version of the file formats that this code writes and reads.
pub(crate) const VERSION: u32 = 1;

/// The reason why a table or a response could not be read, written or made.
///
/// The texts name no path: the caller that opens a file knows its path and adds it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The system does not let us read the file.
    #[error("the table cannot be read")]
    Unreadable(#[source] io::Error),
    /// The file is something other than a table.
    #[error("the file is not a table: a table begins with 89 55 52 54 0D 0A 1A 0A (hexadecimal)")]
    Foreign,
    /// A copy as text changed the line ends or high bits of the table.
    #[error("the table was copied as text, which damaged it: expected a binary copy")]
    CopiedAsText,
    /// The file is of a version that this program does not know yet.
    #[error(
        "the table has format version {found}: this program reads version {VERSION}; use a newer program"
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// The file ends early.
    #[error("the table is truncated: found {found} bytes, expected {expected}")]
    Truncated {
        /// Bytes of the file.
        found: u64,
        /// Bytes that there should be, at least.
        expected: u64,
    },
    /// The file goes on after the last value.
    #[error("the table is too long: found {found} bytes, expected {expected}")]
    TooLong {
        /// Bytes of the file.
        found: u64,
        /// Bytes that there should be.
        expected: u64,
    },
    /// The header is not what was written.
    #[error("the table's header is damaged: {what}")]
    Header {
        /// What does not fit.
        what: String,
    },
    /// The table is of another state of the cube than the caller asked for.
    #[error("the table is of {found}: expected {expected}")]
    Cube {
        /// The state found.
        found: String,
        /// The state that the caller asked for.
        expected: String,
    },
    /// The header's rules are not the text of a rule file.
    #[error("the table's header has rules that cannot be read")]
    RuleText(#[source] RuleFileError),
    /// The header's rules are impossible.
    #[error("the table's header has rules that cannot be played")]
    Rules(#[source] RuleError),
    /// The header's rules have more positions than can be counted.
    #[error(transparent)]
    TooManyPositions(#[from] TooManyPositions),
    /// The table of a game would be longer than a file can be.
    #[error(
        "a table of {positions} positions is longer than a file can be (2^63 bytes): expected fewer pieces or a shorter path"
    )]
    FitsNoFile {
        /// The positions of the game.
        positions: u64,
    },
    /// The table is of another game.
    #[error("the table is of {found}, expected one of {expected}{}", hint(found, expected))]
    OtherRules {
        /// The rules of the table.
        found: String,
        /// The rules asked for.
        expected: String,
    },
    /// The table has rounded values where exact ones are needed.
    #[error("the table has values of precision {found}: expected f64")]
    Coarse {
        /// The table's precision.
        found: Precision,
    },
    /// A block of values is not what was written.
    #[error(
        "block {block} of the table is damaged: bytes {} to {} do not match their checksum",
        bytes.start,
        bytes.end - 1
    )]
    Block {
        /// The block, from 0.
        block: u64,
        /// The bytes of the file that hold it.
        bytes: Range<u64>,
    },
    /// Another program has changed the file since it was opened.
    #[error("another program has changed the table since it was opened")]
    Changed,
    /// A value is not a chance, though its block matches its checksum.
    #[error("the table's value {found} at index {index} is not a chance: expected 0 to 1")]
    Value {
        /// The index of the position.
        index: u64,
        /// The value found.
        found: f64,
    },
    /// The values are not those of the game.
    #[error("a value differs from its backup by {residual:e}: expected at most {bound:e}")]
    Inexact {
        /// The largest difference between a value and its backup.
        residual: f64,
        /// The most that it may be.
        bound: f64,
    },
    /// A solve's values are not those of the game.
    #[error(
        "a value differs from its backup by {residual:e}: expected at most {bound:e}; a kept sublayer, or this machine's \
         memory, is damaged, and the kept sublayers are removed, so the next solve starts anew"
    )]
    WrongSolve {
        /// The largest difference between a value and its backup.
        residual: f64,
        /// The most that it may be.
        bound: f64,
    },
    /// A sublayer of the solve that ends now is not what was kept.
    #[error(
        "a kept sublayer is not what was written: the disk, or this machine's memory, damages data; the same command finds it \
         anew and keeps the others"
    )]
    DamagedPart,
    /// A number computed from the values differs from the one in the header.
    #[error("the table's {what} is {found:?}, but its header says {stated:?}")]
    Mismatch {
        /// The name of the number.
        what: &'static str,
        /// The number computed from the values.
        found: f64,
        /// What the header says.
        stated: f64,
    },
    /// The solve, or a pass over all backups, failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The watch ended work that keeps nothing to go on from.
    #[error("the work on the table was stopped")]
    Stopped,
    /// The disk is too full.
    #[error("needs {} on {place}, {} are free", Amount(*needed), Amount(*free))]
    NoSpace {
        /// The directory.
        place: String,
        /// Bytes it would take.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The system does not let us write the table.
    #[error("the table cannot be written")]
    Unwritable(#[from] io::Error),
    /// The system does not let us remove the table.
    #[error("the table cannot be removed")]
    Unremovable(#[source] io::Error),
    /// The system does not let us write the response.
    #[error("the response cannot be written")]
    UnwritableResponse(#[source] io::Error),
    /// The system does not let us read the response.
    #[error("the response cannot be read")]
    UnreadableResponse(#[source] io::Error),
    /// A response file is not what was written.
    #[error("the response cannot be read: {what}")]
    Response {
        /// What does not fit.
        what: String,
    },
    /// Another process solves the game into the same file.
    #[error(
        "another solve of {table} is running{}: wait for it, or stop it and go on from where it was",
        process.map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    Locked {
        /// The name of the file.
        table: String,
        /// The process that solves, if the lock names it.
        process: Option<u32>,
    },
}

impl TableError {
    /// Returns the error of a table of a cube in this state where one of the game without a cube is expected.
    pub(crate) fn not_cubeless(found: &impl std::fmt::Display) -> Self {
        let expected =
            "the game without a cube (`ur cube` keeps tables of a cube in a folder of their own)";
        Self::Cube { found: found.to_string(), expected: expected.to_owned() }
    }

    /// Returns the error of work on a table that keeps nothing to go on from.
    #[cfg(feature = "files")]
    pub(crate) fn of_work(error: SolveError) -> Self {
        match error {
            SolveError::Stopped => Self::Stopped,
            error => error.into(),
        }
    }
}

/// Explains a mismatch that the two names do not show.
fn hint(found: &str, expected: &str) -> &'static str {
    if found == expected { " with other rules under the same name" } else { "" }
}

/// A number of bytes to display in decimal units with one digit after the point.
struct Amount(u64);

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mut amount, mut unit) = (self.0 as f64, "bytes");
        for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
            if amount >= 999.95 {
                (amount, unit) = (amount / 1000.0, larger);
            }
        }
        if unit == "bytes" {
            write!(f, "{} bytes", self.0)
        } else {
            write!(f, "{amount:.1} {unit}")
        }
    }
}
