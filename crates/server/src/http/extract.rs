//! What is taken out of requests, with errors that name the field.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::http::error::{ApiError, ApiResult};
use crate::http::wording::{self, Wrong};
use crate::state::AppState;

/// A body in JSON; none at all is an empty object.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        let bytes = read(request, state).await?;
        let bytes = if bytes.is_empty() { Bytes::from_static(b"{}") } else { bytes };
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            // A list would be taken for an object whose fields come in order.
            return Err(unfit("body", &bytes, wording::reworded("the body is no object")));
        }
        let mut reading = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut reading);
        let value = value.map_err(|error| {
            let (path, wrong) = (error.path().to_string(), wording::of_json(error.inner()));
            match at(&bytes, &path) {
                Some(found) => unfit(&path, found.to_string().as_bytes(), wrong),
                None => unfit("body", &bytes, wrong),
            }
        })?;
        reading.end().map_err(|error| unfit("body", &bytes, wording::of_json(&error)))?;
        Ok(Self(value))
    }
}

fn unfit(field: &str, found: &[u8], wrong: Wrong) -> ApiError {
    let object = || "a JSON object as /api/openapi.json describes it".to_owned();
    ApiError::field(field, &String::from_utf8_lossy(found), wrong.message)
        .expected(wrong.expected.unwrap_or_else(object))
}

/// Returns the value at `path` in a body, if it has one.
fn at(bytes: &[u8], path: &str) -> Option<serde_json::Value> {
    let pointer = format!("/{}", path.replace('.', "/"));
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    value.pointer(&pointer).cloned()
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
    Bytes::from_request(request, state).await.map_err(|error| {
        let error_at = ApiError::new(error.status(), error.body_text());
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                error_at.expected(format!("at most {} bytes", state.limits.body))
            }
            _ => error_at,
        }
    })
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
            .map_err(|error| wording::of_path(parts.uri.path(), &error))
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
            let (field, wrong) = wording::of_query(&error.body_text());
            let fits = || "a query as /api/openapi.json describes it".to_owned();
            ApiError::field(field, query, wrong.message)
                .expected(wrong.expected.unwrap_or_else(fits))
        })
    }
}
