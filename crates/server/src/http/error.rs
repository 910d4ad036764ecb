//! Answers to requests that cannot be met: what goes wrong with the archive.

use axum::http::StatusCode;
use puabi_answers::ApiError;

use crate::archive::ArchiveError;

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Missing { id } => Self::missing("id", &id.to_string(), error)
                .expected("the number of a game, as GET /api/games lists them"),
            ArchiveError::Changed { .. } => Self::conflict(error),
            _ if error.is_busy() => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "another program has locked the archive")
                    .expected("to ask again in a few seconds")
            }
            _ => {
                let causes =
                    std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source());
                let causes: Vec<_> = causes.map(ToString::to_string).collect();
                Self::internal("using the archive", &causes.join(": "))
            }
        }
    }
}
