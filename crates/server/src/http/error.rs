//! Answers to requests that cannot be met: always the same JSON, with what was found and what would be right.

use std::fmt::Display;

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use puabi_core::wording::excerpt;
use serde::Serialize;
use utoipa::ToSchema;

use crate::archive::ArchiveError;

/// Why a request is not met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    status: StatusCode,
    trouble: Box<Trouble>,
    /// Seconds after which it makes sense to ask again.
    after: Option<u64>,
}

/// Seconds until it makes sense to ask again what cannot be answered for now.
const AGAIN: u64 = 5;

/// What is wrong, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Trouble {
    /// What is wrong, in a sentence.
    message: String,
    /// Which part of the request: a name in its path, its query or its body.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// What was found there.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
}

/// The body of an answer that is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    error: Trouble,
}

impl ApiError {
    /// Returns an error with this status and message.
    pub(crate) fn new(status: StatusCode, message: impl Display) -> Self {
        let message = message.to_string();
        let trouble = Trouble { message, field: None, found: None, expected: None };
        let after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(AGAIN);
        Self { status, trouble: Box::new(trouble), after }
    }

    /// Returns the error of a field that is not as it should be.
    pub(crate) fn field(field: impl Into<String>, found: &str, message: impl Display) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, message);
        error.trouble.field = Some(field.into());
        error.trouble.found = Some(excerpt(found).into_owned());
        error
    }

    /// Returns the error of something that is not there.
    pub(crate) fn missing(field: impl Into<String>, found: &str, message: impl Display) -> Self {
        Self::field(field, found, message).with(StatusCode::NOT_FOUND)
    }

    /// Returns the error of what cannot be done as things stand.
    pub(crate) fn conflict(message: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// Returns the error of what went wrong here; the cause goes to the log, not over the network.
    pub(crate) fn internal(doing: &str, cause: &impl Display) -> Self {
        tracing::error!("{doing} failed: {cause}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("{doing} failed: the server's log tells why"),
        )
    }

    /// Returns the error with another status.
    #[must_use]
    pub(crate) const fn with(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Returns the error with the seconds after which it makes sense to ask again.
    #[must_use]
    pub(crate) const fn after(mut self, seconds: u64) -> Self {
        self.after = Some(seconds);
        self
    }

    /// Returns the error with what would be right.
    #[must_use]
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.trouble.expected = Some(expected.into());
        self
    }

    /// Returns the status.
    #[cfg(test)]
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let again = self.after.map(|seconds| [(RETRY_AFTER, HeaderValue::from(seconds))]);
        (self.status, again, Json(ErrorBody { error: *self.trouble })).into_response()
    }
}

/// The answer to a request, or the reason why it is refused.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

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

impl Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.trouble.message)?;
        let expected = self.trouble.expected.as_ref();
        expected.map_or(Ok(()), |expected| write!(f, ": expected {expected}"))
    }
}
