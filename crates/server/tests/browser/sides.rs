//! How the board is turned to its viewer, and how stacks on it are drawn and put in words.

use serde_json::json;

use crate::browser::{Browser, DESK, PHONE};

/// Where a place of the board is on the screen.
const PLACE: &str = "const box = document.querySelector(`.hit[data-place='${arguments[0]}']`).getBoundingClientRect(); \
                     return [box.x, box.y]";

impl Browser {
    /// Returns the upper left corner of a place on the screen.
    pub(crate) async fn place(&self, tile: &str) -> (f64, f64) {
        let found = self.client.execute(PLACE, vec![json!(tile)]).await.unwrap();
        serde_json::from_value(found).unwrap()
    }

    /// Begins a game in which a person plays one side against a program.
    async fn begin_as(&self, player: &str) -> i64 {
        let person = json!({ "kind": "person", "name": "Ann" });
        let program = json!({ "kind": "agent", "spec": "greedy" });
        let (light, dark) = if player == "light" { (person, program) } else { (program, person) };
        let turn = player[..1].to_uppercase();
        let start = format!("8,13:9,10:{turn}1");
        self.begin(&json!({ "rules": "finkel:2", "light": light, "dark": dark, "start": start }))
            .await
    }
}

#[tokio::test]
async fn the_viewers_own_side_is_below_in_play_review_and_the_explorer() {
    let browser = Browser::open(DESK).await;
    for (player, own, other) in [("light", "A1", "C1"), ("dark", "C1", "A1")] {
        let id = browser.begin_as(player).await;
        for screen in [format!("play/{id}"), format!("review/{id}")] {
            browser.visit(&screen).await;
            browser.find(".board .hit").await;
            let [(_, below), (_, above)] = [browser.place(own).await, browser.place(other).await];
            assert!(below > above, "{screen}, {player}");
            let well = format!("home:{player}");
            assert!(browser.place(&well).await.1 > below, "{screen}, {player}");
        }
        // A link within the page keeps the side.
        browser.run("location.hash = '#/explorer/finkel:2/-:-:L'").await;
        browser.find(".explorer .board .hit").await;
        let [(_, below), (_, above)] = [browser.place(own).await, browser.place(other).await];
        assert!(below > above, "the explorer, {player}");
    }
    browser.close().await;
}

#[tokio::test]
async fn the_viewers_own_side_is_to_the_right_of_a_board_that_stands() {
    let browser = Browser::open(PHONE).await;
    for (player, own, other) in [("light", "A1", "C1"), ("dark", "C1", "A1")] {
        let id = browser.begin_as(player).await;
        browser.visit(&format!("play/{id}")).await;
        browser.find(".board[data-orientation=tall] .hit").await;
        let [(right, _), (left, _)] = [browser.place(own).await, browser.place(other).await];
        assert!(right > left, "{player}");
        let name = format!(
            "return document.querySelector('.seatname.{player}').getBoundingClientRect().right"
        );
        assert!(browser.run(&name).await.as_f64().unwrap() > right, "{player}");
    }
    browser.close().await;
}

#[tokio::test]
async fn pieces_are_moved_by_clicks_from_the_side_of_dark() {
    let browser = Browser::open(DESK).await;
    let id = browser.begin_as("dark").await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".hit.live[data-place=B6]").await;
    browser.wait_for_text(".history", "B6 → B7").await;
    browser.close().await;
}

#[tokio::test]
async fn a_stack_is_drawn_piece_by_piece_and_said_from_below() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/skiriuk:2/7,17:7,21:L2:B3=L7.D21.D7").await;
    let label =
        "return document.querySelector('.board').getAttribute('aria-label').includes(arguments[0])";
    browser.wait_for(label, vec![json!("B3, from below: light, dark veteran, dark")]).await;
    let drawn = browser
        .run("return [...document.querySelectorAll('.stack circle[class]')].map((dot) => dot.getAttribute('class'))")
        .await;
    assert_eq!(drawn, json!(["light", "dark veteran", "dark"]));
    browser.wait_for_text(".stack text", "3").await;
    browser.wait_for_text(".hit[data-place=B3] title", "from below").await;
    browser.close().await;
}
