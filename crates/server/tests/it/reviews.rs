//! Reviews of games in every notation.

use axum::http::StatusCode;
use puabi_core::Record;
use puabi_formats::Notation;
use serde_json::json;

use crate::Client;

const GAME: &str =
    "format: urg 1\nrules: finkel:1\nlight: Ann\n\nL 4 0-4\nL 1 4-5\nD 3 0-3\nL 2 5-7\nD 2 3-5\n";

#[tokio::test]
async fn a_game_is_reviewed_and_can_be_drawn_ply_by_ply() {
    let client = Client::new().await;
    let told = client.done("/api/review", &json!({"text": GAME})).await;
    assert_eq!(told["record"], GAME);
    let review = &told["review"];
    let plies = review["plies"].as_array().unwrap();
    assert_eq!((plies.len(), told["frames"].as_array().unwrap().len()), (5, 6));
    assert_eq!(told["frames"][1]["position"], "4:-:L1");
    // Luck and errors account for the whole way from the start to the end.
    let sum: f64 = plies
        .iter()
        .map(|ply| {
            let net = ply["luck"].as_f64().unwrap() - ply["error"].as_f64().unwrap();
            if ply["player"] == "light" { net } else { -net }
        })
        .sum();
    let (start, result) = (review["start"].as_f64().unwrap(), review["result"].as_f64().unwrap());
    assert!((result - start - sum).abs() < 1e-9);
}

#[tokio::test]
async fn every_notation_is_read() {
    let client = Client::new().await;
    let record: Record = GAME.parse().unwrap();
    for notation in [Notation::Urg, Notation::Rgn, Notation::Json] {
        let text = notation.write(&record).unwrap().text;
        let told = client.done("/api/review", &json!({"text": text, "rules": "finkel:1"})).await;
        let told: Record = told["record"].as_str().unwrap().parse().unwrap();
        assert_eq!(told.game.plies(), record.game.plies(), "{notation}");
    }
}

#[tokio::test]
async fn the_mark_that_some_editors_write_before_a_text_is_left_out() {
    let client = Client::new().await;
    let record: Record = GAME.parse().unwrap();
    for notation in [Notation::Urg, Notation::Rgn, Notation::Json] {
        let text = format!("\u{feff}{}", notation.write(&record).unwrap().text);
        for name in [None, Some(notation.to_string())] {
            let body = json!({"text": text, "notation": name, "rules": "finkel:1"});
            let told = client.done("/api/review", &body).await;
            let told: Record = told["record"].as_str().unwrap().parse().unwrap();
            assert_eq!(told.game.plies(), record.game.plies(), "{notation}");
        }
    }
}

#[tokio::test]
async fn a_game_too_large_to_be_solved_is_judged_by_a_search() {
    let client = Client::with_little_memory().await;
    let game = "format: urg 1\nrules: skiriuk\n\nL 1 0-1\nD 1 0-1\nL 2 0-2\n";
    let record: Record = game.parse().unwrap();
    let told = client.done("/api/review", &json!({"text": game})).await;
    let judge = told["review"]["judge"].as_str().unwrap();
    assert!(judge.starts_with("expectimax:2@brain:"), "{judge}");
    assert_eq!(told["review"]["plies"].as_array().unwrap().len(), record.game.plies().len());
    let page = client.post("/api/review.html", &json!({"text": game})).await;
    assert!(page.text.contains("all chances are estimates"));
}

#[tokio::test]
async fn positions_of_a_game_too_large_to_be_solved_are_estimated() {
    let client = Client::with_little_memory().await;
    for (rules, judge) in
        [("skiriuk", "expectimax:2@brain:trained"), ("murray", "expectimax:2@linear:trained")]
    {
        let path = format!("/api/{rules}/positions/-:-:L3");
        let answer = client.get(&path).await.json();
        assert_eq!(answer["judge"], judge);
        assert!(answer["caveat"].as_str().unwrap().contains("all chances are estimates"));
        let value = answer["value"].as_f64().unwrap();
        assert!(value > 0.4 && value < 0.6, "{value}");
        let person = json!({"kind": "person"});
        let body = json!({"rules": rules, "light": person, "dark": person});
        let game = client.post("/api/games", &body).await.json();
        let path = format!("/api/games/{}/hint", game["id"]);
        assert_eq!(client.get(&path).await.json()["judge"], judge);
    }
    let answer = Client::new().await.get("/api/finkel:1/positions/-:-:L").await.json();
    assert_eq!((&answer["judge"], &answer["caveat"]), (&json!("table"), &json!(null)));
}

#[tokio::test]
async fn a_text_that_is_no_game_is_refused_with_its_place() {
    let client = Client::new().await;
    let wrong = json!({"text": GAME.replace("L 1 4-5", "L 1 4-9")});
    let answer = client.post("/api/review", &wrong).await;
    let (field, found, _) = answer.error(StatusCode::BAD_REQUEST);
    assert_eq!((&*field, &*found), ("text", "L 1 4-9"));
    assert!(answer.text.contains("line 6"));
    let odd = json!({"text": GAME, "notation": "pgn"});
    assert_eq!(client.post("/api/review", &odd).await.error(StatusCode::BAD_REQUEST).0, "notation");
    let large = json!({"text": GAME.replace("finkel:1", "finkel")});
    client.post("/api/review", &large).await.error(StatusCode::CONFLICT);
}
