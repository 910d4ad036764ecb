//! Which function answers which request.

use http::StatusCode;
use puabi_answers::{ApiError, ApiResult, ProgressView, SolveProgress, read_object};
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::request::{ApiRequest, Reply, no_route_error, percent_decoded};
use crate::tables::SolveState;
use crate::{archive, games, rules};

/// Who the page is for: always the person who looks at it.
#[derive(Debug, Serialize)]
struct ServerView {
    mode: &'static str,
    version: &'static str,
}

/// How far a solve is that goes on in another worker.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    rules: String,
    #[serde(default)]
    done: u64,
    #[serde(default)]
    total: u64,
    #[serde(default)]
    seconds_left: Option<f64>,
    #[serde(default)]
    failed: Option<String>,
}

/// Returns the answer to a request.
pub(crate) fn ask(engine: &mut Engine, text: &[u8]) -> Vec<u8> {
    let request = serde_json::from_slice::<ApiRequest>(text);
    let reply = match request {
        Ok(request) => answer(engine, &request),
        Err(error) => Err(ApiError::new(StatusCode::BAD_REQUEST, error)),
    };
    reply.unwrap_or_else(Reply::refused).bytes()
}

fn answer(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let parts: Vec<_> = path.split('/').skip(1).map(percent_decoded).collect();
    let parts: Vec<_> = parts.iter().map(String::as_str).collect();
    match (&*request.method, &*parts) {
        ("GET", ["api", "server"]) => {
            Reply::ok(&ServerView { mode: "mine", version: env!("CARGO_PKG_VERSION") })
        }
        ("GET", ["api", "rules"]) => rules::list(engine),
        ("POST", ["api", "rules"]) => rules::keep(engine, &request.body),
        ("POST", ["api", "rules", "try"]) => rules::attempt(engine, &request.body),
        ("DELETE", ["api", "rules", name]) => rules::remove(engine, name),
        ("POST", ["api", "review"]) => rules::review(engine, request),
        ("POST", ["api", "review.html"]) => rules::review_page(engine, request),
        ("POST", ["api", "games"]) => games::begin(engine, request),
        ("GET", ["api", "games"]) => games::list(engine, request, query),
        ("GET", ["api", "progress"]) => games::progress(engine, request, query),
        ("GET", ["api", "archive"]) => archive::save(engine, request),
        ("POST", ["api", "archive"]) => archive::restore(engine, request),
        (method, ["api", "games", id, rest @ ..]) => {
            games::one(engine, request, (method, id, rest))
        }
        // The page's worker reports how far a solve in another worker is.
        ("POST", ["solving"]) => step(engine, request),
        (method, ["api", name, rest @ ..]) => {
            rules::one(engine, request, ((method, query), name, rest))
        }
        _ => Err(no_route_error(path)),
    }
}

fn step(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let step: Step = read_object(request.body.as_bytes())?;
    let named = engine.catalog.find(&step.rules)?;
    let Step { done, total, seconds_left, .. } = step;
    let progress = SolveProgress { done, total, seconds_left };
    let solve = step.failed.map_or(SolveState::Running(progress), SolveState::Failed);
    engine.tables.note(&named.rules, solve);
    Reply::ok(&ProgressView::from(progress))
}

#[cfg(test)]
mod tests {
    use super::{Engine, ask as ask_bytes};
    use crate::engine::solve;
    use puabi_core::RuleSet;
    use serde_json::{Value, json};

    /// Returns what the page is to do, and the answer.
    fn ask(engine: &mut Engine, request: &Value) -> (Value, Value) {
        let answer = String::from_utf8(ask_bytes(engine, request.to_string().as_bytes())).unwrap();
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
        let bytes = solve(b"finkel:1");
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(engine.add_table(damaged).starts_with(b"!"));
        assert_eq!(engine.add_table(bytes).len(), 64);
        let (_, rules) = ask(engine, &json!({ "method": "GET", "path": "/api/finkel:1" }));
        assert_eq!(rules["table"]["state"], "ready");
    }

