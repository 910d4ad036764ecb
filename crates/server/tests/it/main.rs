//! The service as its clients see it, request by request, without a socket if none is needed.

mod contract;
mod cubes;
mod games;
mod harm;
mod limits;
mod modes;
mod positions;
mod reviews;
mod rules;
mod site;
mod solves;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use flate2::read::GzDecoder;
use http_body_util::BodyExt;
use puabi_server::{Limits, Mode, Options, service};
use serde_json::Value;
use tower::ServiceExt;

/// A service over a data directory of its own.
struct Client {
    app: Router,
    _data: Option<tempfile::TempDir>,
}

/// An answer of the service.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

fn options(data: &Path) -> Options {
    Options {
        address: ([127, 0, 0, 1], 0).into(),
        data: data.to_owned(),
        names: Vec::new(),
        solve: None,
        memory: || None,
        mode: Mode::Mine,
        proxy: None,
        limits: Limits { head: Duration::from_millis(300), ..Limits::default() },
        hosted: Arc::default(),
    }
}

impl Client {
    async fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        Self { app: service(&options(data.path())).await.unwrap(), _data: Some(data) }
    }

    /// Returns a service over a directory that outlives it.
    async fn over(data: &Path) -> Self {
        Self { app: service(&options(data)).await.unwrap(), _data: None }
    }

    /// Returns a service of this mode over a directory of its own.
    async fn of_mode(mode: Mode) -> Self {
        let data = tempfile::tempdir().unwrap();
        Self::of_mode_over(data.path(), mode).await.with(data)
    }

    /// Returns a service of this mode over a directory that outlives it.
    async fn of_mode_over(data: &Path, mode: Mode) -> Self {
        let options = Options { mode, limits: Limits::of(mode), ..options(data) };
        Self { app: service(&options).await.unwrap(), _data: None }
    }

    fn with(self, data: tempfile::TempDir) -> Self {
        Self { _data: Some(data), ..self }
    }

    /// Returns a service on a machine with too little memory for all but the smallest games.
    async fn with_little_memory() -> Self {
        let data = tempfile::tempdir().unwrap();
        let options = Options { memory: || Some(1 << 20), ..options(data.path()) };
        Self { app: service(&options).await.unwrap(), _data: Some(data) }
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let mut text = String::new();
        // Answers are compressed only for requests that accept it.
        match headers.get("content-encoding") {
            Some(_) => GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap(),
            None => (&*bytes).read_to_string(&mut text).unwrap(),
        };
        Answer { status, headers, text }
    }

    async fn ask(&self, method: Method, path: &str, body: impl Into<Body>) -> Answer {
        let request = Request::builder().method(method).uri(path).header("host", "localhost:8470");
        self.send(request.body(body.into()).unwrap()).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path, Body::empty()).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(Method::POST, path, body.to_string()).await
    }

    /// Posts, and returns the JSON of the answer, which must be a success.
    async fn done(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body).await;
        assert!(answer.status.is_success(), "{path}: {answer:?}");
        answer.json()
    }
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Returns the field, what was found and what was expected, of an error with this status.
    #[track_caller]
    fn error(&self, status: StatusCode) -> (String, String, String) {
        assert_eq!(self.status, status, "{}", self.text);
        let error = &self.json()["error"];
        assert!(!error["message"].as_str().unwrap().is_empty());
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        (text("field"), text("found"), text("expected"))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the events of a stream that has ended.
    fn events(&self) -> Vec<Value> {
        assert_eq!(self.header("content-type"), "text/event-stream");
        let data = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|event| serde_json::from_str(event).unwrap()).collect()
    }
}
