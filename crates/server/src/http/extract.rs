//! Extractors: the parts of requests, with errors that name the field.

use axum::extract::path::ErrorKind;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use bytes::Bytes;
use http_body::Body as _;
use puabi_answers::{ApiError, ApiResult, query_fault, read_object};
use serde::de::DeserializeOwned;

use crate::state::AppState;

/// A body in JSON; an empty body counts as an empty object.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let bytes = read(request, state).await?;
        read_object(&bytes).map(Self)
    }
}

/// A body that is a text.
#[derive(Debug)]
pub(crate) struct Text(pub(crate) String);

impl FromRequest<AppState> for Text {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let bytes = read(request, state).await?;
        let text = String::from_utf8(bytes.into()).map_err(|error| {
            ApiError::field("body", &String::from_utf8_lossy(error.as_bytes()), &error)
                .expected("text in UTF-8")
        })?;
        Ok(Self(text))
    }
}

async fn read(request: Request, state: &AppState) -> ApiResult<Bytes> {
    let most = state.limits.body;
    // If the head gives a length that is too long, the request is refused before any of the body is read.
    if request.body().size_hint().lower() > most as u64 {
        return Err(too_long(most));
    }
    Bytes::from_request(request, state).await.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_long(most),
        status => ApiError::new(status, error.body_text()),
    })
}

/// Returns the error of a body of more than `most` bytes.
fn too_long(most: usize) -> ApiError {
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long")
        .expected(format!("at most {most} bytes"))
}

/// Parts of the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let taken = axum::extract::Path::from_request_parts(parts, state).await;
        taken
            .map(|axum::extract::Path(value)| Self(value))
            .map_err(|error| unreadable(parts.uri.path(), &error))
    }
}

/// Returns the error of a path with a part that cannot be read.
fn unreadable(path: &str, rejection: &PathRejection) -> ApiError {
    let PathRejection::FailedToDeserializePathParams(error) = rejection else {
        return ApiError::field("path", path, "the path cannot be read");
    };
    match error.kind() {
        // Only games have numbers, so this part is that of a game.
        ErrorKind::ParseError { value, .. }
        | ErrorKind::ParseErrorAtIndex { value, .. }
        | ErrorKind::ParseErrorAtKey { value, .. } => {
            ApiError::field("id", value, "that is not a number of a game")
                .expected("a whole number, as GET /api/games lists them")
        }
        ErrorKind::InvalidUtf8InPathParam { key } => {
            ApiError::field(key, path, "that is not text").expected("text in UTF-8")
        }
        _ => ApiError::field("path", path, "the path cannot be read")
            .expected("a path as /api/openapi.json describes it"),
    }
}

/// The query.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let (query, most) = (parts.uri.query().unwrap_or_default().to_owned(), state.limits.query);
        let query = query.as_str();
        if query.len() > most {
            return Err(ApiError::field("query", query, "the query is too long")
                .with(StatusCode::PAYLOAD_TOO_LARGE)
                .expected(format!("at most {most} bytes")));
        }
        let taken = axum::extract::Query::from_request_parts(parts, state).await;
        taken.map(|axum::extract::Query(value)| Self(value)).map_err(|error| {
            let (field, wrong) = query_fault(&error.body_text());
            let fits = || "a query as /api/openapi.json describes it".to_owned();
            let found = value_in(&parts.uri, &field);
            ApiError::field(field, found.as_deref().unwrap_or(query), wrong.message)
                .expected(wrong.expected.unwrap_or_else(fits))
        })
    }
}

/// Returns the value of a field of the query.
fn value_in(uri: &Uri, field: &str) -> Option<String> {
    let axum::extract::Query(pairs) =
        axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri).ok()?;
    pairs.into_iter().find(|(name, _)| name == field).map(|(_, value)| value)
}