    #[test]
    fn an_archive_is_restored_whole_or_not_at_all() {
        let engine = &mut Engine::new();
        let file = |name: &str| {
            let rules = RuleSet { name: name.to_owned().into(), ..RuleSet::FINKEL };
            rules.with_pieces(2).to_toml()
        };
        let restore = |engine: &mut Engine, rules: &[String]| {
            let body = json!({ "format": "puabi games 1", "games": [], "rules": rules });
            let request =
                json!({ "method": "POST", "path": "/api/archive", "body": body.to_string() });
            ask(engine, &request)
        };
        let damaged = [file("first"), "pieces = 0".to_owned()];
        assert_eq!(restore(engine, &damaged).0["status"], 400);
        let whole = [file("first"), file("second")];
        let (reply, body) = restore(engine, &whole);
        assert_eq!((&reply["status"], &body["rules"]), (&json!(200), &json!(2)));
        // A second time nothing is new, but the page is to keep all files, because it may have failed to store them.
        let (reply, body) = restore(engine, &whole);
        assert_eq!(body["rules"], 0);
        assert_eq!(reply["keep_rules"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn rules_whose_name_is_taken_keep_no_game_out() {
        let engine = &mut Engine::new();
        let file = |pieces| {
            let rules = RuleSet { name: "My rules".into(), ..RuleSet::FINKEL };
            rules.with_pieces(pieces).to_toml()
        };
        ask(engine, &json!({ "method": "POST", "path": "/api/rules", "body": file(2) }));
        let games = match_of_two(engine);
        let game = |started: i64| json!({ "started": started, "changed": 2, "record": games[0]["record"] });
        let restore = |engine: &mut Engine, started| {
            let body =
                json!({ "format": "puabi games 1", "games": [game(started)], "rules": [file(3)] });
            let request =
                json!({ "method": "POST", "path": "/api/archive", "body": body.to_string() });
            ask(engine, &request)
        };
        let (reply, body) = restore(engine, 1);
        assert_eq!(body, json!({ "games": 1, "rules": 0, "taken": ["My rules"] }));
        assert_eq!(
            (&reply["keep_rules"], reply["keep"].as_array().map(Vec::len)),
            (&Value::Null, Some(1))
        );
        // No page could hand back such a time.
        let (reply, body) = restore(engine, i64::MAX);
        assert_eq!(
            (&reply["status"], &body["error"]["field"]),
            (&json!(400), &json!("games[0].started"))
        );
    }

    #[test]
    fn a_record_says_what_its_notation_cannot_hold() {
        let engine = &mut Engine::new();
        let games = match_of_two(engine);
        let record = |engine: &mut Engine, name: &str| {
            let path = format!("/api/games/1/{name}");
            let request = json!({ "method": "GET", "path": path, "games": [games[1].clone()] });
            ask(engine, &request).0
        };
        assert_eq!(record(engine, "record.urg")["left_out"], Value::Null);
        let reply = record(engine, "record.rgn");
        assert_eq!(reply["left_out"], "the cube (kept only as comments)", "{reply}");
    }

    /// Returns the rows of two games of a match, the later one first, as the page keeps them.
    fn match_of_two(engine: &mut Engine) -> Value {
        let seat = json!({ "kind": "person", "name": "Ann" });
        let body = json!({ "rules": "finkel:1", "light": seat, "dark": seat, "match": 3 });
        let ask = |engine: &mut Engine, path: &str, body: Value, games: &Value, id: u8| {
            let request = json!({ "method": "POST", "path": path, "id": id, "body": body.to_string(), "games": games });
            ask(engine, &request).0["keep"].clone()
        };
        let first = ask(engine, "/api/games", body, &json!([]), 1);
        let lost = json!({ "player": "light" });
        let first = ask(engine, "/api/games/1/resign", lost, &first, 1);
        ask(engine, "/api/games/1/next", json!({}), &first, 2)
    }

    #[test]
    fn a_game_whose_next_one_is_removed_is_followed_by_none() {
        let engine = &mut Engine::new();
        let games = match_of_two(engine);
        assert!(games[1]["record"].as_str().unwrap().contains("next: 2\n"), "{games}");
        let removed = json!({ "method": "DELETE", "path": "/api/games/2", "games": games.clone() });
        let (reply, _) = ask(engine, &removed);
        assert_eq!((&reply["drop"], &reply["keep"][0]["id"]), (&json!(true), &json!(1)));
        let undo = json!({ "method": "POST", "path": "/api/games/1/undo", "games": reply["keep"].clone() });
        assert_eq!(ask(engine, &undo).1["ending"], Value::Null);
    }

    #[test]
    fn restored_games_name_no_game_by_its_number_elsewhere() {
        let engine = &mut Engine::new();
        let games = match_of_two(engine);
        let at = |method: &str, games: &Value, body: &Value| json!({ "method": method, "path": "/api/archive", "games": games, "body": body.to_string() });
        let (_, file) = ask(engine, &at("GET", &games, &Value::Null));
        let (mut restored, added) = ask(engine, &at("POST", &json!([]), &file));
        assert_eq!(added["games"], 2);
        let restored = restored["keep"].take();
        assert!(!restored.to_string().contains("next: "), "{restored}");
        // A second time the games are there already, also if their records still have the old numbers.
        for kept in [&games, &restored] {
            assert_eq!(ask(engine, &at("POST", kept, &file)).1["games"], 0);
        }
    }

    #[test]
    fn a_game_tells_its_own_rules_whatever_is_kept_under_their_name() {
        let engine = &mut Engine::new();
        let keep = |engine: &mut Engine, pieces| {
            let rules = RuleSet { name: "My Game".into(), goal: Some(1), ..RuleSet::FINKEL };
            let body = rules.with_pieces(pieces).to_toml();
            ask(engine, &json!({ "method": "POST", "path": "/api/rules", "body": body }));
        };
        keep(engine, 2);
        let seat = json!({ "kind": "person", "name": "Ann" });
        let body = json!({ "rules": "my-game", "light": seat, "dark": seat }).to_string();
        let begin = json!({ "method": "POST", "path": "/api/games", "id": 1, "body": body });
        let (reply, game) = ask(engine, &begin);
        assert_eq!((&game["rules"], &game["known"]), (&json!("My Game"), &json!(true)));
        let games = &reply["keep"];
        let get = |engine: &mut Engine, path: &str| {
            ask(engine, &json!({ "method": "GET", "path": path, "games": games })).1
        };
        assert_eq!(get(engine, "/api/games/1/rules"), get(engine, "/api/my-game"));
        assert_eq!(get(engine, "/api/games?rules=my-game")["total"], 1);
        assert_eq!(get(engine, "/api/games?rules=other")["total"], 0);
        ask(engine, &json!({ "method": "DELETE", "path": "/api/rules/my-game" }));
        keep(engine, 3);
        assert_eq!(get(engine, "/api/games/1")["known"], false);
        let rules = get(engine, "/api/games/1/rules");
        assert_eq!((&rules["name"], &rules["pieces"]), (&json!(""), &json!(2)));
        let hint = get(engine, "/api/games/1/hint").to_string();
        assert!(hint.contains("other rules of this name are kept"), "{hint}");
    }

    #[test]
    fn no_rule_file_takes_the_name_of_a_part_of_the_api() {
        let engine = &mut Engine::new();
        for part in ["archive", "games", "progress", "review", "rules", "server"] {
            let rules = RuleSet { name: part.to_owned().into(), ..RuleSet::FINKEL };
            let body = rules.with_pieces(2).to_toml();
            let request = json!({ "method": "POST", "path": "/api/rules", "body": body });
            assert_eq!(ask(engine, &request).0["status"], 400, "{part}");
        }
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
        assert!(ask_bytes(engine, b"\xff").starts_with(br#"{"status":400"#));
    }
}
