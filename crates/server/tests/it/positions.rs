//! What positions are worth, and what agents play in them.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use puabi_core::RuleSet;
use puabi_engine::Answer as Known;
use puabi_solve::{Options, Solver, Unattended};
use serde_json::{Value, json};

use crate::Client;

/// Returns whether `told` has all that `known` has.
fn contains(told: &Value, known: &Value) -> bool {
    match (told, known) {
        (Value::Object(told), Value::Object(known)) => known
            .iter()
            .all(|(key, value)| told.get(key).is_some_and(|there| contains(there, value))),
        (Value::Array(told), Value::Array(known)) => {
            told.len() == known.len()
                && told.iter().zip(known).all(|(told, known)| contains(told, known))
        }
        _ => told == known,
    }
}

#[tokio::test]
async fn answers_are_those_of_the_document() {
    let document = include_str!("../../../../docs/api.md");
    let client = Client::new().await;
    let told = client.get("/api/finkel:2/positions/4,8:5,9:L1").await.json();
    let rounded = |value: &Value| format!("{:.3}", value.as_f64().unwrap());
    let moves = told["rolls"][0]["moves"].as_array().unwrap().iter();
    let moves = moves.map(|it| {
        format!(
            r#"{{"move":{},"value":{},"best":{}}}"#,
            it["move"],
            rounded(&it["value"]),
            it["best"]
        )
    });
    let moves: Vec<_> = moves.collect();
    for part in
        [format!(r#""judge":"table","value":{},"#, rounded(&told["value"])), moves.join(",")]
    {
        assert!(document.contains(&part), "{part}");
    }
    let asked = json!({"agent": "softmax:0.05", "position": "4,8:5,9:L1"});
    let told = client.done("/api/finkel:2/choose", &asked).await;
    let policy = told["policy"].as_array().unwrap().iter();
    let policy = policy
        .map(|it| format!(r#"{{"move":{},"chance":{}}}"#, it["move"], rounded(&it["chance"])));
    let policy = policy.collect::<Vec<_>>().join(",");
    assert!(document.contains(&policy), "{policy}");
    let length = puabi_engine::perfect_length(&RuleSet::FINKEL).unwrap();
    assert!(document.contains(&format!(r#""length":{length},"#)), "{length}");
}

#[tokio::test]
async fn a_position_is_answered_as_the_command_answers_it() {
    let client = Client::new().await;
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let (values, _) =
        Solver::new(&rules, Options::default()).unwrap().solve(&Unattended, &Unattended).unwrap();
    for text in ["-:-:L", "4:9+1:D", "8,9:11:L2", "13:13+1:D1"] {
        let setup: puabi_core::Setup = text.parse().unwrap();
        let position = rules.position(&setup).unwrap();
        let known = Known::new(&rules, (position, setup.turn), setup.roll, &values);
        let told = client.get(&format!("/api/finkel:2/positions/{text}")).await;
        assert_eq!(told.status, StatusCode::OK);
        let known = serde_json::to_value(&known).unwrap();
        assert!(contains(&told.json(), &known), "{text}: {} and not {known}", told.text);
    }
}

#[tokio::test]
async fn a_position_comes_with_all_that_it_takes_to_draw_it() {
    let told = Client::new().await.get("/api/finkel:2/positions/4,8:9+1:L1").await.json();
    assert_eq!(
        told["pieces"][1],
        json!({"player": "light", "square": 8, "tile": "B4", "veteran": false})
    );
    assert_eq!(
        told["pieces"][2],
        json!({"player": "dark", "square": 9, "tile": "B5", "veteran": false})
    );
    assert_eq!(told["hand"], json!({"light": 0, "dark": 0}));
    assert_eq!(told["home"], json!({"light": 0, "dark": 1}));
    let capture =
        &told["rolls"][0]["moves"].as_array().unwrap().iter().find(|it| it["move"] == "8-9");
    assert_eq!(capture.unwrap()["capture"], true);
    assert_eq!(capture.unwrap()["to"], json!({"square": 9, "tile": "B5"}));
}

#[tokio::test]
async fn an_answer_that_is_known_is_not_sent_again() {
    let client = Client::new().await;
    let first = client.get("/api/finkel:1/positions/-:-:L").await;
    let tag = first.header("etag").to_owned();
    assert!(tag.len() > 10);
    assert_eq!(first.header("cache-control"), "no-cache");
    let again = |tag: &str| {
        let request = Request::get("/api/finkel:1/positions/-:-:L").header("host", "localhost");
        client.send(request.header("if-none-match", tag).body(Body::empty()).unwrap())
    };
    let known = again(&format!("\"other\", W/{tag}")).await;
    assert_eq!((known.status, &*known.text), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(again("\"other\"").await.status, StatusCode::OK);
}

#[tokio::test]
async fn answers_by_a_search_have_the_tag_of_their_rules() {
    let client = Client::with_little_memory().await;
    let mut tags = Vec::new();
    for captures_grant_rolls in [false, true] {
        let rules =
            RuleSet { name: "mine".into(), captures_grant_rolls, goal: Some(6), ..RuleSet::FINKEL };
        client.ask(Method::POST, "/api/rules", rules.to_toml()).await;
        let answer = client.get("/api/mine/positions/-:-:L4").await;
        assert_ne!(answer.json()["judge"], "table");
        tags.push(answer.header("etag").to_owned());
        client.ask(Method::DELETE, "/api/rules/mine", "").await;
    }
    assert_ne!(tags[0], tags[1]);
}

#[tokio::test]
async fn what_is_no_position_is_refused_with_what_would_be_right() {
    let client = Client::new().await;
    for (path, found) in [
        ("/api/finkel:1/positions/nonsense", "nonsense"),
        ("/api/finkel:1/positions/9:9:L", "9:9:L"),
        ("/api/finkel:1/positions/-:-:L9", "-:-:L9"),
        ("/api/finkel:1/positions/15:-:L", "15:-:L"),
        ("/api/finkel:1/positions/1,2,3:-:L", "1,2,3:-:L"),
    ] {
        let (field, told, expected) = client.get(path).await.error(StatusCode::BAD_REQUEST);
        assert_eq!((&*field, &*told), ("position", found));
        assert!(expected.contains("LIGHT:DARK:TURN"));
    }
    let (field, found, _) =
        client.get("/api/finkle/positions/-:-:L").await.error(StatusCode::NOT_FOUND);
    assert_eq!((&*field, &*found), ("rules", "finkle"));
    let large = client.get("/api/finkel/positions/-:-:L").await;
    let (_, _, expected) = large.error(StatusCode::CONFLICT);
    assert!(expected.contains("POST /api/finkel/solve"));
}

#[tokio::test]
async fn an_agent_chooses_a_move() {
    let client = Client::new().await;
    let ask = |agent: &str| json!({"agent": agent, "position": "4,8:9:L", "roll": 1});
    let greedy = client.done("/api/finkel:2/choose", &ask("greedy")).await;
    assert_eq!((&greedy["move"], &greedy["after"]), (&json!("8-9"), &json!("4,9:-:D")));
    let soft = client.done("/api/finkel:2/choose", &ask("softmax:0.1")).await;
    let chances =
        soft["policy"].as_array().unwrap().iter().map(|it| it["chance"].as_f64().unwrap());
    assert!((chances.sum::<f64>() - 1.0).abs() < 1e-12);
    let seeded = json!({"agent": "random", "position": "4,8:9:L1", "seed": "18446744073709551615"});
    let first = client.done("/api/finkel:2/choose", &seeded).await;
    assert_eq!(first, client.done("/api/finkel:2/choose", &seeded).await);
}

#[tokio::test]
async fn a_choice_that_cannot_be_made_names_its_field() {
    let client = Client::new().await;
    let cases = [
        (json!({"agent": "greddy", "position": "-:-:L", "roll": 1}), "agent"),
        (json!({"agent": "greedy", "position": "-:-", "roll": 1}), "position"),
        (json!({"agent": "greedy", "position": "-:-:L", "roll": 7}), "roll"),
        (json!({"agent": "greedy", "position": "-:-:L"}), "roll"),
        (json!({"agent": "greedy", "position": "-:-:L", "roll": -1}), "roll"),
        (json!({"agent": "greedy", "position": "-:-:L", "roll": 1, "seed": "x"}), "seed"),
        (json!({"agent": "greedy", "position": "-:-:L", "roll": 1, "seed": "+007"}), "seed"),
        (json!({"agent": "greedy", "position": "-:-:L", "rol": 1}), "rol"),
        (json!({"position": "-:-:L", "roll": 1}), "body"),
        (json!([1]), "body"),
        (json!({"agent": "elo:1400", "position": "-:-:L", "roll": 1}), "agent"),
    ];
    for (body, field) in cases {
        let answer = client.post("/api/finkel:1/choose", &body).await;
        assert_eq!(answer.error(StatusCode::BAD_REQUEST).0, field, "{body}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_choice_is_asked_for_one_roll_and_not_for_two() {
    let client = Client::new().await;
    let ask = |roll: u8| json!({"agent": "greedy", "position": "-:-:L3", "roll": roll});
    let refused = client.post("/api/finkel:1/choose", &ask(2)).await;
    let (field, found, expected) = refused.error(StatusCode::BAD_REQUEST);
    assert_eq!((&*field, &*found), ("roll", "2"));
    assert_eq!(expected, "3, or a position that names no roll");
    let message = "the position names a roll of 3, but the request gives 2";
    assert_eq!(refused.json()["error"]["message"], message);
    assert_eq!(client.done("/api/finkel:1/choose", &ask(3)).await["move"], "0-3");
}
