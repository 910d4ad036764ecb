//! The form for a new game: who plays, and by which rules.

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::browser::{Browser, DESK};

/// What is said of the strength of dark.
const TOLD: &str = ".seat.dark output";
/// The number of pieces that is asked for.
const PIECES: &str = "input[aria-label='Pieces of each player']";

impl Browser {
    /// Changes a field of the form, and sends the field the events that a person would cause.
    async fn enter(&self, css: &str, value: u32) {
        let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
                      for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))";
        self.client.execute(script, vec![json!(css), json!(value)]).await.unwrap();
    }

    /// Waits until the form offers the strengths of these rules, and returns the lowest one.
    async fn offers_strengths_of(&self, rules: &str) -> Value {
        let agents = self.ask("GET", &format!("/api/{rules}/agents"), &Value::Null).await;
        let weakest = agents.as_array().unwrap().iter().find_map(|agent| agent["weakest"].as_f64());
        let step = 20.0;
        let lowest = json!((weakest.unwrap() / step).ceil() * step);
        let script =
            "return Number(document.querySelector('.seat.dark [type=range]').min) === arguments[0]";
        self.wait_for(script, vec![lowest.clone()]).await;
        lowest
    }
}

#[tokio::test]
async fn a_strength_that_was_chosen_stays_chosen() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    // The opponent is perfect play, chosen before or after the page knows which strengths there are.
    browser.click(".newgame .chips button:nth-child(2)").await;
    let lowest = browser.offers_strengths_of("finkel").await;
    browser.wait_for_text(TOLD, "perfect play").await;
    browser.enter(PIECES, 5).await;
    assert_ne!(browser.offers_strengths_of("finkel:5").await, lowest, "another scale");
    browser.wait_for_text(TOLD, "perfect play").await;
    assert!(!browser.find(TOLD).await.text().await.unwrap().contains("wins"));
    browser.enter(".seat.dark [type=range]", 1500).await;
    browser.wait_for_text(TOLD, "1500: wins").await;
    browser.enter(PIECES, 7).await;
    browser.offers_strengths_of("finkel").await;
    browser.wait_for_text(TOLD, "1500: wins").await;
    browser.close().await;
}

#[tokio::test]
async fn a_rule_file_is_played_with_the_pieces_that_it_says() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    let file = "name = \"Mine\"\ndice = \"2d\"\npieces = 2\npath = \"bell\"\n";
    let kept = "const [body, done] = arguments; \
                fetch('/api/rules', { method: 'POST', headers: { 'content-type': 'application/toml' }, body }).then((answer) => done(answer.status))";
    assert_eq!(browser.client.execute_async(kept, vec![json!(file)]).await.unwrap(), json!(201));
    browser.visit("play/new/nothing/4:-:L3").await;
    browser
        .wait_for_text(".newgame .wrong", "No rules are called “nothing”. These are Finkel's.")
        .await;
    let start = "return document.querySelector('.newgame input[placeholder=\"-:-:L\"]').value";
    assert_eq!(browser.run(start).await, json!(""));
    browser.visit("play/new/finkel:99").await;
    browser.wait_for_text(".newgame .wrong", "No rules are called “finkel:99”").await;
    browser.visit("rules/nothing").await;
    browser.wait_for_text("main h1", "This could not be shown").await;
    assert_eq!(browser.client.title().await.unwrap(), "Puabi");
    browser.visit("play/new/mine:3").await;
    let pieces = browser.find(".newgame").await.find(Locator::Css(PIECES)).await.unwrap();
    assert!(!pieces.is_displayed().await.unwrap());
    browser.click(".newgame .chips button:nth-child(3)").await;
    browser.click(".newgame button[type=submit]").await;
    browser.find(".seatname").await;
    let game = browser.ask("GET", "/api/games/1", &Value::Null).await;
    assert_eq!((&game["rules"], &game["hand"]["light"]), (&json!("Mine"), &json!(2)));
    browser.close().await;
}
