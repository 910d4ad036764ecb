//! The tools for language models, over the protocol that the models' programs speak.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::ur;

/// A client of `ur mcp`.
struct Client {
    child: Child,
    said: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    fn new(data: &Path) -> Self {
        let mut command = ur(data);
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The log has no reader, and the tools must go on all the same.
        drop(child.stderr.take());
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut client = Self { child, said, asked: 0 };
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let server = client.ask("initialize", &about);
        assert_eq!(server["serverInfo"]["name"], "puabi");
        client.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn tell(&mut self, message: &Value) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id);
        answer.get("result").unwrap_or(&answer).clone()
    }

    /// Returns what a tool answers, and whether that is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let found = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let text = found["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{found}"));
        (serde_json::from_str(text).unwrap(), found["isError"] == true)
    }

    fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let (answer, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{tool} {arguments}: {answer}");
        answer
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_model_learns_the_rules_the_moves_and_their_values() {
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::new(data.path());
    let tools = client.ask("tools/list", &json!({}))["tools"].clone();
    let names: Vec<_> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["rules", "agents", "moves", "value", "solve", "choose", "review", "new_game", "play"]
    );
    assert_eq!(tools[2]["inputSchema"]["required"], json!(["rules", "position"]));
    let listed = client.done("rules", &json!({}));
    assert!(listed.to_string().contains("finkel"));
    let told = client.done("rules", &json!({"rules": "finkel"}));
    assert!(told.to_string().contains("sentences"));
    let asked = json!({"rules": "finkel:2", "position": "8:5:L1"});
    assert_eq!(client.done("moves", &asked), json!({"moves": ["0-1", "8-9"]}));
    let value = client.done("value", &asked);
    assert_eq!(value["rolls"][0]["moves"][0]["move"], "0-1");
    let chosen = client.done(
        "choose",
        &json!({"rules": "finkel:2", "position": "8:5:L", "roll": 1, "agent": "perfect"}),
    );
    assert_eq!(chosen["move"], "0-1");
    let record = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\nL 1 4-5\n";
    let review = client.done("review", &json!({"text": record}));
    assert_eq!(review["review"]["plies"].as_array().unwrap().len(), 2);
}

#[test]
fn a_model_plays_a_game_to_its_end() {
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::new(data.path());
    for side in ["light", "dark"] {
        let asked = json!({"rules": "finkel:2", "opponent": "greedy", "side": side});
        let mut game = client.done("new_game", &asked);
        for _ in 0..500 {
            if game["stage"] == "over" {
                break;
            }
            assert_eq!((&game["turn"], &game["stage"]), (&side.into(), &"move".into()));
            let action = game["moves"][0]["move"].clone();
            game = client.done("play", &json!({"id": game["id"], "move": action}));
            assert_eq!(game["plies"][0]["move"], action, "{game}");
        }
        assert!(game["winner"].is_string(), "{game}");
    }
}

#[test]
fn a_game_that_cannot_go_on_is_told_with_the_reason() {
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::new(data.path());
    let asked = json!({"rules": "finkel", "opponent": "perfect", "side": "dark"});
    let game = client.done("new_game", &asked);
    assert_eq!((&game["id"], &game["stage"]), (&json!(1), &json!("move")));
    assert!(game["error"]["message"].to_string().contains("is not solved yet"), "{game}");
}

#[test]
fn a_model_rolls_and_moves_for_nobody_else() {
    let data = tempfile::tempdir().unwrap();
    let rules = puabi_core::RuleSet::FINKEL.compile().unwrap();
    let record = puabi_core::Record::new(puabi_core::Game::new(rules));
    puabi_server::BlockingArchive::open(data.path()).unwrap().insert(&record).unwrap();
    let mut client = Client::new(data.path());
    for _ in 0..2 {
        let game = client.done("play", &json!({"id": 1}));
        assert_eq!((&game["stage"], &game["plies"]), (&json!("roll"), &json!([])));
    }
    let (refused, is_error) = client.call("play", &json!({"id": 1, "move": "0-4"}));
    let message = refused["error"]["message"].to_string();
    assert!(is_error && message.contains("it is `human`'s turn"), "{refused}");
}

#[test]
fn a_model_is_told_what_it_does_wrongly() {
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::new(data.path());
    let touched = data.path().join("touched");
    let program = format!("engine:touch {}", touched.display());
    for (tool, arguments, expected) in [
        ("value", json!({"rules": "finkel:2"}), "`value` needs `position`"),
        ("value", json!({"rules": "finkel:2", "position": 7}), "`position` is 7: expected a text"),
        ("value", json!({"rules": "finkel:2", "position": "99:-:L"}), "99"),
        ("value", json!({"rules": "../games", "position": "-:-:L"}), "no rule set"),
        ("rules", json!({"rule": "finkel"}), "`rules` has no argument `rule`"),
        ("rules", json!({"rules": "games"}), "no rule set is called `games`"),
        ("play", json!({"id": 7}), "7"),
        (
            "new_game",
            json!({"rules": "finkel:2", "opponent": "greedy", "side": "banana"}),
            "`side` is \\\"banana\\\": expected a text, light",
        ),
        ("new_game", json!({"rules": "finkel:2", "opponent": program}), "programs cannot be named"),
        (
            "choose",
            json!({"rules": "finkel:2", "position": "-:-:L2", "agent": program}),
            "programs",
        ),
    ] {
        let (answer, is_error) = client.call(tool, &arguments);
        let message = answer["error"].to_string();
        assert!(is_error && message.contains(expected), "{tool} {arguments}: {answer}");
    }
    assert!(!touched.exists());
    let unknown = client.ask("tools/call", &json!({"name": "win", "arguments": {}}));
    assert!(
        unknown["error"]["message"].as_str().unwrap().contains("expected one of rules, agents")
    );
}

#[test]
fn a_game_that_is_solved_already_is_no_error_to_a_model() {
    let data = tempfile::tempdir().unwrap();
    let mut client = Client::new(data.path());
    let game = json!({"rules": "finkel:1"});
    client.done("solve", &game);
    while client.done("rules", &game)["table"]["state"] != "ready" {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(client.done("solve", &game)["state"], "ready");
    assert!(client.call("solve", &json!({"rules": "nothing"})).1);
}
