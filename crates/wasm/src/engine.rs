//! Which request is answered by what.

use http::StatusCode;
use puabi_answers::{ApiError, ApiResult, ProgressView, SMALL, SolveProgress, demonstrate};
use puabi_solve::Watch;
use puabi_tables::MemoryTable;
use serde::{Deserialize, Serialize};

use crate::asked::{Asked, Reply};
use crate::catalog::Catalog;
use crate::memory::told;
use crate::shelf::{Shelf, Solve};
use crate::{archive, games, rules};

/// Everything that a request can use.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    pub(crate) catalog: Catalog,
    pub(crate) shelf: Shelf,
}

/// Who the page is for: who looks at it.
#[derive(Debug, Serialize)]
struct ServerView {
    mode: &'static str,
    version: &'static str,
}

/// How far a solve is that goes on in another worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    rules: String,
    #[serde(default)]
    done: u64,
    #[serde(default)]
    total: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// Tells the page how far a solve is.
#[derive(Debug)]
struct Reporter<'a>(&'a str);

impl Watch for Reporter<'_> {
    fn progress(&self, done: u64, total: u64) {
        told(&Step { rules: self.0.to_owned(), done, total, seconds_left: None, failed: None });
    }

    fn stop(&self) -> bool {
        // Who wants no more of it ends the worker.
        false
    }
}

impl Engine {
    /// Returns an engine that knows the presets.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Returns the answer to a request.
    pub(crate) fn ask(&mut self, text: &[u8]) -> Vec<u8> {
        let asked = serde_json::from_slice::<Asked>(text);
        let reply = match asked {
            Ok(asked) => self.answer(&asked),
            Err(error) => Err(ApiError::new(StatusCode::BAD_REQUEST, error)),
        };
        reply.unwrap_or_else(Reply::refused).bytes()
    }

    fn answer(&mut self, asked: &Asked) -> ApiResult<Reply> {
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let parts: Vec<_> = path.split('/').skip(1).map(decoded).collect();
        let parts: Vec<_> = parts.iter().map(String::as_str).collect();
        match (&*asked.method, &*parts) {
            ("GET", ["api", "server"]) => {
                Reply::ok(&ServerView { mode: "mine", version: env!("CARGO_PKG_VERSION") })
            }
            ("GET", ["api", "rules"]) => rules::list(self),
            ("POST", ["api", "rules"]) => rules::keep(self, &asked.body),
            ("POST", ["api", "rules", "try"]) => rules::attempt(self, &asked.body),
            ("DELETE", ["api", "rules", name]) => rules::remove(self, name),
            ("POST", ["api", "review"]) => rules::review(self, asked),
            ("POST", ["api", "review.html"]) => rules::review_page(self, asked),
            ("POST", ["api", "games"]) => games::begin(self, asked),
            ("GET", ["api", "games"]) => games::list(asked, query),
            ("GET", ["api", "progress"]) => games::progress(self, asked, query),
            ("GET", ["api", "archive"]) => archive::save(self, asked),
            ("POST", ["api", "archive"]) => archive::restore(self, asked),
            (method, ["api", "games", id, rest @ ..]) => {
                games::one(self, asked, (method, id, rest))
            }
            // The worker that solves says how far it is.
            ("POST", ["solving"]) => self.step(asked),
            (method, ["api", name, rest @ ..]) => rules::one(self, asked, (method, name, rest)),
            _ => Err(nothing(path)),
        }
    }

    fn step(&mut self, asked: &Asked) -> ApiResult<Reply> {
        let step: Step = puabi_answers::read_object(asked.body.as_bytes())?;
        let named = self.catalog.find(&step.rules)?;
        let Step { done, total, seconds_left, .. } = step;
        let progress = SolveProgress { done, total, seconds_left };
        let solve = step.failed.map_or(Solve::GoesOn(progress), Solve::Failed);
        self.shelf.note(&named.rules, solve);
        Reply::ok(&ProgressView::from(progress))
    }

    /// Solves the rules of a file, or of a preset's name, and returns the table's bytes; or `!` and why there is none.
    pub(crate) fn solve(&self, text: &[u8]) -> Vec<u8> {
        let solved = named(text).and_then(|(name, rules)| {
            MemoryTable::solve(&rules, &Reporter(&name))
                .map_err(|error| ApiError::internal("solving", &error))
        });
        match solved {
            Ok(table) => table.bytes().to_vec(),
            Err(error) => format!("!{error}").into_bytes(),
        }
    }

