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
const ROUTES: [&str; 21] = [
    "POST /api/{rules}/choose",
    "POST /api/review",
    "POST /api/review.html",
    "POST /api/rules/try",
    "POST /api/games",
    "POST /api/games/{fresh}/roll",
    "POST /api/games/{rolled}/move",
    "POST /api/games/{fresh}/resign",
    "POST /api/games/{agent}/step",
    "GET /api/{rules}/positions/",
    "GET /api/games?",
    "GET /api/games/",
    "POST /api/games/{moved}/undo",
    "POST /api/games/{cube}/double",
    "POST /api/games/{cube}/roll",
    "POST /api/games/{doubled}/answer",
    "POST /api/games/{doubled}/undo",
    "POST /api/games/{over}/next",
    "POST /api/games/{over}/undo",
    "POST /api/games/{over}/answer",
    "POST /api/games/{manual}/roll",
];

/// A game that is there all the time, as game 1, to be shown and reviewed.
const GAME: &str =
    r#"{"rules":"finkel:1","light":{"kind":"person"},"dark":{"kind":"agent","spec":"greedy"}}"#;
/// Games that are begun for one input, by their names in routes: their position, seats and stakes, and what is done in them first.
const GAMES: [(&str, &str, &str); 8] = [
    ("{fresh}", r#""start":"9:4:L",PEOPLE"#, ""),
    ("{manual}", r#""start":"9:4:L","manual":true,PEOPLE"#, ""),
    ("{rolled}", r#""start":"9:4:L2",PEOPLE"#, ""),
    ("{moved}", r#""start":"9:4:L2",PEOPLE"#, r#"move {"move":"9-11"}"#),
    ("{agent}", r#""start":"9:4:L","light":{"kind":"agent","spec":"greedy"},"dark":{"kind":"person"}"#, ""),
    ("{cube}", r#""start":"9:4:L","cube":64,PEOPLE"#, ""),
    ("{doubled}", r#""start":"9:4:L","cube":64,PEOPLE"#, "double {}"),
    ("{over}", r#""start":"9:4:L","match":3,PEOPLE"#, r#"resign {"player":"light"}"#),
];
const PEOPLE: &str = r#""light":{"kind":"person"},"dark":{"kind":"person"}"#;
/// Inputs that are done: a route that refused all would try nothing.
const DONE: [&str; 9] = [
    "f{}",
    r#"g{"move":"9-11"}"#,
    r#"h{"player":"light"}"#,
    "i",
    "m",
    "n{}",
    r#"p{"take":true}"#,
    "r{}",
    r#"u{"roll":3}"#,
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
    for input in DONE {
        let (request, status, answer) = server.try_out(input.as_bytes()).unwrap();
        assert!(status.is_success(), "{request}: {status} {}", String::from_utf8_lossy(&answer));
    }
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
        let found = GAMES.iter().find(|(name, ..)| path.contains(name));
        let Some((name, given, action)) = found else { return (path.to_owned(), None) };
        let body = format!(r#"{{"rules":"finkel:1","seed":7,{}}}"#, given.replace("PEOPLE", PEOPLE));
        let (_, answer) = self.ask("POST", "/api/games", body.into());
        let number = serde_json::from_slice::<Value>(&answer).unwrap()["id"].to_string();
        let game = format!("/api/games/{number}");
        if let Some((action, body)) = action.split_once(' ') {
            let (status, _) = self.ask("POST", &format!("{game}/{action}"), body.into());
            assert_eq!(status, StatusCode::OK);
        }
        (path.replace(name, &number), Some(game))
    }

    /// Makes the request that an input is, and takes away what it has begun; returns the request and its answer.
    fn try_out(&self, input: &[u8]) -> Option<(String, StatusCode, Vec<u8>)> {
        let (first, rest) = input.split_first()?;
        let route = ROUTES[usize::from(first.wrapping_sub(b'a')) % ROUTES.len()];
        let route = route.replace("{rules}", "finkel:1");
        let (method, path) = route.split_once(' ')?;
        let (path, game) = self.with_game(path);
        let (path, body) = match method {
            "GET" => (path + &escaped(rest), Vec::new()),
            _ => (path, rest.to_vec()),
        };
        // The changes of a game are told without end.
        if path.contains("/events") {
            return None;
        }
        let (status, answer) = self.ask(method, &path, body);
        if status.is_success() && (path == "/api/games" || path.ends_with("/next")) {
            let begun: Value = serde_json::from_slice(&answer).unwrap();
            self.ask("DELETE", &format!("/api/games/{}", begun["id"]), Vec::new());
        }
        if let Some(game) = game {
            self.ask("DELETE", &game, Vec::new());
        }
        Some((format!("{method} {path}"), status, answer))
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
    let Some((request, status, answer)) = SERVER.try_out(input) else { return };
    // 503: to be asked again; 507: a table that there is no room for.
    let is_answered = !status.is_server_error() || matches!(status.as_u16(), 503 | 507);
    let text = String::from_utf8_lossy(&answer);
    assert!(is_answered, "{request}: {status} {text}");
    if !status.is_success() && request.starts_with("POST") {
        let error: Value = serde_json::from_slice(&answer).unwrap();
        assert!(error["error"]["message"].as_str().is_some_and(|it| !it.is_empty()), "{text}");
    }
});
