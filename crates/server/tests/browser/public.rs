//! The page of a server for others: seats with keys, and nothing that the server would refuse.

use puabi_server::Mode;
use serde_json::{Value, json};

use crate::archive::BRIDGE;
use crate::browser::{Browser, DESK};
use crate::play::two_people;

/// Whether an element can be seen.
const IS_SEEN: &str = "return document.querySelector(arguments[0])?.checkVisibility() ?? false";

/// Whether the dice of the first game were thrown.
const IS_ROLLED: &str = "return fetch('/api/games/1').then((it) => it.json()).then((it) => it.stage === 'move' || it.plies.length > 0)";

impl Browser {
    async fn is_seen(&self, css: &str) -> bool {
        self.client.execute(IS_SEEN, vec![json!(css)]).await.unwrap() == json!(true)
    }
}

#[tokio::test]
async fn a_friend_takes_a_seat_by_a_link() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    browser.visit("play").await;
    browser.click(".newgame .chips button:nth-child(3)").await;
    browser.click(".newgame button[type=submit]").await;
    browser.click(".roll:not([hidden])").await;
    browser.wait_for(IS_ROLLED, Vec::new()).await;
    let keys = browser.run("return JSON.parse(localStorage.getItem('puabi.keys.1'))").await;
    assert!(keys["light"].is_string() && keys["dark"].is_string(), "{keys}");
    // Over plain HTTP a page may copy nothing, so the link is selected; the seat is given away all the same.
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })").await;
    browser.run("[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Invite').click()").await;
    browser.click("dialog .pair button").await;
    browser.wait_for_text("dialog [role=status]", "Press Ctrl-C to copy.").await;
    let chosen = browser.run("return getSelection().toString()").await;
    let link = format!("{}#/play/1/dark/{}", browser.origin, keys["dark"].as_str().unwrap());
    assert_eq!(chosen, json!(link));
    browser.click("dialog .yes").await;
    // The page forgets the key once the window has closed.
    browser.wait_for(IS_GIVEN_AWAY, Vec::new()).await;
    assert_eq!(browser.run(KEPT).await, json!({ "light": keys["light"] }));

    // A stranger sees the game and may do nothing.
    browser.run("localStorage.removeItem('puabi.keys.1')").await;
    browser.visit("play/1").await;
    browser.find(".status").await;
    for css in [".roll", ".moves button", ".actions button:nth-of-type(4)"] {
        assert!(!browser.is_seen(css).await, "{css}");
    }
    // Dark's friend has one seat, and the key is no longer in the address.
    browser.visit(&format!("play/1/dark/{}", keys["dark"].as_str().unwrap())).await;
    browser.find(".status").await;
    assert_eq!(browser.run(KEPT).await, json!({ "dark": keys["dark"] }));
    assert_eq!(browser.run("return location.hash").await, json!("#/play/1"));
    assert!(browser.place("C1").await.1 > browser.place("A1").await.1, "dark's side is below");
    // Light's side is below for a viewer who has light's key alone.
    browser.run("localStorage.removeItem('puabi.keys.1')").await;
    browser.visit(&format!("play/1/light/{}", keys["light"].as_str().unwrap())).await;
    browser.find(".status").await;
    assert!(browser.place("A1").await.1 > browser.place("C1").await.1, "light's side is below");
    browser.close().await;
}

/// Whether the browser keeps one key of the first game.
const IS_GIVEN_AWAY: &str =
    "return Object.keys(JSON.parse(localStorage.getItem('puabi.keys.1'))).length === 1";

/// The keys of the first game that the browser keeps.
const KEPT: &str = "return JSON.parse(localStorage.getItem('puabi.keys.1'))";