    /// Takes a table over, and returns the hash that names it; or `!` and why it is refused.
    pub(crate) fn shelve(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        match MemoryTable::open(bytes) {
            Ok(table) => {
                let hash = table.hash().to_hex();
                self.shelf.put(table);
                hash.as_bytes().to_vec()
            }
            Err(error) => format!("!{error}").into_bytes(),
        }
    }

    /// Tells the page how the values converge; returns `!` and why if it cannot.
    pub(crate) fn converge(&self, text: &[u8]) -> Vec<u8> {
        let shown = named(text).and_then(|(name, rules)| {
            let positions = puabi_core::Indexer::new(&rules).map(|indexer| indexer.len());
            if !positions.is_ok_and(|positions| positions <= SMALL) {
                return Err(ApiError::conflict(format!("{name} is too large to be shown")));
            }
            demonstrate(&rules, |sweep| {
                told(&sweep);
                true
            })
            .map_err(|error| ApiError::internal("solving", &error))
        });
        shown.err().map(|error| format!("!{error}").into_bytes()).unwrap_or_default()
    }
}

/// Returns the rules of a text: a preset's name, or a rule file, with what they are called.
fn named(text: &[u8]) -> ApiResult<(String, puabi_core::Rules)> {
    let text = String::from_utf8_lossy(text);
    let preset = text.parse::<puabi_core::RuleSet>().ok();
    let compiled = preset.map_or_else(
        || puabi_answers::compiled(&text),
        |preset| preset.compile().map_err(|error| ApiError::field("rules", &text, error)),
    );
    compiled.map(|rules| (rules.rule_set().to_string(), rules))
}

/// Returns the error of a path that leads nowhere.
pub(crate) fn nothing(path: &str) -> ApiError {
    ApiError::missing("path", path, "there is nothing under this path")
        .expected("a path as docs/api.md describes it")
}

/// Returns a part of a path or of a query as it was before it was encoded; what is no UTF-8 is marked.
pub(crate) fn decoded(part: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Returns what the engine wants to be done, and its answer.
    fn ask(engine: &mut Engine, asked: &Value) -> (Value, Value) {
        let answer = String::from_utf8(engine.ask(asked.to_string().as_bytes())).unwrap();
        let (reply, body) = answer.split_once('\n').unwrap();
        let read = |text| serde_json::from_str(text).unwrap_or(Value::Null);
        (read(reply), read(body))
    }

    #[test]
    fn a_game_goes_on_from_what_the_page_has_kept() {
        let engine = &mut Engine::new();
        let seat = json!({ "kind": "agent", "spec": "greedy" });
        let body = json!({ "rules": "finkel:1", "light": seat, "dark": seat, "seed": 1 });
        let begin =
            json!({ "method": "POST", "path": "/api/games", "id": 7, "body": body.to_string() });
        let (mut reply, _) = ask(engine, &begin);
        assert_eq!(reply["status"], 201, "{reply}");
        for _ in 0..1000 {
            let games = &reply["keep"];
            if games[0]["ending"] == "won" {
                return;
            }
            let step = json!({ "method": "POST", "path": "/api/games/7/step", "games": games });
            (reply, _) = ask(engine, &step);
        }
        panic!("the game does not end: {reply}");
    }

    #[test]
    fn a_table_solved_here_is_taken_over_only_whole() {
        let engine = &mut Engine::new();
        let bytes = engine.solve(b"finkel:1");
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(engine.shelve(damaged).starts_with(b"!"));
        assert_eq!(engine.shelve(bytes).len(), 64);
        let (_, rules) = ask(engine, &json!({ "method": "GET", "path": "/api/finkel:1" }));
        assert_eq!(rules["table"]["state"], "ready");
    }

    #[test]
    fn what_cannot_be_answered_is_refused_in_words() {
        let engine = &mut Engine::new();
        for (path, status) in [("/api/nothing", 404), ("/", 404), ("/api/games/1", 404), ("", 404)]
        {
            let (reply, body) = ask(engine, &json!({ "method": "GET", "path": path }));
            assert_eq!(reply["status"], status, "{path}");
            assert!(body["error"]["message"].is_string(), "{path}");
        }
        assert!(engine.ask(b"\xff").starts_with(br#"{"status":400"#));
    }
}
