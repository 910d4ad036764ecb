//! Requests to the API: whatever their bodies hold, each is answered, and a refusal says why.
//!
//! The first byte of an input names the route, the rest is the body, or what an address ends in.

#![no_main]

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::HOST;
use axum::http::{Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use puabi_server::{Limits, Mode, Options, service};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// The requests that an input may be: `a` is the first.
const ROUTES: [&str; 20] = [
    "POST /api/{rules}/choose",
    "POST /api/review",
    "POST /api/review.html",
    "POST /api/rules/try",
    "POST /api/games",
    "POST /api/games/1/roll",
    "POST /api/games/1/move",
    "POST /api/games/1/resign",
    "POST /api/games/1/step",
    "GET /api/{rules}/positions/",
    "GET /api/games?",
    "GET /api/games/",
    "POST /api/games/1/undo",
    "POST /api/games/{cube}/double",
    "POST /api/games/{cube}/roll",
    "POST /api/games/{doubled}/answer",
    "POST /api/games/{doubled}/undo",
    "POST /api/games/{over}/next",
    "POST /api/games/{over}/undo",
    "POST /api/games/{over}/answer",
];

/// A game that goes on, as game 1.
const GAME: &str =
    r#"{"rules":"finkel:1","light":{"kind":"person"},"dark":{"kind":"agent","spec":"greedy"}}"#;
/// Games that are begun for one input, by their names in routes: what they are played for, and what is done in them first.
const STAKES: [(&str, &str, &str); 3] = [
    ("{cube}", r#""cube":64"#, ""),
    ("{doubled}", r#""cube":64"#, "double"),
    ("{over}", r#""match":3"#, "resign"),
];

struct Server {
    runtime: Runtime,
    app: Router,
    _data: TempDir,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let data = tempfile::tempdir().unwrap();
    // Room for the tables of the smallest games alone: no input may spend its time on a solve.
    let limits = Limits { tables: 200_000, ..Limits::of(Mode::Mine) };
    let options = Options {
        address: ([127, 0, 0, 1], 0).into(),
        data: data.path().to_owned(),
        names: Vec::new(),
        solve: None,
        memory: || Some(1 << 30),
        mode: Mode::Mine,
        proxy: None,
        limits,
        hosted: Arc::default(),
    };
    let app = runtime.block_on(service(&options)).unwrap();
    let server = Server { runtime, app, _data: data };
    assert_eq!(server.ask("POST", "/api/games", GAME.into()).0, StatusCode::CREATED);
    server
});

impl Server {
    fn ask(&self, method: &str, path: &str, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
        let request = Request::builder().method(method).uri(path).header(HOST, "localhost");
        let request = request.body(Body::from(body)).unwrap();
        self.runtime.block_on(async {
            let answer = self.app.clone().oneshot(request).await.unwrap();
            let status = answer.status();
            (status, to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec())
        })
    }

    /// Begins the game that a path names, if it does; returns the path with its number, and the path of the game.
    fn with_game(&self, path: &str) -> (String, Option<String>) {
        let found = STAKES.iter().find(|(name, ..)| path.contains(name));
        let Some((name, stakes, action)) = found else { return (path.to_owned(), None) };
        let people = r#""light":{"kind":"person"},"dark":{"kind":"person"}"#;
        let body = format!(r#"{{"rules":"finkel:1",{people},"start":"9:4:L",{stakes}}}"#);
        let (_, answer) = self.ask("POST", "/api/games", body.into());
        let number = serde_json::from_slice::<Value>(&answer).unwrap()["id"].to_string();
        let game = format!("/api/games/{number}");
        if !action.is_empty() {
            let body = r#"{"player":"light"}"#;
            let body = if *action == "resign" { body } else { "{}" };
            let (status, _) = self.ask("POST", &format!("{game}/{action}"), body.into());
            assert_eq!(status, StatusCode::OK);
        }
        (path.replace(name, &number), Some(game))
    }
}

/// Returns bytes as the end of an address, with a query if they have one.
fn escaped(bytes: &[u8]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:,+=&/?".contains(&byte);
    let escape =
        |&byte: &u8| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
    bytes.iter().map(escape).collect()
}

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let route = ROUTES[usize::from(first.wrapping_sub(b'a')) % ROUTES.len()];
    let (method, path) = route
        .replace("{rules}", "finkel:1")
        .split_once(' ')
        .map(|(method, path)| (method.to_owned(), path.to_owned()))
        .unwrap();
    let (path, body) =
        if method == "GET" { (path + &escaped(rest), Vec::new()) } else { (path, rest.to_vec()) };
    let (path, game) = SERVER.with_game(&path);
    // The changes of a game are told without end.
    if path.contains("/events") {
        return;
    }
    let (status, answer) = SERVER.ask(&method, &path, body);
    // 503: to be asked again; 507: a table that there is no room for.
    let is_answered = !status.is_server_error() || matches!(status.as_u16(), 503 | 507);
    let text = String::from_utf8_lossy(&answer);
    assert!(is_answered, "{method} {path}: {status} {text}");
    if status.is_success() {
        undo(&path, &answer);
    }
    if let Some(game) = game {
        SERVER.ask("DELETE", &game, Vec::new());
    }
    if !status.is_success() && method == "POST" {
        let error: Value = serde_json::from_slice(&answer).unwrap();
        assert!(error["error"]["message"].as_str().is_some_and(|it| !it.is_empty()), "{text}");
    }
});

/// Takes a change back, so that what one input does means nothing for the next.
fn undo(path: &str, answer: &[u8]) {
    if path == "/api/games" || path.ends_with("/next") {
        let game: Value = serde_json::from_slice(answer).unwrap();
        SERVER.ask("DELETE", &format!("/api/games/{}", game["id"]), Vec::new());
    } else if path.starts_with("/api/games/1/") {
        SERVER.ask("POST", "/api/games/1/undo", Vec::new());
    }
}
