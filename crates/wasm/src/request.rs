//! A request and its answer, as a page writes and reads them.

use std::fmt::Display;

use http::StatusCode;
use puabi_answers::{ApiError, ApiResult, Entry, Marks};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A request.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ApiRequest {
    /// `GET`, `POST` or `DELETE`.
    pub(crate) method: String,
    /// The path of the API with its query, as in `/api/finkel/agents`.
    pub(crate) path: String,
    /// The body.
    pub(crate) body: String,
    /// Random digits: the seed of a game that names none.
    pub(crate) seed: String,
    /// The time, in seconds since 1970.
    pub(crate) now: i64,
    /// The number of the game to begin.
    pub(crate) id: i64,
    /// The games that the request is about: the one of its path, or those of a list, the newest first.
    pub(crate) games: Vec<Row>,
}

/// A game as the page keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub(crate) entry: Entry,
    /// The record; empty in a list that asks for none.
    #[serde(default)]
    pub(crate) record: String,
    #[serde(flatten)]
    pub(crate) marks: Marks,
}

/// An answer, and what the page is to keep before it passes it on.
#[derive(Debug, Serialize)]
pub(crate) struct Reply {
    status: u16,
    #[serde(rename = "type")]
    content_type: &'static str,
    /// Games to be kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) keep: Vec<Row>,
    /// Whether the game of the path is to be removed.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) drop: bool,
    /// Rule files to be kept: the name and text of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) keep_rules: Vec<[String; 2]>,
    /// The name of a rule file that is to be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drop_rules: Option<String>,
    /// The name of a rule set that the page is to have solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) solve: Option<String>,
    /// What the notation of a record cannot hold: the header `Left-Out`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) left_out: String,
    #[serde(skip)]
    body: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_false(is: &bool) -> bool {
    !is
}

impl Reply {
    /// Returns an answer with this body.
    pub(crate) fn new(status: StatusCode, content_type: &'static str, body: Vec<u8>) -> Self {
        Self {
            status: status.as_u16(),
            content_type,
            keep: Vec::new(),
            drop: false,
            keep_rules: Vec::new(),
            drop_rules: None,
            solve: None,
            left_out: String::new(),
            body,
        }
    }

    /// Returns an answer whose body is a value as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the value cannot be written as JSON.
    pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> ApiResult<Self> {
        let body = serde_json::to_vec(value)
            .map_err(|error| ApiError::internal("writing the answer", &error))?;
        Ok(Self::new(status, "application/json", body))
    }

    /// Returns an answer with the status of success, whose body is a value as JSON.
    ///
    /// # Errors
    ///
    /// As [`Reply::json`].
    pub(crate) fn ok(value: &impl Serialize) -> ApiResult<Self> {
        Self::json(StatusCode::OK, value)
    }

    /// Returns the answer of a request that cannot be met.
    pub(crate) fn refused(error: ApiError) -> Self {
        let status = error.status();
        let body = serde_json::to_vec(&error.body()).unwrap_or_default();
        Self::new(status, "application/json", body)
    }

    /// Returns the bytes for the page: a line of JSON that says what the page is to do, and the body behind it.
    pub(crate) fn bytes(self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self).expect("a reply has a form in JSON");
        bytes.push(b'\n');
        bytes.extend(self.body);
        bytes
    }
}

/// Returns the error of a solve that has failed. The page shows it to the person who asked: there is no log with the cause.
pub(crate) fn solving_failed(cause: impl Display) -> ApiError {
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("solving failed: {cause}"))
}

/// Returns the error of a path that leads nowhere.
pub(crate) fn no_route_error(path: &str) -> ApiError {
    ApiError::missing("path", path, "there is nothing under this path")
        .expected("a path as docs/api.md describes it")
}

/// Decodes a part of a path or of a query; replacement characters stand for bytes that are not UTF-8.
pub(crate) fn percent_decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (byte, length) = code.filter(|_| byte == b'%').map_or((byte, 1), |code| (code, 3));
        found.push(byte);
        at += length;
    }
    String::from_utf8_lossy(&found).into_owned()
}

/// Reads a query.
pub(crate) fn parse_query<T: DeserializeOwned>(query: &str) -> ApiResult<T> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (percent_decoded(key), serde_json::Value::from(percent_decoded(&value.replace('+', " "))))
    });
    let object = serde_json::Value::Object(pairs.collect());
    serde_json::from_value(object).map_err(|error| {
        ApiError::field("query", query, error).expected("a query as docs/api.md describes it")
    })
}
