//! The guide of a first game.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK};

async fn begin(browser: &Browser, rules: &str, start: &str) -> i64 {
    let person = |name: &str| json!({ "kind": "person", "name": name });
    browser
        .begin(
            &json!({ "rules": rules, "light": person("Ann"), "dark": person("Ben"), "start": start }),
        )
        .await
}

/// Whether the guide is hidden.
const IS_HIDDEN: &str = "return document.querySelector('.guide')?.hidden ?? false";

#[tokio::test]
async fn each_step_of_the_guide_is_shown_when_it_first_applies() {
    let browser = Browser::open(DESK).await;
    let id = begin(&browser, "finkel:2", "-:-:L").await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".guide", "The player who first brings every piece home wins.").await;
    browser.click(".guide button").await;
    browser.wait_for_text(".guide h2", "Throw").await;
    browser.click(".guide button").await;
    browser.wait_for(IS_HIDDEN, Vec::new()).await;

    // B4 can capture, and A8 can reach a rosette.
    let id = begin(&browser, "finkel:2", "8,13:9,10:L1").await;
    browser.visit(&format!("play/{id}")).await;
    let steps = [
        ("Move", "If you can move, you must."),
        ("Rosettes", "A piece on a rosette cannot be captured."),
        ("Captures", "it goes back to the hand"),
    ];
    for (title, words) in steps {
        browser.wait_for_text(".guide h2", title).await;
        browser.wait_for_text(".guide", words).await;
        browser.click(".guide button").await;
    }
    browser.wait_for(IS_HIDDEN, Vec::new()).await;

    let id = begin(&browser, "finkel:2", "14:9,10:L1").await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".guide h2", "Bringing pieces home").await;
    browser.wait_for_text(".guide", "A piece leaves the board with the exact roll.").await;
    browser.close().await;
}

#[tokio::test]
async fn the_guide_says_only_what_the_rules_of_the_game_say() {
    let browser = Browser::open(DESK).await;
    let id = begin(&browser, "masters:2", "7:-:L1").await;
    browser.run("localStorage.setItem('puabi.guide', JSON.stringify(['The goal', 'Move']))").await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".guide h2", "Rosettes").await;
    browser.wait_for_text(".guide", "as safe as on any other tile").await;
    let rules = browser.ask("GET", "/api/masters:2", &Value::Null).await;
    let told = rules["way_of_play"].to_string();
    assert!(!told.contains("on a rosette cannot be captured"), "{told}");
    let shown = browser.run("return document.querySelector('.guide').textContent").await;
    assert!(!shown.as_str().unwrap().contains("cannot be captured"), "{shown}");
    browser.close().await;
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_shows_each_step_once() {
    let browser = Browser::open(DESK).await;
    let id = begin(&browser, "finkel:2", "-:-:L").await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".guide h2", "The goal").await;
    browser.run("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })").await;
    browser.click(".guide button").await;
    browser.wait_for_text(".guide h2", "Throw").await;
    browser.click(".guide button.quiet").await;
    browser.wait_for(IS_HIDDEN, Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn the_guide_is_ended_for_good_and_started_again_from_the_settings() {
    let browser = Browser::open(DESK).await;
    let id = begin(&browser, "finkel:2", "-:-:L").await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".guide button.quiet").await;
    browser.wait_for(IS_HIDDEN, Vec::new()).await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".status", "Ann to roll").await;
    browser.wait_for(IS_HIDDEN, Vec::new()).await;
    browser.click("header button").await;
    browser.click("dialog .guideagain").await;
    browser.click("dialog .primary").await;
    browser.wait_for_text(".guide h2", "The goal").await;
    browser.close().await;
}
