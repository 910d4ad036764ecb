//! Games of programs, and what the archive keeps of them.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK};
use crate::play::two_people;

/// A rule file.
pub(crate) const BRIDGE: &str = include_str!("../../../../examples/rules/bridge.toml");

/// The slowest pace of the page, in milliseconds.
const SLOWEST: u32 = 2000;

/// Begins a game of two programs that need no table.
async fn duel(browser: &Browser, light: &str, dark: &str) -> i64 {
    let seat = |spec: &str| json!({ "kind": "agent", "spec": spec });
    browser
        .begin(&json!({ "rules": "finkel:1", "light": seat(light), "dark": seat(dark), "seed": 3 }))
        .await
}

#[tokio::test]
async fn programs_play_by_themselves_until_they_are_held() {
    let browser = Browser::open(DESK).await;
    let id = duel(&browser, "greedy", "random").await;
    // So slowly that the game isn't over before it is held.
    browser.set(json!({ "pace": SLOWEST })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".actions .primary:not([hidden])").await;
    browser.wait_for_text(".actions .primary:not([hidden])", "Go on").await;
    browser.wait_for("return !document.querySelector('.board.busy')", Vec::new()).await;
    let plies = async || {
        browser.ask("GET", &format!("/api/games/{id}"), &Value::Null).await["position"].clone()
    };
    let held = plies().await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(plies().await, held);
    // A viewer who wants to guess hides the dice and the values.
    for (at, what) in [".throw .dice", ".chancebar"].into_iter().enumerate() {
        let look = format!("return getComputedStyle(document.querySelector('{what}')).visibility");
        let toggle = format!("document.querySelectorAll('.actions [aria-pressed]')[{at}].click()");
        for wanted in ["hidden", "visible"] {
            browser.run(&toggle).await;
            assert_eq!(browser.run(&look).await, wanted, "{what}");
        }
    }
    // Moves the slider to its quick end.
    browser
        .run(&format!(
            "const slider = document.querySelector('.pace input'); slider.value = {SLOWEST}; \
             slider.dispatchEvent(new Event('change'))"
        ))
        .await;
    browser.click(".actions .primary:not([hidden])").await;
    browser.wait_for_text(".status", "wins").await;
    browser.close().await;
}

#[tokio::test]
async fn a_game_that_nobody_won_is_told_as_neither_won_nor_lost() {
    let browser = Browser::open(DESK).await;
    browser.visit("games").await;
    let script = "const played = (won) => ({ id: 1, rules: 'finkel', ended: 1, side: 'light', opponent: 'Ben', plies: 9, won, accuracy: 90, luck: 0 }); \
                  return import('/progress.js').then(({ progressChart }) => \
                      [true, false, null].map((won) => progressChart({ player: 'Ann', won: 0, accuracy: 90, games: [played(won)] }).querySelector('circle').textContent))";
    let told = browser.run(script).await;
    let ends = ["won", "lost", "without a winner"];
    assert_eq!(told, json!(ends.map(|end| format!("game 1 against Ben: 90.0 %, {end}"))));
    browser.close().await;
}

#[tokio::test]
async fn games_are_found_exported_and_deleted() {
    let browser = Browser::open(DESK).await;
    duel(&browser, "greedy", "random").await;
    duel(&browser, "pips", "first-move").await;
    browser.visit("games").await;
    browser.wait_for_text(".games [role=status]", "2 games").await;
    browser.find("input[type=search]").await.send_keys("first-m").await.unwrap();
    browser.wait_for_text(".games [role=status]", "1 game").await;
    browser
        .wait_for("return document.querySelectorAll('.games tbody tr').length === 1", Vec::new())
        .await;
    let record = browser.client.execute_async(
        "const done = arguments[0]; fetch('/api/games/2/record.urg').then((answer) => answer.text()).then(done)",
        Vec::new(),
    );
    assert!(record.await.unwrap().as_str().unwrap().starts_with("format: urg 1\n"));
    // A record is saved by a button, not by a step through a list.
    browser
        .run("URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:nothing'; }")
        .await;
    browser.click(".games .export").await;
    browser.click("dialog .rgn").await;
    browser.wait_for("return window.saved?.text().then((text) => text.startsWith('[Rules finkel:1]')) ?? false", Vec::new()).await;
    browser.click(".games .danger").await;
    browser.click("dialog .yes").await;
    browser.wait_for_text(".games [role=status]", "0 games").await;
    let kept = browser.ask("GET", "/api/games", &Value::Null).await;
    assert_eq!(kept["total"], json!(1));
    browser.close().await;
}

