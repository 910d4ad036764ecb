//! The page of a server for others: seats with keys, and nothing that the server would refuse.

use puabi_server::Mode;
use serde_json::{Value, json};

use crate::archive::BRIDGE;
use crate::play::two_people;
use crate::stage::{DESK, Stage};

/// Whether an element can be seen.
const IS_SEEN: &str = "return document.querySelector(arguments[0])?.checkVisibility() ?? false";

/// Whether the dice of the first game were thrown.
const IS_ROLLED: &str = "return fetch('/api/games/1').then((it) => it.json()).then((it) => it.stage === 'move' || it.plies.length > 0)";

impl Stage {
    async fn is_seen(&self, css: &str) -> bool {
        self.client.execute(IS_SEEN, vec![json!(css)]).await.unwrap() == json!(true)
    }
}

#[tokio::test]
async fn a_friend_takes_a_seat_by_a_link() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    stage.visit("play").await;
    stage.click(".newgame .chips button:nth-child(3)").await;
    stage.click(".newgame button[type=submit]").await;
    stage.click(".roll:not([hidden])").await;
    stage.wait_for(IS_ROLLED, Vec::new()).await;
    let keys = stage.run("return JSON.parse(localStorage.getItem('puabi.keys.1'))").await;
    assert!(keys["light"].is_string() && keys["dark"].is_string(), "{keys}");
    // Over plain HTTP a page may copy nothing, so the link is selected; the seat is given away all the same.
    stage.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })").await;
    stage.run("[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Invite').click()").await;
    stage.click("dialog .pair button").await;
    stage.wait_for_text("dialog [role=status]", "Press Ctrl-C to copy.").await;
    let chosen = stage.run("return getSelection().toString()").await;
    let link = format!("{}#/play/1/dark/{}", stage.origin, keys["dark"].as_str().unwrap());
    assert_eq!(chosen, json!(link));
    stage.click("dialog .yes").await;
    assert_eq!(stage.run(KEPT).await, json!({ "light": keys["light"] }));

    // A stranger sees the game and may do nothing.
    stage.run("localStorage.removeItem('puabi.keys.1')").await;
    stage.visit("play/1").await;
    stage.find(".status").await;
    for css in [".roll", ".moves button", ".actions button:nth-of-type(4)"] {
        assert!(!stage.is_seen(css).await, "{css}");
    }
    // Dark's friend has one seat, and the key is no longer in the address.
    stage.visit(&format!("play/1/dark/{}", keys["dark"].as_str().unwrap())).await;
    stage.find(".status").await;
    assert_eq!(stage.run(KEPT).await, json!({ "dark": keys["dark"] }));
    assert_eq!(stage.run("return location.hash").await, json!("#/play/1"));
    assert!(stage.place("C1").await.1 > stage.place("A1").await.1, "dark's side is below");
    // Light's side is below for a viewer who has light's key alone.
    stage.run("localStorage.removeItem('puabi.keys.1')").await;
    stage.visit(&format!("play/1/light/{}", keys["light"].as_str().unwrap())).await;
    stage.find(".status").await;
    assert!(stage.place("A1").await.1 > stage.place("C1").await.1, "light's side is below");
    stage.close().await;
}

/// The keys of the first game that the browser keeps.
const KEPT: &str = "return JSON.parse(localStorage.getItem('puabi.keys.1'))";

#[tokio::test]
async fn a_link_that_is_wrong_takes_no_key_away() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let game = json!({ "rules": "finkel:1", "light": person, "dark": person, "start": "-:-:L" });
    let light = stage.ask("POST", "/api/games", &game).await["keys"]["light"].clone();
    let light = light.as_str().unwrap();
    // Neither of these replaces the key: a text that cannot be a key, and the key of another seat.
    stage.visit(&format!("play/1/light/{light}")).await;
    stage.visit("play/1/light/garbage").await;
    stage.wait_for_text(".notes", "This link is not whole").await;
    assert_eq!(stage.run(KEPT).await, json!({ "light": light }));
    stage.visit(&format!("play/1/light/{}", "0".repeat(32))).await;
    stage.click(".roll:not([hidden])").await;
    stage.wait_for(IS_ROLLED, Vec::new()).await;
    // A wrong key does not keep away the right one that comes later.
    stage.run("localStorage.removeItem('puabi.keys.1')").await;
    for key in [&*"0".repeat(32), light] {
        stage.visit(&format!("play/1/light/{key}")).await;
        stage.find(".status").await;
    }
    let kept = stage.run(KEPT).await;
    assert!(kept["light"].as_str().unwrap().split(", ").any(|key| key == light), "{kept}");
    stage.close().await;
}

#[tokio::test]
async fn a_browser_that_keeps_nothing_plays_as_long_as_the_page_is_open() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    stage.visit("play").await;
    stage.run("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })").await;
    stage.click(".newgame .chips button:nth-child(3)").await;
    stage.click(".newgame button[type=submit]").await;
    stage.click(".roll:not([hidden])").await;
    stage.wait_for(IS_ROLLED, Vec::new()).await;
    // The guide starts again, though there is nothing to forget.
    stage.wait_for("return import('/guide.js').then((guide) => { guide.restart(); return true; }, () => false)", Vec::new()).await;
    stage.close().await;
}

