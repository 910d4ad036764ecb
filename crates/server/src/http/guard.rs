//! What keeps other sites, and requests that never end, from doing harm.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::client::Client;
use crate::mode::{Mode, Right};
use crate::state::AppState;
use puabi_answers::{ApiError, ApiResult};

/// What the page may do: use scripts, styles and other files of this server, but no script or style written into the page itself.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
     font-src 'self'; manifest-src 'self'; media-src 'self' blob:; worker-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'",
);
/// The same for the description of the API, whose scripts put styles into the page.
const DOCS_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The names that this server answers to, beside addresses and `localhost`.
///
/// Another site can let its own name lead to this server (DNS rebinding). Its scripts would then be of the same origin as the
/// page. So a request must name the server by one of the server's own names.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostNames(Arc<[String]>);

impl HostNames {
    /// Returns these names.
    pub(crate) fn new(names: &[String]) -> Self {
        Self(names.iter().map(|name| plain(name)).collect())
    }

    fn know(&self, authority: &Authority) -> bool {
        let host = plain(authority.host().trim_start_matches('[').trim_end_matches(']'));
        let is_local = host == "localhost" || host.ends_with(".localhost");
        is_local || host.parse::<IpAddr>().is_ok() || self.0.contains(&host)
    }

    /// Refuses requests under a host name that is not ours. From other sites, it refuses changes and all requests to the API,
    /// because there even a `GET` may start a solve. Other sites may link to the page and to the description of the API.
    fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> ApiResult<()> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        if headers.get_all(HOST).iter().count() > 1 {
            return Err(
                ApiError::field("Host", host, "the request names two hosts").expected("one")
            );
        }
        let authority = host.parse::<Authority>().ok().filter(|authority| self.know(authority));
        if authority.is_none() {
            return Err(forbidden("Host", host)
                .expected("an address, localhost, or a name given by `ur serve --name`"));
        }
        let is_question = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        let is_api = path.starts_with("/api/") && !is_docs(path);
        if is_question && !is_api {
            return Ok(());
        }
        let is_ours = |origin: &str| {
            let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            site.is_some_and(|site| site.eq_ignore_ascii_case(host))
        };
        let origin = text(ORIGIN).unwrap_or_default();
        if headers.contains_key(ORIGIN) && !is_ours(origin) {
            return Err(forbidden("Origin", origin).expected(format!("http://{host}")));
        }
        match text(FETCH_SITE) {
            Some(found @ ("cross-site" | "same-site")) => {
                Err(forbidden("Sec-Fetch-Site", found)
                    .expected("same-origin, or a link to the page"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns a name in the form in which names are compared: in small letters, and without the dot at the end of a full domain
/// name.
fn plain(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Returns whether a path is that of the description of the API; a rule set's name may begin with `docs`.
fn is_docs(path: &str) -> bool {
    path == "/api/docs" || path.starts_with("/api/docs/")
}

fn forbidden(field: &str, found: &str) -> ApiError {
    ApiError::field(field, found, "the request comes from another site").with(StatusCode::FORBIDDEN)
}

/// Refuses requests that other sites may not send.
pub(crate) async fn refuse_other_sites(
    State(names): State<HostNames>,
    request: Request,
    next: Next,
) -> Response {
    match names.check(request.method(), request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Refuses requests that the mode of the server does not allow.
pub(crate) async fn check_mode(State(mode): State<Mode>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let right = Right::of(request.method(), route);
    let is_local = request.extensions().get::<Client>().is_some_and(|client| client.is_local);
    match mode.ensure(right, is_local) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// Ends requests whose answer does not begin in time.
pub(crate) async fn limit_time(
    State(limit): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    let answer = tokio::time::timeout(limit, next.run(request)).await;
    answer.unwrap_or_else(|_| {
        let message = format!("the request took more than {} seconds", limit.as_secs_f64());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
    })
}

/// Counts answers, and adds the headers that limit what browsers may do with them.
pub(crate) async fn count_and_label(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let method = match *request.method() {
        Method::GET | Method::POST | Method::DELETE | Method::HEAD => request.method().to_string(),
        // A client can make up methods, and each would get a counter of its own.
        _ => "other".to_owned(),
    };
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let is_docs = is_docs(request.uri().path());
    let mut response = next.run(request).await;
    state.metrics.count(&method, route, response.status().as_u16(), began.elapsed());
    let headers = response.headers_mut();
    let policy = if is_docs { DOCS_POLICY } else { PAGE_POLICY };
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &Method, headers: &[(HeaderName, &'static str)]) -> Option<StatusCode> {
        let pairs = headers.iter().cloned();
        let headers = pairs.map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
        HostNames::new(&["Board.lan".to_owned(), "ur.example.org.".to_owned()])
            .check(method, "/api/games", &headers)
            .err()
            .map(|error| error.status())
    }

    #[test]
    fn only_our_own_names_are_answered() {
        for host in [
            "localhost:8470",
            "127.0.0.1:8470",
            "[::1]:8470",
            "192.168.1.4",
            "board.lan:80",
            "board.lan.",
            "ur.example.org",
        ] {
            assert_eq!(check(&Method::GET, &[(HOST, host)]), None, "{host}");
        }
        for host in
            ["evil.example", "127.0.0.1.evil.example:8470", "localhost.evil.example", "", "@"]
        {
            assert_eq!(check(&Method::GET, &[(HOST, host)]), Some(StatusCode::FORBIDDEN), "{host}");
        }
    }

    #[test]
    fn other_sites_change_nothing() {
        let host = (HOST, "localhost:8470");
        let ask = |name, value| check(&Method::POST, &[host.clone(), (name, value)]);
        assert_eq!(ask(ORIGIN, "http://localhost:8470"), None);
        assert_eq!(ask(ORIGIN, "http://localhost:9999"), Some(StatusCode::FORBIDDEN));
        assert_eq!(ask(ORIGIN, "null"), Some(StatusCode::FORBIDDEN));
        assert_eq!(ask(FETCH_SITE, "cross-site"), Some(StatusCode::FORBIDDEN));
        let seen = |value| check(&Method::GET, &[host.clone(), (FETCH_SITE, value)]);
        assert_eq!(seen("cross-site"), Some(StatusCode::FORBIDDEN), "a picture's address");
        assert_eq!(seen("same-site"), Some(StatusCode::FORBIDDEN));
        assert!(is_docs("/api/docs/index.css") && !is_docs("/api/docs-2/positions/-:-:L"));
        let read = |origin| check(&Method::GET, &[host.clone(), (ORIGIN, origin)]);
        assert_eq!(read("http://localhost:9999"), Some(StatusCode::FORBIDDEN), "an old browser");
        assert_eq!(read("http://localhost:8470"), None);
        assert_eq!((seen("same-origin"), seen("none")), (None, None));
        assert_eq!(check(&Method::POST, &[host]), None, "programs that are no browser say nothing");
    }
}
