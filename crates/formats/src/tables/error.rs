//! The errors of reading and writing `.rgu` tables.

use std::fmt::Display;
use std::io;

use puabi_core::RuleError;

use crate::records::settings::SettingsError;
use crate::tables::layout::LayoutError;

/// The reason why a `.rgu` table cannot be read or written.
///
/// The error names no path, because this crate opens no files; the caller adds it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTableError {
    /// The system reports an error on reading.
    #[error("the table cannot be read")]
    Unreadable(#[source] io::Error),
    /// The system reports an error on writing.
    #[error("the table cannot be written")]
    Unwritable(#[source] io::Error),
    /// The file is not the table that it should be.
    #[error("{0}")]
    Malformed(String),
    /// The settings are not known.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The rules are not a game.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// The keys cannot tell the states of this game apart.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The caller stopped the work.
    #[error("the work on the table was stopped")]
    Stopped,
}

impl ForeignTableError {
    /// Returns the error of metadata that cannot be read.
    pub(crate) fn metadata(what: impl Display) -> Self {
        Self::Malformed(format!("the table's metadata is damaged: {what}"))
    }
}
