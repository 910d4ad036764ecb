//! Requests that are too long, too slow or too many.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use puabi_server::{Limits, Server};

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

/// A server behind a socket; it ends with the test.
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

const SHORT: Limits =
    Limits { head: Duration::from_millis(300), answer: Duration::from_millis(500) };

#[test]
fn who_does_not_finish_the_head_is_cut_off() {
    let (address, _data) = serve(SHORT);
    let began = Instant::now();
    let slow = connect(address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    assert!(!rest(slow).contains("200 OK"));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn who_does_not_finish_the_body_is_told_so() {
    let (address, _data) = serve(SHORT);
    let head = "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
    assert!(rest(connect(address, head)).starts_with("HTTP/1.1 408 "));
}

#[test]
fn a_flood_is_answered_request_by_request() {
    let (address, _data) = serve(Limits::default());
    let ask = "GET /api/finkel:1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    // More than may be open at once; those beyond wait, and none is lost.
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
    // It waits for a place until those who hold them have taken too long, or as long as it may itself.
    let (answer, took) = ask("/api/finkel:1");
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(answer.starts_with("HTTP/1.1 200 ") || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    for slow in slow {
        assert!(rest(slow).starts_with("HTTP/1.1 408 "));
    }
}

#[test]
fn an_address_that_is_taken_is_named() {
    let (address, data) = serve(Limits::default());
    let error =
        Server::bind(&puabi_server::Options { address, ..options(data.path()) }).unwrap_err();
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}