#[tokio::test]
async fn a_link_that_is_wrong_takes_no_key_away() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let game = json!({ "rules": "finkel:1", "light": person, "dark": person, "start": "-:-:L" });
    let light = browser.ask("POST", "/api/games", &game).await["keys"]["light"].clone();
    let light = light.as_str().unwrap();
    // Neither of these replaces the key: a text that cannot be a key, and the key of another seat.
    browser.visit(&format!("play/1/light/{light}")).await;
    browser.visit("play/1/light/garbage").await;
    browser.wait_for_text(".notes", "This link is incomplete").await;
    assert_eq!(browser.run(KEPT).await, json!({ "light": light }));
    browser.visit(&format!("play/1/light/{}", "0".repeat(32))).await;
    browser.click(".roll:not([hidden])").await;
    browser.wait_for(IS_ROLLED, Vec::new()).await;
    // A wrong key does not keep away the right one that comes later.
    browser.run("localStorage.removeItem('puabi.keys.1')").await;
    for key in [&*"0".repeat(32), light] {
        browser.visit(&format!("play/1/light/{key}")).await;
        browser.find(".status").await;
    }
    let kept = browser.run(KEPT).await;
    assert!(kept["light"].as_str().unwrap().split(", ").any(|key| key == light), "{kept}");
    browser.close().await;
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_plays_as_long_as_the_page_is_open() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    browser.visit("play").await;
    browser.run("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })").await;
    browser.click(".newgame .chips button:nth-child(3)").await;
    browser.click(".newgame button[type=submit]").await;
    browser.click(".roll:not([hidden])").await;
    browser.wait_for(IS_ROLLED, Vec::new()).await;
    // The guide starts again, though there is nothing to forget.
    browser.wait_for("return import('/guide.js').then((guide) => { guide.restart(); return true; }, () => false)", Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn what_is_refused_is_not_offered() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    browser.begin(&json!({ "rules": "finkel:1", "light": { "kind": "person", "name": "Ann" }, "dark": { "kind": "person", "name": "Ben" } })).await;
    browser.visit("games").await;
    browser.find("td .button").await;
    browser.wait_for("return document.documentElement.dataset.mode === 'public'", Vec::new()).await;
    assert!(!browser.is_seen("button[aria-label='Delete game 1']").await);
    browser.visit("rules").await;
    browser.click("details.intake summary").await;
    let file = include_str!("../../../../examples/rules/bridge.toml");
    browser.find("textarea").await.send_keys(file).await.unwrap();
    assert!(!browser.is_seen(".intake button.primary").await, "nothing is kept");
    browser.click(".intake .show").await;
    browser.wait_for_text(".intake .picture", "Bridge").await;
    assert!(browser.is_seen(".intake .picture .board").await);
    let kept = browser.ask("GET", "/api/rules", &Value::Null).await;
    assert!(!kept.to_string().contains("Bridge"));
    browser.close().await;
}

/// The link that the panel gives.
const LINK: &str = "return document.querySelector('dialog.share input.link').value";

#[tokio::test]
async fn rules_of_the_server_are_shared_though_it_takes_none() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    browser.keep("bridge", BRIDGE);
    browser.visit("explorer/bridge/1:-:D").await;
    browser.click(".sharing").await;
    browser.find("dialog.share").await;
    assert_eq!(browser.run(LINK).await, format!("{}#/explorer/bridge/1:-:D", browser.origin));
    // A record has its rules with it, which need not be kept again. This game cannot be judged only because it is not solved yet.
    let mut game = two_people("bridge");
    game["seed"].take();
    let begun = browser.ask("POST", "/api/games", &game).await;
    browser.visit(&format!("play/1/light/{}", begun["keys"]["light"].as_str().unwrap())).await;
    browser.find(".actions").await;
    browser.run("[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Resign').click()").await;
    browser.click("dialog .yes").await;
    browser.wait_for_text(".status", "resigned").await;
    browser.click(".sharing").await;
    browser.find("dialog.share").await;
    let link = browser.run(LINK).await;
    assert!(link.as_str().unwrap().contains("#/shared/"), "{link}");
    browser.client.goto("about:blank").await.unwrap();
    browser.client.goto(link.as_str().unwrap()).await.unwrap();
    browser.wait_for_text("main", "ridge is not solved yet").await;
    browser.close().await;
}

#[tokio::test]
async fn a_server_that_may_only_be_read_begins_with_its_games() {
    let browser = Browser::open_at(DESK, Mode::ReadOnly).await;
    browser.visit("").await;
    browser.wait_for_text("main h1", "Games").await;
    assert!(!browser.is_seen("nav [href='#/play']").await);
    for screen in ["play/new/finkel:1", "explorer/finkel:1/4:-:L"] {
        browser.visit(screen).await;
        browser.find(".playing").await;
        assert!(!browser.is_seen("main .playing").await, "{screen}");
    }
    browser.close().await;
}

#[tokio::test]
async fn who_watches_is_not_asked_what_the_dice_show() {
    let browser = Browser::open_at(DESK, Mode::Public).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let game = json!({ "rules": "finkel:1", "light": person, "dark": person, "manual": true });
    let begun = browser.ask("POST", "/api/games", &game).await;
    browser.visit("play/1").await;
    browser.wait_for_text(".status", "is to roll").await;
    assert!(!browser.is_seen(".throw .chips button, .now .chips button").await);
    // The viewer is not asked by keys either.
    browser.find("body").await.send_keys("3").await.unwrap();
    browser.visit(&format!("play/1/light/{}", begun["keys"]["light"].as_str().unwrap())).await;
    browser.click(".now .chips button").await;
    browser.wait_for(IS_ROLLED, Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn what_one_tab_sets_another_leaves() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    let other = "const kept = JSON.parse(localStorage.getItem('puabi.settings')); \
                 localStorage.setItem('puabi.settings', JSON.stringify({ ...kept, theme: 'dark' }))";
    browser.run(other).await;
    browser.click("header button").await;
    browser.click("dialog .switch input").await;
    browser.wait_for("return document.documentElement.dataset.theme === 'dark'", Vec::new()).await;
    let kept = browser.run("return JSON.parse(localStorage.getItem('puabi.settings'))").await;
    assert_eq!((&kept["theme"], &kept["sound"]), (&json!("dark"), &json!(true)), "{kept}");
    browser.close().await;
}
