//! Games with a doubling cube and matches, and what positions are worth in them.

use axum::http::{Method, StatusCode};
use puabi_core::{RuleSet, Stakes};
use puabi_engine::CubeAnswer;
use puabi_server::Mode;
use puabi_solve::{Options, Solver, Unattended};
use serde_json::{Value, json};

use crate::Client;

fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

fn two_people(points: u32) -> Value {
    json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Ben"), "seed": 1, "match": points})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_with_a_cube_is_answered_as_the_solver_answers_it() {
    let client = Client::new().await;
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (cubeless, _) = solver.solve(&Unattended, &Unattended).unwrap();
    let table = solver.match_table(&cubeless, 5, &Unattended).unwrap();
    let score = "3-5".parse().unwrap();
    let values = solver.solve_at(score, &cubeless, &table, &Unattended).unwrap();
    for (cube, text) in [("1", "-:-:L"), ("2:light", "9:4:L"), ("2:light", "9:4:D2")] {
        let path = format!("/api/finkel:1/positions/{text}/cube?match=3-5&cube={cube}");
        let told = client.get(&path).await;
        assert_eq!(told.status, StatusCode::OK, "{}", told.text);
        let told = told.json();
        let setup: puabi_core::Setup = text.parse().unwrap();
        let stakes = Stakes::of_match(score).with_cube(cube.parse().unwrap()).unwrap();
        let asked = (rules.position(&setup).unwrap(), setup.turn);
        let known = CubeAnswer::new(&rules, stakes, asked, setup.roll, &values);
        let worth = told["worth"].as_f64().unwrap();
        assert!((worth - known.worth).abs() < 1e-12, "{worth} {}", known.worth);
        assert_eq!(told["action"], known.action.to_string());
        assert_eq!(told["double"].is_null(), known.double.is_none());
        assert_eq!(told["rolls"].as_array().unwrap().len(), known.rolls.len());
        assert_eq!(told["stakes"]["text"], stakes.to_string());
    }
    let money = client.get("/api/finkel:1/positions/9:-:L/cube?cap=4").await.json();
    assert_eq!((&money["action"], &money["double"]["pass"]), (&json!("double, pass"), &json!(1.0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn stakes_that_cannot_be_are_refused_with_what_would_be_right() {
    let client = Client::new().await;
    for (query, field, expected) in [
        ("cube=3:light", "cube", "a power of two from 1 to 65536"),
        ("cube=8:light&cap=4", "cube", "4 at most, its cap"),
        ("cube=light", "cube", "a value and its owner"),
        ("cap=5", "cap", "a power of two from 1 to 65536"),
        ("cap=%2B4", "cap", "a power of two from 1 to 65536"),
        ("cap=x", "cap", "a power of two from 1 to 65536"),
        ("match=0-3", "match", "1 to 99"),
        ("match=3-100", "match", "1 to 99"),
        ("match=3", "match", "the points that light and dark need"),
        ("match=3-5&cap=4", "cap", "none, the score caps the cube at 8"),
        ("match=3-5&cube=16:light", "cube", "8 at most, which decides the match"),
        ("match=1-5:crawford&cube=2:light", "cube", "none until this game is over"),
        ("match=2-5:crawford", "match", "a player who needs one point"),
    ] {
        let answer = client.get(&format!("/api/finkel:1/positions/-:-:L/cube?{query}")).await;
        let (found, _, told) = answer.error(StatusCode::BAD_REQUEST);
        assert_eq!(found, field, "{query}: {}", answer.text);
        assert!(told.contains(expected), "{query}: {}", answer.text);
    }
    // Without `/cube` no stakes count, so none are taken.
    let cubeless = client.get("/api/finkel:1/positions/-:-:L?match=3-5").await;
    assert_eq!(cubeless.error(StatusCode::BAD_REQUEST).0, "match", "{}", cubeless.text);
    // A large game is not solved for one answer.
    let long = client.get("/api/finkel:4/positions/-:-:L/cube?match=9-9").await;
    let (_, _, expected) = long.error(StatusCode::CONFLICT);
    assert!(expected.contains("a shorter match"), "{expected}");
    for (change, field) in [
        (json!({"match": 0}), "match"),
        (json!({"match": 100}), "match"),
        (json!({"cube": 3}), "cube"),
    ] {
        let mut game = json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Ben")});
        let (name, value) = change.as_object().unwrap().iter().next().unwrap();
        game[name] = value.clone();
        let (found, _, expected) =
            client.post("/api/games", &game).await.error(StatusCode::BAD_REQUEST);
        assert_eq!(found, field);
        assert!(!expected.is_empty());
    }
}

#[tokio::test]
async fn a_number_that_cannot_be_is_refused_with_those_that_can() {
    let client = Client::new().await;
    for (name, value, right) in [
        ("match", json!(-3), "a whole number from 1 to 99"),
        ("match", json!(1.5), "a whole number from 1 to 99"),
        ("match", json!("3"), "a whole number from 1 to 99"),
        ("cube", json!(-1), "a power of two from 1 to 65536"),
        ("cube", json!(1_u64 << 40), "a power of two from 1 to 65536"),
    ] {
        let mut game = json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Ben")});
        game[name] = value.clone();
        let (field, found, expected) =
            client.post("/api/games", &game).await.error(StatusCode::BAD_REQUEST);
        assert_eq!((&*field, found, &*expected), (name, value.to_string(), right));
    }
    let choose = json!({"agent": "greedy", "position": "-:-:L", "roll": -1});
    let refused = client.post("/api/finkel:1/choose", &choose).await;
    let (field, _, expected) = refused.error(StatusCode::BAD_REQUEST);
    assert_eq!((&*field, &*expected), ("roll", "what the dice can show, as in 3"));
    let none =
        json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Ben"), "match": null});
    client.done("/api/games", &none).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn doubles_are_taken_passed_and_refused_out_of_turn() {
    let client = Client::new().await;
    let game = client.done("/api/games", &two_people(3)).await;
    assert_eq!(game["stakes"]["score"], json!({"light": 3, "dark": 3, "crawford": false}));
    assert_eq!(game["may_double"], true);
    let path = |what: &str| format!("/api/games/{}/{what}", game["id"]);
    client.post(&path("answer"), &json!({"take": true})).await.error(StatusCode::CONFLICT);
    let doubled = client.done(&path("double"), &json!({})).await;
    assert_eq!((&doubled["stage"], &doubled["answering"]), (&json!("answer"), &json!("dark")));
    client.post(&path("double"), &json!({})).await.error(StatusCode::CONFLICT);
    client.post(&path("roll"), &json!({})).await.error(StatusCode::CONFLICT);
    let taken = client.done(&path("answer"), &json!({"take": true})).await;
    assert_eq!((&taken["stakes"]["value"], &taken["stakes"]["owner"]), (&json!(2), &json!("dark")));
    assert_eq!((&taken["stage"], &taken["may_double"]), (&json!("roll"), &json!(false)));
    let again = client.post(&path("double"), &json!({})).await;
    again.error(StatusCode::CONFLICT);
    let over = client.done(&path("resign"), &json!({"player": "dark"})).await;
    assert_eq!(over["next_score"], json!({"light": 1, "dark": 3, "crawford": true}));
    let next = client.done(&path("next"), &json!({})).await;
    assert_eq!(
        (&next["stakes"]["score"]["crawford"], &next["may_double"]),
        (&json!(true), &json!(false))
    );
    // A second request gets the same game, and the game before it cannot be changed any more.
    assert_eq!(client.done(&path("next"), &json!({})).await["id"], next["id"]);
    client.post(&path("undo"), &json!({})).await.error(StatusCode::CONFLICT);
    let last = format!("/api/games/{}", next["id"]);
    client.post(&format!("{last}/double"), &json!({})).await.error(StatusCode::CONFLICT);
    client.done(&format!("{last}/resign"), &json!({"player": "dark"})).await;
    client.post(&format!("{last}/next"), &json!({})).await.error(StatusCode::CONFLICT);
    let record = client.get(&path("record.urg")).await.text;
    assert!(record.contains("stakes: cube 1, match 3-3") && record.contains("D takes"), "{record}");
    for (file, lost) in [("record.urg", ""), ("record.rgn", "the cube (kept only as comments)")] {
        assert_eq!(client.get(&path(file)).await.header("left-out"), lost, "{file}");
    }
}

#[tokio::test]
async fn a_double_and_its_answer_are_taken_back_by_who_made_them() {
    let client = Client::of_mode(Mode::Public).await;
    let mut begin = two_people(3);
    begin.as_object_mut().unwrap().remove("seed");
    begin["start"] = json!("-:-:D");
    let game = client.done("/api/games", &begin).await;
    let [ann, ben] = ["light", "dark"].map(|seat| game["keys"][seat].as_str().unwrap());
    let post = async |key, step, body: Value| {
        client.post_by(key, &format!("/api/games/{}/{step}", game["id"]), &body).await
    };
    post(ben, "double", json!({})).await;
    post(ann, "undo", json!({})).await.error(StatusCode::FORBIDDEN);
    post(ann, "answer", json!({"take": true})).await;
    post(ben, "undo", json!({})).await.error(StatusCode::FORBIDDEN);
    assert_eq!(post(ann, "undo", json!({})).await.json()["stage"], "answer");
    // One who passes may answer otherwise, but cannot take back the other one's double.
    post(ann, "answer", json!({"take": false})).await;
    post(ben, "undo", json!({})).await.error(StatusCode::FORBIDDEN);
    assert_eq!(post(ann, "undo", json!({})).await.json()["stage"], "answer");
    post(ann, "undo", json!({})).await.error(StatusCode::FORBIDDEN);
    assert_eq!(post(ben, "undo", json!({})).await.json()["doubles"], json!([]));
}

#[tokio::test]
async fn an_agent_rolls_with_a_cube_before_the_game_is_solved() {
    let client = Client::new().await;
    let greedy = json!({"kind": "agent", "spec": "greedy"});
    let begin = json!({"rules": "finkel", "light": greedy, "dark": person("Ben"), "cube": 64});
    let game = client.done("/api/games", &begin).await;
    let stepped = client.done(&format!("/api/games/{}/step", game["id"]), &json!({})).await;
    assert_eq!(stepped["stage"], "move");
}

#[tokio::test]
async fn a_server_for_others_sends_who_asks_for_a_cube_to_one_of_their_own() {
    let data = tempfile::tempdir().unwrap();
    let mine = Client::over(data.path()).await;
    assert_eq!(mine.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    let public = Client::of_mode_over(data.path(), Mode::Public).await;
    let refused = public.get("/api/finkel:1/positions/-:-:L/cube?match=3-3").await;
    assert!(refused.error(StatusCode::CONFLICT).2.contains("a server of your own"));
}

#[tokio::test]
async fn nobody_rolls_for_an_agent_that_may_double() {
    let client = Client::new().await;
    let mut begin = two_people(3);
    begin["light"] = json!({"kind": "agent", "spec": "greedy"});
    let game = client.done("/api/games", &begin).await;
    let path = |step: &str| format!("/api/games/{}/{step}", game["id"]);
    let refused = client.post(&path("roll"), &json!({})).await;
    assert_eq!(refused.error(StatusCode::CONFLICT).2, "POST step, which does it");
    client.done(&path("step"), &json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_the_next_game_at_once_gets_the_same() {
    let client = Client::new().await;
    for _ in 0..10 {
        let first = client.done("/api/games", &two_people(3)).await;
        let path = |what: &str| format!("/api/games/{}{what}", first["id"]);
        client.done(&path("/resign"), &json!({"player": "dark"})).await;
        let (next, none) = (path("/next"), json!({}));
        let (one, other) = tokio::join!(client.done(&next, &none), client.done(&next, &none));
        assert_eq!(one["id"], other["id"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_next_game_that_was_removed_has_not_begun() {
    let client = Client::new().await;
    let first = client.done("/api/games", &two_people(3)).await;
    let path = |what: &str| format!("/api/games/{}{what}", first["id"]);
    client.done(&path("/resign"), &json!({"player": "dark"})).await;
    let removed = client.done(&path("/next"), &json!({})).await;
    assert_eq!(client.get(&path("")).await.json()["next_game"], removed["id"]);
    client.ask(Method::DELETE, &format!("/api/games/{}", removed["id"]), String::new()).await;
    assert_eq!(client.get(&path("")).await.json()["next_game"], Value::Null);
    let next = client.done(&path("/next"), &json!({})).await;
    assert_ne!(next["id"], removed["id"]);
    assert_eq!(client.get(&path("")).await.json()["next_game"], next["id"]);
    client.ask(Method::DELETE, &format!("/api/games/{}", next["id"]), String::new()).await;
    assert_eq!(client.done(&path("/undo"), &json!({})).await["ending"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_play_a_match_to_its_end_and_its_games_are_reviewed() {
    let client = Client::new().await;
    let seat = |spec| json!({"kind": "agent", "spec": spec});
    let begun = json!({"rules": "finkel:1", "light": seat("perfect"), "dark": seat("greedy"), "match": 3, "seed": 4});
    let mut game = client.done("/api/games", &begun).await;
    let mut doubles = 0;
    loop {
        for _ in 0..2000 {
            if game["stage"] == "over" {
                break;
            }
            game = client.done(&format!("/api/games/{}/step", game["id"]), &json!({})).await;
        }
        assert_eq!(game["stage"], "over");
        doubles += game["doubles"].as_array().unwrap().len();
        let review = client.get(&format!("/api/games/{}/review", game["id"])).await.json();
        let totals = &review["cube"]["totals"]["light"];
        for kind in ["doubling", "taking", "moving"] {
            // The perfect player makes no error of any kind.
            assert!(totals[kind].as_f64().unwrap() < 1e-9, "{totals}");
        }
        if game["next_score"].is_null() {
            break;
        }
        game = client.done(&format!("/api/games/{}/next", game["id"]), &json!({})).await;
    }
    assert!(doubles > 0);
    let id = &game["id"];
    let record = client.get(&format!("/api/games/{id}/record.urg")).await.text;
    let page = client.post("/api/review.html", &json!({"text": record})).await.text;
    assert!(page.contains("With the cube") && page.contains("taking"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_before_the_roll_says_what_the_cube_is_worth() {
    let client = Client::new().await;
    let mut begun = two_people(3);
    begun["start"] = json!("9:-:L");
    let game = client.done("/api/games", &begun).await;
    let hint = client.get(&format!("/api/games/{}/hint", game["id"])).await.json();
    assert_eq!(hint["cube"]["action"], "double, pass", "{hint}");
    let plain = json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Ben")});
    let game = client.done("/api/games", &plain).await;
    let hint = client.get(&format!("/api/games/{}/hint", game["id"])).await.json();
    assert!(hint["cube"].is_null() && game["stakes"].is_null());
}
