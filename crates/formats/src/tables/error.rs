//! The errors of reading and writing `.rgu` tables.

use std::io;

use puabi_core::RuleError;

use crate::records::settings::SettingsError;
use crate::tables::layout::LayoutError;

/// Why a `.rgu` table cannot be read or written.
///
/// The error names no path, because this crate opens no files; the caller adds it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTableError {
    /// The system does not let us read.
    #[error("the table cannot be read")]
    Unreadable(#[source] io::Error),
    /// The system does not let us write.
    #[error("the table cannot be written")]
    Unwritable(#[source] io::Error),
    /// The file is something else.
    #[error(
        "the file is no .rgu table: expected the bytes 52 47 55 (`RGU`) and version 0, found {found}"
    )]
    Foreign {
        /// The first bytes.
        found: String,
    },
    /// The metadata cannot be read.
    #[error("the table's metadata is damaged: {what}")]
    Metadata {
        /// What does not fit.
        what: String,
    },
    /// A value type is unknown.
    #[error("`{found}` is no value type of a table: expected percent16, f32 or f64")]
    ValueType {
        /// The name.
        found: String,
    },
    /// The values are not chances to win.
    #[error("the table holds {what}, no chances to win: expected values in percent of wins")]
    NoChances {
        /// What they are.
        what: String,
    },
    /// The length does not fit the counts.
    #[error(
        "the table has {found} bytes: its {entries} entries of 6, 8 or 12 bytes would take {expected}"
    )]
    Length {
        /// Bytes of the file.
        found: u64,
        /// Entries that the counts say.
        entries: u64,
        /// Bytes for the stated type of values.
        expected: u64,
    },
    /// Keys are not in order.
    #[error("key {key:#x} of map {map} follows {before:#x}: expected ascending keys")]
    Order {
        /// The map.
        map: u32,
        /// The key before.
        before: u32,
        /// The key.
        key: u32,
    },
    /// A key is of no state.
    #[error("key {key:#x} is of no state under these rules")]
    Key {
        /// The whole key.
        key: u64,
    },
    /// A value is no chance.
    #[error("the value {found} of key {key:#x} is no chance: expected 0 to 100 percent")]
    Value {
        /// The whole key.
        key: u64,
        /// The value.
        found: f64,
    },
    /// The settings are not known.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The rules are no game.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// The keys cannot tell the states of this game apart.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Whoever gives the values has none.
    #[error("the values end after {found} of {expected}")]
    TooFew {
        /// Values given.
        found: u64,
        /// Entries of the table.
        expected: u64,
    },
    /// The work was to end.
    #[error("the work on the table was stopped")]
    Stopped,
}
