//! The page and its files, carried in the program.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use puabi_report::Topic;
use rust_embed::RustEmbed;

use puabi_answers::ApiError;

/// The files of the page; builds for development read them from disk at each request.
#[derive(RustEmbed)]
#[folder = "page/"]
pub(crate) struct Files;

/// The page itself.
const INDEX: &str = "index.html";

/// Answers requests that match no route: with a file of the page, or with the page itself for the addresses that it makes up.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::missing("path", uri.path(), "there is nothing under this path")
            .expected("a path as /api/openapi.json describes it")
            .into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return wrong_method(method, uri).await.into_response();
    }
    if let Some(name) = path.strip_prefix("help/") {
        return help(name);
    }
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let path = if is_file { path } else { INDEX };
    file(path, &headers).unwrap_or_else(|| {
        ApiError::missing("path", uri.path(), "there is no such file").into_response()
    })
}

/// What a page of help may do: show itself.
const HELP_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Returns the page of help on a topic.
fn help(name: &str) -> Response {
    let Some(topic) = Topic::find(name) else {
        let names = Topic::ALL.map(|topic| topic.name).join(", ");
        return ApiError::missing("topic", name, "there is no help on that")
            .expected(format!("one of {names}"))
            .into_response();
    };
    let headers =
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, HELP_POLICY)];
    (headers, topic.page()).into_response()
}

/// Answers a request whose method the path does not have.
pub(crate) async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("{} cannot be asked for with this method", uri.path());
    ApiError::field("method", method.as_str(), message)
        .with(StatusCode::METHOD_NOT_ALLOWED)
        .expected("a method as /api/openapi.json describes it")
}

fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let file = Files::get(path)?;
    let hash = file.metadata.sha256_hash();
    let tag = hash.first_chunk().copied().map_or(0, u64::from_be_bytes);
    let tag = format!("\"{tag:016x}\"");
    let cached = [(ETAG, &*tag), (CACHE_CONTROL, "no-cache")];
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|asked| {
        asked.to_str().is_ok_and(|asked| {
            asked.split(',').any(|asked| asked.trim().trim_start_matches("W/") == tag)
        })
    });
    if is_known {
        return Some((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    let content_type = [(CONTENT_TYPE, file.metadata.mimetype().to_owned())];
    Some((cached, content_type, file.data).into_response())
}