#[tokio::test]
async fn a_rule_file_is_kept_shown_and_taken_away() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    browser.run("document.querySelector('details.intake').open = true").await;
    let text = browser.find("details.intake textarea").await;
    browser
        .client
        .execute(
            "arguments[0].value = arguments[1]",
            vec![serde_json::to_value(&text).unwrap(), json!(BRIDGE)],
        )
        .await
        .unwrap();
    browser.click("details.intake .primary").await;
    browser.wait_for_text("main h1", "Bridge").await;
    let tiles = browser.run("return document.querySelectorAll('.board .plaque').length").await;
    assert_eq!(tiles, json!(16));
    browser.click("main .danger").await;
    browser.click("dialog .yes").await;
    browser
        .wait_for(
            "return location.hash === '#/rules' && !document.body.textContent.includes('Bridge')",
            Vec::new(),
        )
        .await;
    browser.close().await;
}

#[tokio::test]
async fn the_rules_that_replace_others_are_shown_at_once() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    let script = "const [before, after] = arguments; \
                  return import('/api.js').then(async ({ api }) => { \
                      await api.keepRules(before); \
                      const pieces = async () => (await api.rules('Bridge')).pieces; \
                      const first = await pieces(); \
                      await api.dropRules('bridge'); \
                      await api.keepRules(after); \
                      return [first, await pieces()]; \
                  })";
    let files = vec![json!(BRIDGE), json!(BRIDGE.replace("pieces = 3", "pieces = 2"))];
    assert_eq!(browser.client.execute(script, files).await.unwrap(), json!([3, 2]));
    browser.close().await;
}

#[tokio::test]
async fn a_game_is_shown_by_its_own_rules_whatever_is_kept_under_their_name() {
    let browser = Browser::open(DESK).await;
    browser.keep("bridge", BRIDGE);
    let id = browser.begin(&two_people("bridge")).await;
    let looks_like_a_bridge = async || {
        browser.visit(&format!("play/{id}")).await;
        browser.wait_for_text(".status", "Ann to roll").await;
        browser.run("return document.querySelectorAll('.board .plaque').length === 16").await
    };
    assert_eq!(looks_like_a_bridge().await, json!(true));
    browser.wait_for("return !document.querySelector('.chancebar.unknown')", Vec::new()).await;
    let replace = "return import('/api.js').then(async ({ api }) => { \
                       await api.dropRules('bridge'); \
                       if (arguments[0]) await api.keepRules(arguments[0]); \
                   })";
    for other in [json!("name = \"Bridge\"\npieces = 2\npath = \"bell\"\n"), json!(null)] {
        browser.client.execute(replace, vec![other]).await.unwrap();
        assert_eq!(looks_like_a_bridge().await, json!(true));
        browser.wait_for_text(".tablestate", "not kept here").await;
        // Other rules of the same name say nothing about this game.
        let said =
            "return [...document.querySelectorAll('.chancebar:not(.unknown), .note')].length";
        assert_eq!(browser.run(said).await, json!(0));
    }
    browser.click(".roll").await;
    browser.wait_for_text(".status", "rolled").await;
    browser.close().await;
}

#[tokio::test]
async fn games_of_a_rule_file_are_found_and_lead_to_a_new_one() {
    let browser = Browser::open(DESK).await;
    browser.keep("our-bridge", &BRIDGE.replace("\"Bridge\"", "\"Our bridge\""));
    let id = browser.begin(&two_people("our-bridge")).await;
    duel(&browser, "greedy", "random").await;
    browser.visit("games").await;
    browser.wait_for_text(".games [role=status]", "2 games").await;
    let rules = browser.find(".filters select").await;
    rules.select_by_value("our-bridge").await.unwrap();
    browser.wait_for_text(".games [role=status]", "1 game").await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".actions a[href^='#/play/new']").await;
    let chosen = "return document.querySelector('.newgame select')?.value === 'our-bridge'";
    browser.wait_for(chosen, Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn the_list_of_rules_tells_what_can_be_solved() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    browser.wait_for_text(".ruleslist", "Not solved yet, ").await;
    browser.wait_for_text(".ruleslist", "Too large to solve here, ").await;
    browser.close().await;
}

#[tokio::test]
async fn the_example_of_a_rule_file_is_a_game() {
    let browser = Browser::open(DESK).await;
    browser.visit("rules").await;
    browser.click("details.intake summary").await;
    browser.click("details.intake .example").await;
    browser.wait_for_text(".intake .picture h2", "My rules").await;
    browser.click("details.intake .primary").await;
    browser.wait_for_text("main h1", "My rules").await;
    browser.close().await;
}
