//! Requests that are too long, too slow or too many.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use puabi_server::{ClientLimits, Limits, Server};

use crate::{Client, options};

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let client = Client::new().await;
    let long = " ".repeat((1 << 20) + 1);
    for path in ["/api/rules", "/api/games", "/api/review"] {
        let (_, _, expected) =
            client.ask(Method::POST, path, long.clone()).await.error(StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(expected, "at most 1048576 bytes");
    }
}

/// Starts a server behind a socket; it ends with the test.
fn serve(limits: Limits) -> (SocketAddr, tempfile::TempDir) {
    let data = tempfile::tempdir().unwrap();
    let server = Server::bind(&puabi_server::Options { limits, ..options(data.path()) }).unwrap();
    let address = server.address().unwrap();
    std::thread::spawn(move || server.run());
    (address, data)
}

fn connect(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// Returns what is answered until the other side hangs up.
fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("{error}"),
        _ => String::from_utf8(text).unwrap(),
    }
}

fn short() -> Limits {
    let (head, answer) = (Duration::from_millis(300), Duration::from_millis(500));
    Limits { head, answer, ..Limits::default() }
}

#[test]
fn who_does_not_finish_the_head_is_cut_off() {
    let (address, _data) = serve(short());
    let began = Instant::now();
    let slow = connect(address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    assert!(!rest(slow).contains("200 OK"));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn who_does_not_finish_the_body_is_told_so() {
    let (address, _data) = serve(short());
    let head = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    assert!(rest(connect(address, head)).starts_with("HTTP/1.1 408 "));
}

#[test]
fn a_body_that_is_said_to_be_too_long_is_refused_before_it_comes() {
    let (address, _data) = serve(short());
    let head = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n{";
    assert!(rest(connect(address, head)).starts_with("HTTP/1.1 413 "));
}

#[test]
fn a_flood_is_answered_request_by_request() {
    let (address, _data) = serve(Limits::default());
    let ask = "GET /api/finkel:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    // All of these may be open at once, and none is lost.
    let waiting: Vec<_> = (0..700).map(|_| connect(address, ask)).collect();
    let answered = waiting.into_iter().map(rest).filter(|text| text.starts_with("HTTP/1.1 200 "));
    assert_eq!(answered.count(), 700);
}

#[test]
fn a_server_whose_places_are_all_taken_says_so_and_is_well() {
    let (address, _data) = serve(Limits { answer: Duration::from_secs(3), ..Limits::default() });
    let slow = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    let slow: Vec<_> = (0..256).map(|_| connect(address, slow)).collect();
    std::thread::sleep(Duration::from_millis(500));
    let ask = |path: &str| {
        let began = Instant::now();
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        (rest(connect(address, &head)), began.elapsed())
    };
    let (well, took) = ask("/healthz");
    assert!(well.starts_with("HTTP/1.1 200 ") && took < Duration::from_secs(1), "{took:?}: {well}");
    // The request waits for a place until the slow ones have taken too long, or for as long as it may take itself.
    let (answer, took) = ask("/api/finkel:1");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(answer.starts_with("HTTP/1.1 200 ") || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    for slow in slow {
        assert!(rest(slow).starts_with("HTTP/1.1 408 "));
    }
}

#[test]
fn a_client_with_too_many_connections_is_told_so() {
    let per_client = ClientLimits { connections: 4, ..ClientLimits::UNLIMITED };
    let (address, _data) = serve(Limits { per_client: Some(per_client), ..Limits::default() });
    let silent: Vec<_> = (0..4).map(|_| connect(address, "")).collect();
    std::thread::sleep(Duration::from_millis(100));
    let ask = |path: &str| {
        rest(connect(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")))
    };
    let answer = ask("/api/rules").to_lowercase();
    assert!(answer.starts_with("http/1.1 429 ") && answer.contains("retry-after: 1"), "{answer}");
    assert!(answer.contains("too many connections are open from your address"));
    assert!(ask("/healthz").starts_with("HTTP/1.1 200 "));
    drop(silent);
    std::thread::sleep(Duration::from_millis(100));
    let head = "GET /api/server HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(rest(connect(address, head)).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_server_that_is_full_says_so_and_is_well() {
    let (address, _data) = serve(Limits { connections: 3, ..Limits::default() });
    let _silent: Vec<_> = (0..3).map(|_| connect(address, "")).collect();
    std::thread::sleep(Duration::from_millis(100));
    let ask = |path: &str| {
        rest(connect(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")))
    };
    let answer = ask("/api/rules").to_lowercase();
    assert!(answer.starts_with("http/1.1 503 ") && answer.contains("retry-after: 5"), "{answer}");
    assert!(ask("/healthz").starts_with("HTTP/1.1 200 "));
}

/// Returns a game of `plies` plies, written as text: to play one by two agents that never bring a piece home would take too long.
fn long_game(plies: usize) -> String {
    let turns = (0..plies).map(|ply| ["L 0 pass\n", "D 0 pass\n"][ply % 2]);
    format!("format: urg 1\nrules: finkel:1\n\n{}", turns.collect::<String>())
}

fn review_of(text: &str) -> String {
    let body = serde_json::json!({ "text": text }).to_string();
    format!(
        "POST /api/review HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn a_game_that_is_too_long_is_not_reviewed() {
    let client = Client::new().await;
    let body = serde_json::json!({ "text": long_game(10_001) });
    let (_, _, expected) =
        client.post("/api/review", &body).await.error(StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(expected, "at most 10000 plies");
    // A game that another program has kept is refused too.
    let data = tempfile::tempdir().unwrap();
    crate::games::keep(data.path(), &long_game(10_001), 1);
    let refused = Client::over(data.path()).await.get("/api/games/1/review").await;
    assert_eq!(refused.error(StatusCode::PAYLOAD_TOO_LARGE).2, expected);
    let long = format!("/api/games?search={}", "a".repeat(1000));
    let (field, _, expected) = client.get(&long).await.error(StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!((&*field, &*expected), ("query", "at most 1000 bytes"));
}

#[test]
fn who_does_not_take_an_answer_is_cut_off_and_its_room_is_free_again() {
    // The answer is longer than what the system buffers for a client that does not read, and there is room for one.
    let write = Duration::from_secs(5);
    let limits = Limits { write, plies: 40_000, unsent: 24 << 20, ..Limits::default() };
    let (address, _data) = serve(limits);
    let ask = review_of(&long_game(40_000));
    let whole = rest(connect(address, &ask));
    assert!(whole.starts_with("HTTP/1.1 200 "), "{}", &whole[..200]);
    assert!((12 << 20..24 << 20).contains(&whole.len()), "{}", whole.len());
    let mut slow = connect(address, &ask);
    slow.read_exact(&mut [0; 1000]).unwrap();
    let refused = rest(connect(address, &ask));
    assert!(refused.starts_with("HTTP/1.1 503 "), "{}", &refused[..200]);
    // The slow client is cut off in time, and the room is free again.
    let mut tries = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_secs(1));
        rest(connect(address, &ask))
    });
    assert!(tries.by_ref().take(30).any(|answer| answer.starts_with("HTTP/1.1 200 ")));
    drop(slow);
}

#[test]
fn an_answer_that_is_too_long_is_refused() {
    let (address, _data) = serve(Limits { unsent: 1 << 16, ..Limits::default() });
    let refused = rest(connect(address, &review_of(&long_game(2_000))));
    assert!(refused.starts_with("HTTP/1.1 413 "), "{}", &refused[..200]);
}

#[tokio::test]
async fn tables_take_no_more_of_the_disk_than_they_may() {
    let data = tempfile::tempdir().unwrap();
    let limits = Limits { tables: 10_000, ..Limits::default() };
    let options = puabi_server::Options { limits, ..options(data.path()) };
    let client = Client { app: puabi_server::service(&options).await.unwrap(), _data: None };
    assert_eq!(client.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    let (_, _, expected) = client
        .post("/api/finkel:2/solve", &serde_json::json!({}))
        .await
        .error(StatusCode::INSUFFICIENT_STORAGE);
    assert!(expected.starts_with("a smaller game"), "{expected}");
    // The table is not offered either, and a search judges, as if there were too little memory.
    assert_eq!(client.get("/api/finkel:2").await.json()["table"]["state"], "too-large");
    let answer = client.get("/api/finkel:2/positions/-:-:L").await.json();
    assert_ne!(answer["judge"], "table");
}

#[test]
fn an_address_that_is_taken_is_named() {
    let (address, data) = serve(Limits::default());
    let error =
        Server::bind(&puabi_server::Options { address, ..options(data.path()) }).unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}
