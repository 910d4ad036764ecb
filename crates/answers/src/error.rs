//! Answers to requests that cannot be met: always the same JSON, with what was found and what would be right.

use std::fmt::Display;

#[cfg(feature = "server")]
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use puabi_core::wording::excerpt;
use serde::Serialize;
use utoipa::ToSchema;

/// An error of the API: what is wrong with a request, and the status of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    trouble: Box<Trouble>,
    /// Seconds after which it makes sense to ask again.
    after: Option<u64>,
}

/// Seconds after which a client may ask again if the server cannot answer for now.
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
pub struct ErrorBody {
    error: Trouble,
}

impl ApiError {
    /// Returns an error with this status and message.
    pub fn new(status: StatusCode, message: impl Display) -> Self {
        let message = message.to_string();
        let trouble = Trouble { message, field: None, found: None, expected: None };
        let after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(AGAIN);
        Self { status, trouble: Box::new(trouble), after }
    }

    /// Returns the error of a field with a wrong value, `found`.
    pub fn field(field: impl Into<String>, found: &str, message: impl Display) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, message);
        error.trouble.field = Some(field.into());
        error.trouble.found = Some(excerpt(found).into_owned());
        error
    }

    /// Returns the error of a field that names something which does not exist.
    pub fn missing(field: impl Into<String>, found: &str, message: impl Display) -> Self {
        Self::field(field, found, message).with(StatusCode::NOT_FOUND)
    }

    /// Returns the error of a request that cannot be met in the present state.
    pub fn conflict(message: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// Returns the error of a fault of the server. The cause is written to the log, not sent over the network.
    pub fn internal(doing: &str, cause: &impl Display) -> Self {
        tracing::error!("{doing} failed: {cause}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("{doing} failed: see the server's log"),
        )
    }

    /// Returns the error with another status.
    #[must_use]
    pub const fn with(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Returns the error with the seconds after which it makes sense to ask again.
    #[must_use]
    pub const fn after(mut self, seconds: u64) -> Self {
        self.after = Some(seconds);
        self
    }

    /// Returns the error with what would be right.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.trouble.expected = Some(expected.into());
        self
    }

    /// Returns the body of the answer.
    pub fn body(self) -> ErrorBody {
        ErrorBody { error: *self.trouble }
    }

    /// Returns the status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }
}

/// Returns the error of a field from an error of this project, whose text may say after `: expected ` what would be right.
pub(crate) fn field_error(field: &str, found: &str, error: &dyn Display) -> ApiError {
    let text = error.to_string();
    let (message, expected) = text.split_once(": expected ").unwrap_or((&text, ""));
    let error = ApiError::field(field, found, message);
    if expected.is_empty() { error } else { error.expected(expected) }
}

#[cfg(feature = "server")]
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let after = self.after.map(http::HeaderValue::from);
        let again = after.map(|seconds| [(http::header::RETRY_AFTER, seconds)]);
        (self.status, again, axum::Json(self.body())).into_response()
    }
}

/// The answer to a request, or the reason why it is refused.
pub type ApiResult<T> = Result<T, ApiError>;

impl Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.trouble.message)?;
        let expected = self.trouble.expected.as_ref();
        expected.map_or(Ok(()), |expected| write!(f, ": expected {expected}"))
    }
}