#[tokio::test]
async fn what_is_refused_is_not_offered() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    stage.begin(&json!({ "rules": "finkel:1", "light": { "kind": "person", "name": "Ann" }, "dark": { "kind": "person", "name": "Ben" } })).await;
    stage.visit("games").await;
    stage.find("td .button").await;
    stage.wait_for("return document.documentElement.dataset.mode === 'public'", Vec::new()).await;
    assert!(!stage.is_seen("button[aria-label='Delete game 1']").await);
    stage.visit("rules").await;
    stage.click("details.intake summary").await;
    let file = include_str!("../../../../examples/rules/bridge.toml");
    stage.find("textarea").await.send_keys(file).await.unwrap();
    assert!(!stage.is_seen(".intake button.primary").await, "nothing is kept");
    stage.click(".intake .show").await;
    stage.wait_for_text(".intake .picture", "Bridge").await;
    assert!(stage.is_seen(".intake .picture .board").await);
    let kept = stage.ask("GET", "/api/rules", &Value::Null).await;
    assert!(!kept.to_string().contains("Bridge"));
    stage.close().await;
}

/// The link that the panel gives.
const LINK: &str = "return document.querySelector('dialog.share input.link').value";

#[tokio::test]
async fn rules_of_the_server_are_shared_though_it_takes_none() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    stage.keep("bridge", BRIDGE);
    stage.visit("explorer/bridge/1:-:D").await;
    stage.click(".sharing").await;
    stage.find("dialog.share").await;
    assert_eq!(stage.run(LINK).await, format!("{}#/explorer/bridge/1:-:D", stage.origin));
    // A record has its rules with it, which need not be kept again. This game cannot be judged only because it is not solved yet.
    let mut game = two_people("bridge");
    game["seed"].take();
    let begun = stage.ask("POST", "/api/games", &game).await;
    stage.visit(&format!("play/1/light/{}", begun["keys"]["light"].as_str().unwrap())).await;
    stage.find(".actions").await;
    stage.run("[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Resign').click()").await;
    stage.click("dialog .yes").await;
    stage.wait_for_text(".status", "resigned").await;
    stage.click(".sharing").await;
    stage.find("dialog.share").await;
    let link = stage.run(LINK).await;
    assert!(link.as_str().unwrap().contains("#/shared/"), "{link}");
    stage.client.goto("about:blank").await.unwrap();
    stage.client.goto(link.as_str().unwrap()).await.unwrap();
    stage.wait_for_text("main", "ridge is not solved yet").await;
    stage.close().await;
}

#[tokio::test]
async fn a_server_that_may_only_be_read_begins_with_its_games() {
    let stage = Stage::open_at(DESK, Mode::ReadOnly).await;
    stage.visit("").await;
    stage.wait_for_text("main h1", "Games").await;
    assert!(!stage.is_seen("nav [href='#/play']").await);
    for screen in ["play/new/finkel:1", "explorer/finkel:1/4:-:L"] {
        stage.visit(screen).await;
        stage.find(".playing").await;
        assert!(!stage.is_seen("main .playing").await, "{screen}");
    }
    stage.close().await;
}

#[tokio::test]
async fn who_watches_is_not_asked_what_the_dice_show() {
    let stage = Stage::open_at(DESK, Mode::Public).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let game = json!({ "rules": "finkel:1", "light": person, "dark": person, "manual": true });
    let begun = stage.ask("POST", "/api/games", &game).await;
    stage.visit("play/1").await;
    stage.wait_for_text(".status", "is to roll").await;
    assert!(!stage.is_seen(".throw .chips button, .now .chips button").await);
    // The viewer is not asked by keys either.
    stage.find("body").await.send_keys("3").await.unwrap();
    stage.visit(&format!("play/1/light/{}", begun["keys"]["light"].as_str().unwrap())).await;
    stage.click(".now .chips button").await;
    stage.wait_for(IS_ROLLED, Vec::new()).await;
    stage.close().await;
}

#[tokio::test]
async fn what_one_tab_sets_another_leaves() {
    let stage = Stage::open(DESK).await;
    stage.visit("play").await;
    let other = "const kept = JSON.parse(localStorage.getItem('puabi.settings')); \
                 localStorage.setItem('puabi.settings', JSON.stringify({ ...kept, theme: 'dark' }))";
    stage.run(other).await;
    stage.click("header button").await;
    stage.click("dialog .switch input").await;
    stage.wait_for("return document.documentElement.dataset.theme === 'dark'", Vec::new()).await;
    let kept = stage.run("return JSON.parse(localStorage.getItem('puabi.settings'))").await;
    assert_eq!((&kept["theme"], &kept["sound"]), (&json!("dark"), &json!(true)), "{kept}");
    stage.close().await;
}
