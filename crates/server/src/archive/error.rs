//! Why the archive does not do something.

use sqlx::migrate::MigrateError;

/// Why the archive does not do something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// There is no such game.
    #[error("there is no game {id} in the archive")]
    Missing {
        /// The number asked for.
        id: i64,
    },
    /// Another program or request has changed the game in between.
    #[error("game {id} has been changed meanwhile: expected a change of its present state")]
    Changed {
        /// The number of the game.
        id: i64,
    },
    /// The data directory may only be read, so the game would be back when the program starts again.
    #[error("the data directory is read-only: no game can be removed from it")]
    ReadOnly,
    /// The file may only be read, so that nothing can be kept.
    #[error("the archive's file is read-only: nothing can be kept in it")]
    Unwritable,
    /// The data directory may only be read, and another program changes the archive in it all the time.
    #[error(
        "another program keeps changing the archive: expected a moment without changes, in which it can be copied"
    )]
    Changing,
    /// The record of a game cannot be read back.
    #[error("the record of game {id} is damaged")]
    Damaged {
        /// The number of the game.
        id: i64,
        /// What is wrong with it.
        #[source]
        source: puabi_core::RecordError,
    },
    /// A newer version of this program has written the file.
    #[error(
        "a newer `ur` has written it: expected that version, or another directory in UR_DATA_DIR"
    )]
    Newer,
    /// The file belongs to another program, or is not a database.
    #[error(
        "it is not an archive of this program, or it is damaged: move it away to begin a new one"
    )]
    Foreign,
    /// The file of the archive cannot be brought to the form that this program knows.
    #[error("the archive's file cannot be brought up to date")]
    Migration(#[source] MigrateError),
    /// The database fails.
    #[error("the archive's file cannot be read or written")]
    Database(#[source] sqlx::Error),
    /// The system refuses a folder, a file or a thread that the archive needs.
    #[error("the archive cannot be opened")]
    System(#[from] std::io::Error),
}

impl From<sqlx::Error> for ArchiveError {
    fn from(error: sqlx::Error) -> Self {
        let error = Self::Database(error);
        // The last byte of the code: SQLITE_READONLY, and SQLITE_CORRUPT and SQLITE_NOTADB.
        match error.code().map(|code| code & 0xff) {
            Some(8) => Self::Unwritable,
            Some(11 | 26) => Self::Foreign,
            _ => error,
        }
    }
}

impl From<MigrateError> for ArchiveError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(_) => Self::Newer,
            MigrateError::VersionMismatch(_) => Self::Foreign,
            MigrateError::Execute(error) => error.into(),
            error => Self::Migration(error),
        }
    }
}

impl ArchiveError {
    /// Returns whether another program has locked the file, which does not last.
    pub(crate) fn is_busy(&self) -> bool {
        // The last byte of the code: 5 is SQLITE_BUSY, 6 SQLITE_LOCKED.
        matches!(self, Self::Database(sqlx::Error::PoolTimedOut))
            || self.code().is_some_and(|code| matches!(code & 0xff, 5 | 6))
    }

    /// Returns whether the disk has no room for what was to be kept.
    pub(crate) fn is_full(&self) -> bool {
        // SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: no room for the index of the log.
        self.code().is_some_and(|code| matches!(code, 13 | 4874))
    }

    /// Returns the code of an error of `SQLite`.
    fn code(&self) -> Option<u32> {
        let Self::Database(sqlx::Error::Database(error)) = self else { return None };
        error.code()?.parse().ok()
    }
}
