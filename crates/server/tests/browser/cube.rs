//! Matches with a doubling cube on the page: doubles, answers, the next game, the explorer and the review.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, PHONE};
use crate::play::two_people;

fn match_to(points: u32) -> Value {
    let mut game = two_people("finkel:1");
    game["match"] = json!(points);
    game
}

#[tokio::test]
async fn a_match_is_begun_in_the_form_and_played_with_the_cube() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    browser.click(".newgame .chips button:nth-child(3)").await;
    let pieces = browser.find("input[aria-label='Pieces of each player']").await;
    pieces.clear().await.unwrap();
    pieces.send_keys("1").await.unwrap();
    let played = browser.find("select[aria-label='Played for']").await;
    played.select_by_value("2").await.unwrap();
    browser.click(".newgame button[type=submit]").await;
    browser.wait_for_text(".stakes", "To win the match Light needs 2, Dark needs 2.").await;
    // By keys, as by the buttons.
    browser.find(".double:not([hidden])").await;
    browser.find("body").await.send_keys("d").await.unwrap();
    browser.wait_for_text(".status", "Light doubles to 2: Dark takes or passes").await;
    browser.wait_for_text(".pass", "Pass, and lose 1 point").await;
    browser.click(".take").await;
    browser.wait_for_text(".stakes", "The cube is at 2 and belongs to Dark.").await;
    // The double can be taken back, before any move.
    browser.find(".actions button[aria-keyshortcuts=u]:not([disabled])").await;
    let game = browser.ask("GET", "/api/games/1", &Value::Null).await;
    assert_eq!(game["stakes"]["text"], "cube 2:dark, match 2-2");
    browser.close().await;
}

#[tokio::test]
async fn a_pass_ends_the_game_and_the_next_one_of_the_match_follows() {
    let browser = Browser::open(PHONE).await;
    let id = browser.begin(&match_to(2)).await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".double:not([hidden])").await;
    browser.click(".pass:not([hidden])").await;
    browser.wait_for_text(".status", "Ben passes. Ann wins 1 point.").await;
    browser.click(".next:not([hidden])").await;
    browser.wait_for_text(".stakes", "In this game nobody may double.").await;
    let is_offered = browser.run("return document.querySelector('.double').hidden").await;
    assert_eq!(is_offered, json!(true), "nobody doubles in the Crawford game");
    let next = browser.ask("GET", &format!("/api/games/{}", id + 1), &Value::Null).await;
    assert_eq!(next["stakes"]["score"], json!({ "light": 1, "dark": 2, "crawford": true }));
    let resigned = json!({ "player": "dark" });
    browser.ask("POST", &format!("/api/games/{}/resign", id + 1), &resigned).await;
    browser.wait_for_text(".status", "Ann wins the match.").await;
    browser.close().await;
}

#[tokio::test]
async fn an_agent_plays_a_match_and_the_review_tells_its_errors_apart() {
    let browser = Browser::open(DESK).await;
    let agent = |spec: &str| json!({ "kind": "agent", "spec": spec });
    let game = json!({ "rules": "finkel:1", "light": agent("perfect"), "dark": agent("random"), "seed": 3, "match": 3 });
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".status", "wins").await;
    browser.visit(&format!("review/{id}")).await;
    browser.wait_for_text(".cubereview", "Doubling").await;
    let rows = browser.run("return [...document.querySelectorAll('.cubereview tbody tr')].map((row) => row.textContent)").await;
    assert_eq!(rows.as_array().unwrap().len(), 3, "{rows}");
    assert!(
        rows[0].as_str().unwrap().starts_with("Doubling0.00"),
        "perfect light errs in nothing: {rows}"
    );
    browser.close().await;
}

#[tokio::test]
async fn a_hint_about_the_cube_shows_the_move_of_no_roll() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("masters:1");
    game["cube"] = json!(64);
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.find(".double:not([hidden])").await;
    browser.find("body").await.send_keys("h").await.unwrap();
    browser.wait_for_text(".choice", "Perfect players").await;
    assert_eq!(browser.run("return document.querySelectorAll('.arrow').length").await, json!(0));
    browser.close().await;
}

#[tokio::test]
async fn a_hint_and_the_explorer_say_what_doubling_taking_and_passing_cost() {
    let browser = Browser::open(DESK).await;
    let mut game = match_to(3);
    game["start"] = json!("9:-:L");
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.find(".double:not([hidden])").await;
    browser.find("body").await.send_keys("h").await.unwrap();
    browser.wait_for_text(".choice", "A perfect player doubles, and the other passes.").await;
    browser.visit("explorer/finkel:1/9:4:L").await;
    browser.wait_for_text(".worth", "%").await;
    browser
        .find("select[aria-label='Doubling cube']")
        .await
        .select_by_value("2:light")
        .await
        .unwrap();
    browser.wait_for_text(".worth", "points Light wins on average").await;
    let score = browser.find(".cubefields input.score").await;
    score.send_keys("3-5\n").await.unwrap();
    browser.wait_for_text(".worth", "Light wins the match").await;
    browser.wait_for_text(".choice", "double, take").await;
    score.clear().await.unwrap();
    score.send_keys("1-5:crawford\n").await.unwrap();
    browser.wait_for_text(".worth.wrong", "expected none until this game is over").await;
    browser.close().await;
}
