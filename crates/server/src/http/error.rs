//! Answers to requests that cannot be met because of a fault of the archive or of other files.

use std::io;

use axum::http::StatusCode;
use puabi_answers::ApiError;

use crate::archive::ArchiveError;

/// What would be right if the data directory may only be read.
const WRITABLE: &str = "a server that may write to its data directory";

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Missing { id } => Self::missing("id", &id.to_string(), error)
                .expected("the number of a game, as GET /api/games lists them"),
            ArchiveError::Changed { .. } => Self::conflict(error),
            ArchiveError::ReadOnly | ArchiveError::Unwritable => {
                Self::conflict(error).expected(WRITABLE)
            }
            _ if error.is_busy() => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "another program has locked the archive")
                    .expected("to ask again in a few seconds")
            }
            _ if error.is_full() => full_disk("using the archive", &error),
            _ => {
                let causes =
                    std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
                let causes: Vec<_> = causes.map(ToString::to_string).collect();
                Self::internal("using the archive", &causes.join(": "))
            }
        }
    }
}

/// Returns the error of a file that the system does not let us write.
pub(crate) fn unwritten(doing: &str, error: &io::Error) -> ApiError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => full_disk(doing, error),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            read_only(doing, error)
        }
        _ => ApiError::internal(doing, error),
    }
}

/// Returns the error of a change for which the disk has no room.
fn full_disk(doing: &str, error: &dyn std::error::Error) -> ApiError {
    tracing::error!("{doing} failed: {error}");
    ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "the server's disk is full: this is not kept")
        .expected("free space on the disk before the next try")
}

/// Returns the error of a change of read-only files.
fn read_only(doing: &str, error: &io::Error) -> ApiError {
    tracing::warn!("{doing} failed: {error}");
    let message = "the server's data directory is read-only: nothing is changed in it";
    ApiError::conflict(message).expected(WRITABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_and_one_that_may_only_be_read_are_no_faults_of_the_server() {
        let status = |kind: io::ErrorKind| unwritten("keeping", &kind.into()).status();
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            assert_eq!(status(kind), StatusCode::INSUFFICIENT_STORAGE);
        }
        for kind in [io::ErrorKind::ReadOnlyFilesystem, io::ErrorKind::PermissionDenied] {
            assert_eq!(status(kind), StatusCode::CONFLICT);
        }
        assert_eq!(status(io::ErrorKind::InvalidData), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
