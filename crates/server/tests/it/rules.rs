//! Rule sets: presets, and rule files that are kept.

use axum::http::{Method, StatusCode};
use puabi_core::RuleSet;
use serde_json::json;

use crate::Client;

fn rule_file(name: &str, pieces: u8) -> String {
    RuleSet { name: name.to_owned().into(), pieces, captures_grant_rolls: true, ..RuleSet::FINKEL }
        .to_toml()
}

#[tokio::test]
async fn every_preset_is_listed_and_described() {
    let client = Client::new().await;
    let listed = client.get("/api/rules").await.json();
    assert_eq!(listed.as_array().unwrap().len(), RuleSet::PRESETS.len());
    for (preset, line) in RuleSet::PRESETS.iter().zip(listed.as_array().unwrap()) {
        let name = line["name"].as_str().unwrap();
        assert_eq!(name, preset.to_string());
        let view = client.get(&format!("/api/{name}")).await.json();
        let rules = preset.compile().unwrap();
        assert_eq!(view["paths"]["light"].as_array().unwrap().len(), usize::from(rules.length()));
        assert_eq!(view["board"]["tiles"].as_array().unwrap().len(), rules.board().tiles().len());
        let chances =
            view["rolls"].as_array().unwrap().iter().map(|roll| roll["chance"].as_f64().unwrap());
        assert!((chances.sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[tokio::test]
async fn finkel_s_board_tells_what_each_tile_does() {
    let view = Client::new().await.get("/api/finkel").await.json();
    let tile = |name: &str| {
        let tiles = view["board"]["tiles"].as_array().unwrap();
        tiles.iter().find(|tile| tile["tile"] == name).unwrap().clone()
    };
    let middle = json!({"tile": "B4", "column": 4, "row": 1, "rosette": true, "safe": true, "ground": "a rosette", "kind": "rosette", "again": true, "light": [8], "dark": [8]});
    assert_eq!(tile("B4"), middle);
    assert_eq!((&tile("B5")["safe"], &tile("A4")["safe"]), (&json!(false), &json!(true)));
    assert_eq!((&tile("A4")["light"], &tile("A4")["dark"]), (&json!([1]), &json!([])));
}

#[tokio::test]
async fn a_kept_rule_file_is_played_solved_and_taken_away() {
    let client = Client::new().await;
    let kept = client.ask(Method::POST, "/api/rules", rule_file("My Game!", 1)).await;
    assert_eq!((kept.status, &kept.json()["name"]), (StatusCode::CREATED, &json!("my-game")));
    let same = client.ask(Method::POST, "/api/rules", rule_file("My Game!", 1)).await;
    assert_eq!(same.status, StatusCode::CREATED);
    client
        .ask(Method::POST, "/api/rules", rule_file("My Game!", 2))
        .await
        .error(StatusCode::CONFLICT);
    // Games give the name inside the rule file, and a page asks for the rules by that name.
    assert_eq!(client.get("/api/My%20Game!").await.json()["name"], "my-game");
    client.get("/api/my%20game").await.error(StatusCode::NOT_FOUND);
    let answer = client.get("/api/my-game/positions/-:-:L").await.json();
    assert!(answer["value"].as_f64().unwrap() > 0.5);
    let tried = client.ask(Method::POST, "/api/rules/try", rule_file("My Game!", 1)).await.json();
    assert_eq!(tried["table"]["state"], "ready");
    let seats = json!({"rules": "my-game", "light": {"kind": "agent", "spec": "perfect"}, "dark": {"kind": "person"}});
    let id = client.done("/api/games", &seats).await["id"].clone();
    for _ in 0..2 {
        client.done(&format!("/api/games/{id}/step"), &json!({})).await;
    }
    assert_eq!(client.get(&format!("/api/games/{id}/review")).await.status, StatusCode::OK);
    assert_eq!(
        client.ask(Method::DELETE, "/api/rules/my-game", "").await.status,
        StatusCode::NO_CONTENT
    );
    client.get("/api/my-game").await.error(StatusCode::NOT_FOUND);
    client.get("/api/My%20Game!").await.error(StatusCode::NOT_FOUND);
    client.get(&format!("/api/games/{id}/review")).await.error(StatusCode::CONFLICT);
    client.ask(Method::DELETE, "/api/rules/my-game", "").await.error(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_game_tells_its_own_rules_whatever_is_kept_under_their_name() {
    let client = Client::new().await;
    let keep =
        async |pieces| client.ask(Method::POST, "/api/rules", rule_file("My Game", pieces)).await;
    keep(1).await;
    let person = json!({"kind": "person"});
    let seats = json!({"rules": "my-game", "light": person, "dark": person});
    let game = client.done("/api/games", &seats).await;
    assert_eq!((&game["rules"], &game["known"]), (&json!("My Game"), &json!(true)));
    let path = |what: &str| format!("/api/games/{}{what}", game["id"]);
    let rules = client.get(&path("/rules")).await.json();
    assert_eq!(rules, client.get("/api/my-game").await.json());
    assert_eq!(client.get("/api/games?rules=my-game").await.json()["total"], 1);
    assert_eq!(client.get("/api/games?rules=My+Game").await.json()["total"], 1);
    assert_eq!(client.get("/api/games?rules=other").await.json()["total"], 0);
    client.ask(Method::DELETE, "/api/rules/my-game", "").await;
    keep(2).await;
    assert_eq!(client.get("/api/my-game").await.json()["pieces"], 2);
    assert_eq!(client.get(&path("")).await.json()["known"], false);
    let rules = client.get(&path("/rules")).await.json();
    assert_eq!((&rules["name"], &rules["pieces"]), (&json!(""), &json!(1)));
    let hint = client.get(&path("/hint")).await;
    hint.error(StatusCode::CONFLICT);
    assert!(hint.text.contains("other rules of this name are kept"), "{}", hint.text);
}

#[tokio::test]
async fn a_race_tells_its_goal_and_is_played_to_it() {
    let client = Client::new().await;
    let race =
        RuleSet { name: "race".into(), goal: Some(1), ..RuleSet::FINKEL.with_pieces(2) }.to_toml();
    client.ask(Method::POST, "/api/rules", race).await;
    let view = client.get("/api/race").await.json();
    assert_eq!((&view["pieces"], &view["goal"]), (&json!(2), &json!(1)));
    assert_eq!(client.get("/api/finkel").await.json()["goal"], 7);
    client.get("/api/race/positions/+1:-:L").await.error(StatusCode::BAD_REQUEST);
    let seat = json!({"kind": "agent", "spec": "last-move"});
    let seats = json!({"rules": "race", "light": seat, "dark": seat, "start": "3,14:13:L1"});
    let id = client.done("/api/games", &seats).await["id"].clone();
    let game = client.done(&format!("/api/games/{id}/step"), &json!({})).await;
    assert_eq!((&game["winner"], &game["home"]["light"]), (&json!("light"), &json!(1)));
}

#[tokio::test]
async fn what_is_no_rule_file_or_has_no_free_name_is_refused() {
    let client = Client::new().await;
    for text in [
        String::new(),
        "name =".to_owned(),
        rule_file("x", 99),
        "name = \"x\"\nunknown = 1".to_owned(),
    ] {
        let answer = client.ask(Method::POST, "/api/rules", text).await;
        assert_eq!(answer.error(StatusCode::BAD_REQUEST).0, "body", "{}", answer.text);
    }
    for name in ["Games", "rules", "Finkel!", "!!!"] {
        let answer = client.ask(Method::POST, "/api/rules", rule_file(name, 1)).await;
        assert_eq!(answer.error(StatusCode::BAD_REQUEST).0, "name", "{name}: {}", answer.text);
    }
    let preset =
        client.ask(Method::POST, "/api/rules", RuleSet::FINKEL.with_pieces(3).to_toml()).await;
    assert_eq!(preset.json()["name"], "finkel:3");
    let kept = client.ask(Method::DELETE, "/api/rules/finkel", "").await;
    assert_eq!(kept.error(StatusCode::NOT_FOUND).0, "rules");
    assert_eq!(kept.json()["error"]["message"], "no kept rule file is called `finkel`");
}

/// No user can make files in `/sys`, not even the superuser.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_rule_file_for_a_directory_that_may_only_be_read_is_refused_in_words() {
    let client = Client::over(std::path::Path::new("/sys")).await;
    let refused = client.ask(Method::POST, "/api/rules", rule_file("mine", 1)).await;
    let (_, _, expected) = refused.error(StatusCode::CONFLICT);
    assert_eq!(expected, "a server that may write to its data directory");
    client.ask(Method::DELETE, "/api/rules/mine", "").await.error(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_title_counts_one_piece_as_one() {
    let client = Client::new().await;
    for (rules, title) in [("finkel:1", "Finkel, 1 piece"), ("finkel:2", "Finkel, 2 pieces")] {
        assert_eq!(client.get(&format!("/api/{rules}")).await.json()["title"], title);
    }
}

#[tokio::test]
async fn no_rule_file_takes_the_name_of_a_part_of_the_api() {
    let client = Client::new().await;
    let description = client.get("/api/openapi.json").await.json();
    let paths = description["paths"].as_object().unwrap().keys();
    let parts = paths.filter_map(|path| path.strip_prefix("/api/")?.split('/').next());
    let mut parts: Vec<_> = parts.filter(|part| *part != "{rules}").collect();
    assert!(parts.len() > 10, "{parts:?}");
    // These are the parts that the description lacks, and the one that only the page without a server has.
    parts.extend(["docs", "openapi", "archive"]);
    for part in parts {
        let answer = client.ask(Method::POST, "/api/rules", rule_file(part, 1)).await;
        let is_refused = answer.status == StatusCode::BAD_REQUEST;
        // A file's name has no full stop.
        assert_eq!(is_refused, !part.contains('.'), "{part}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_agents_of_a_rule_set_can_play_it() {
    let client = Client::new().await;
    for rules in ["finkel:1", "aseb:1"] {
        let listed = client.get(&format!("/api/{rules}/agents")).await.json();
        let agents = listed.as_array().unwrap();
        assert!(agents.len() > 10);
        for agent in agents {
            let body = json!({"agent": agent["spec"], "position": "-:-:L", "roll": 1});
            let choice = client.done(&format!("/api/{rules}/choose"), &body).await;
            assert_eq!(choice["move"], "0-1");
        }
    }
}
