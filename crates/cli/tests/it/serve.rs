//! The server as a program of its own.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::ur;

/// A server that does not outlive its test.
struct Server {
    program: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut command = ur(data);
        command.args(SERVE);
        Self::spawn(command)
    }

    /// Starts a server whose files cannot grow beyond `blocks` blocks of 512 bytes, as on a full disk.
    fn start_on_a_full_disk(data: &Path, blocks: u32) -> Self {
        let mut command = Command::new("sh");
        // Without the trap the system would end the program instead of letting the write fail.
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        command.args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_ur")]).args(SERVE);
        command.env("UR_DATA_DIR", data);
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The log has no reader, and the server must go on all the same.
        drop(program.stderr.take());
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split('/').nth(2).unwrap().to_owned();
        Self { program, address }
    }

    /// Returns the answer to a request: its status, and all that follows.
    fn ask(&self, request: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, len) = (&self.address, body.len());
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {len}\r\n\r\n{body}"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        (status, text)
    }

    /// Tells the server to end, and returns whether it does so without an error.
    fn end(mut self) -> bool {
        let told = Command::new("kill").arg(self.program.id().to_string()).status().unwrap();
        told.success() && self.program.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended already, as it should.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

const SERVE: [&str; 4] = ["serve", "finkel:1", "--port", "0"];

#[test]
fn the_server_says_where_it_is_solves_answers_and_ends_when_it_is_told_to() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    assert_eq!(server.ask("GET /healthz", "").0, 200);
    assert!(server.ask("GET /", "").1.contains("<html"));
    let (_, answer) = server.ask("GET /api/finkel:1/positions/-:-:L", "");
    assert!(answer.contains("\"value\":0.530049839"), "{answer}");
    assert!(server.end());
}

#[test]
fn a_game_that_is_answered_is_there_after_a_restart_also_if_the_disk_was_full() {
    let data = tempfile::tempdir().unwrap();
    let game = r#"{"rules":"finkel:1","light":{"kind":"person","name":"Ann"},"dark":{"kind":"person","name":"Bob"}}"#;
    let server = Server::start_on_a_full_disk(data.path(), 400);
    let (mut kept, mut refused) = (BTreeSet::new(), 0);
    for _ in 0..100 {
        let (status, answer) = server.ask("POST /api/games", game);
        let body: Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap();
        if status == 201 {
            assert!(kept.insert(body["id"].as_i64().unwrap()), "{body} was answered before");
        } else {
            assert!((500..600).contains(&status), "{status}: {body}");
            refused += 1;
        }
    }
    assert!(!kept.is_empty() && refused > 0, "{} kept, {refused} refused", kept.len());
    drop(server);
    let server = Server::start(data.path());
    for id in kept {
        assert_eq!(server.ask(&format!("GET /api/games/{id}"), "").0, 200, "game {id}");
    }
}

#[test]
fn a_table_that_is_changed_while_it_is_served_is_refused_and_can_be_made_anew() {
    let data = tempfile::tempdir().unwrap();
    let table = data.path().join("tables/finkel-1.urt");
    let server = Server::start(data.path());
    let position = "GET /api/finkel:1/positions/-:-:L";
    let is_right = |(status, answer): (u16, String)| {
        assert_eq!(status, 200, "{answer}");
        assert!(answer.contains("\"value\":0.530049839"), "{answer}");
    };
    let make_anew = || {
        assert_eq!(server.ask("POST /api/finkel:1/solve", "").0, 202);
        // The events of a solve end with the solve.
        assert_eq!(server.ask("GET /api/finkel:1/solve", "").0, 200);
    };
    is_right(server.ask(position, ""));
    let whole = std::fs::read(&table).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let damaged =
        [(&whole[..1000], "truncated"), (&*flipped, "block 0"), (b"no table", "no table")];
    for (bytes, reason) in damaged {
        std::fs::write(&table, bytes).unwrap();
        for _ in 0..2 {
            let (status, answer) = server.ask(position, "");
            assert_eq!(status, 409, "{answer}");
            assert!(
                answer.contains(reason) && answer.contains("POST /api/finkel:1/solve"),
                "{answer}"
            );
        }
        make_anew();
        is_right(server.ask(position, ""));
        assert_eq!(std::fs::read(&table).unwrap(), whole);
    }
    // Another program may put a table in the place of one, or remove it: a small game is then solved again.
    let other = data.path().join("other");
    std::fs::write(&other, &whole).unwrap();
    std::fs::rename(&other, &table).unwrap();
    is_right(server.ask(position, ""));
    std::fs::remove_file(&table).unwrap();
    is_right(server.ask(position, ""));
    assert!(table.is_file());
    assert!(server.end());
}

#[test]
fn a_solve_that_fails_says_why_and_can_be_asked_for_again() {
    let data = tempfile::tempdir().unwrap();
    let tables = data.path().join("tables");
    // A file where the directory should be.
    std::fs::write(&tables, "").unwrap();
    let server = Server::start(data.path());
    let position = "GET /api/finkel:1/positions/-:-:L";
    for _ in 0..2 {
        let (status, answer) = server.ask(position, "");
        assert_eq!(status, 409, "{answer}");
        assert!(answer.contains("finkel:1 has no table"), "{answer}");
    }
    std::fs::remove_file(&tables).unwrap();
    assert_eq!(server.ask("POST /api/finkel:1/solve", "").0, 202);
    assert_eq!(server.ask("GET /api/finkel:1/solve", "").0, 200);
    assert_eq!(server.ask(position, "").0, 200);
    assert!(server.end());
}
