//! Games of programs, and what the archive keeps of them.

use serde_json::{Value, json};

use crate::play::two_people;
use crate::stage::{DESK, Stage};

/// A rule file.
pub(crate) const BRIDGE: &str = include_str!("../../../../examples/rules/bridge.toml");

/// The slowest pace of the page, in milliseconds.
const SLOWEST: u32 = 2000;

/// Begins a game of two programs that need no table.
async fn duel(stage: &Stage, light: &str, dark: &str) -> i64 {
    let seat = |spec: &str| json!({ "kind": "agent", "spec": spec });
    stage
        .begin(&json!({ "rules": "finkel:1", "light": seat(light), "dark": seat(dark), "seed": 3 }))
        .await
}

#[tokio::test]
async fn programs_play_by_themselves_until_they_are_held() {
    let stage = Stage::open(DESK).await;
    let id = duel(&stage, "greedy", "random").await;
    // So slowly that the game isn't over before it is held.
    stage.set(json!({ "pace": SLOWEST })).await;
    stage.visit(&format!("play/{id}")).await;
    stage.click(".actions .primary:not([hidden])").await;
    stage.wait_for_text(".actions .primary:not([hidden])", "Go on").await;
    stage.wait_for("return !document.querySelector('.board.busy')", Vec::new()).await;
    let plies = async || {
        stage.ask("GET", &format!("/api/games/{id}"), &Value::Null).await["position"].clone()
    };
    let held = plies().await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(plies().await, held);
    // A viewer who wants to guess hides the dice and the values.
    for (at, what) in [".throw .dice", ".chancebar"].into_iter().enumerate() {
        let look = format!("return getComputedStyle(document.querySelector('{what}')).visibility");
        let toggle = format!("document.querySelectorAll('.actions [aria-pressed]')[{at}].click()");
        for wanted in ["hidden", "visible"] {
            stage.run(&toggle).await;
            assert_eq!(stage.run(&look).await, wanted, "{what}");
        }
    }
    // Moves the slider to its quick end.
    stage
        .run(&format!(
            "const slider = document.querySelector('.pace input'); slider.value = {SLOWEST}; \
             slider.dispatchEvent(new Event('change'))"
        ))
        .await;
    stage.click(".actions .primary:not([hidden])").await;
    stage.wait_for_text(".status", "wins").await;
    stage.close().await;
}

#[tokio::test]
async fn a_game_that_nobody_won_is_told_as_neither_won_nor_lost() {
    let stage = Stage::open(DESK).await;
    stage.visit("games").await;
    let script = "const played = (won) => ({ id: 1, rules: 'finkel', ended: 1, side: 'light', opponent: 'Ben', plies: 9, won, accuracy: 90, luck: 0 }); \
                  return import('/progress.js').then(({ progressChart }) => \
                      [true, false, null].map((won) => progressChart({ player: 'Ann', won: 0, accuracy: 90, games: [played(won)] }).querySelector('circle').textContent))";
    let told = stage.run(script).await;
    let ends = ["won", "lost", "without a winner"];
    assert_eq!(told, json!(ends.map(|end| format!("game 1 against Ben: 90.0 %, {end}"))));
    stage.close().await;
}

#[tokio::test]
async fn games_are_found_exported_and_deleted() {
    let stage = Stage::open(DESK).await;
    duel(&stage, "greedy", "random").await;
    duel(&stage, "pips", "first-move").await;
    stage.visit("games").await;
    stage.wait_for_text(".games [role=status]", "2 games").await;
    stage.find("input[type=search]").await.send_keys("first-m").await.unwrap();
    stage.wait_for_text(".games [role=status]", "1 game").await;
    stage
        .wait_for("return document.querySelectorAll('.games tbody tr').length === 1", Vec::new())
        .await;
    let record = stage.client.execute_async(
        "const done = arguments[0]; fetch('/api/games/2/record.urg').then((answer) => answer.text()).then(done)",
        Vec::new(),
    );
    assert!(record.await.unwrap().as_str().unwrap().starts_with("format: urg 1\n"));
    // A record is saved by a button, not by a step through a list.
    stage
        .run("URL.createObjectURL = (blob) => { window.saved = blob; return 'blob:nothing'; }")
        .await;
    stage.click(".games .export").await;
    stage.click("dialog .rgn").await;
    stage.wait_for("return window.saved?.text().then((text) => text.startsWith('[Rules finkel:1]')) ?? false", Vec::new()).await;
    stage.click(".games .danger").await;
    stage.click("dialog .yes").await;
    stage.wait_for_text(".games [role=status]", "0 games").await;
    let kept = stage.ask("GET", "/api/games", &Value::Null).await;
    assert_eq!(kept["total"], json!(1));
    stage.close().await;
}

#[tokio::test]
async fn a_rule_file_is_kept_shown_and_taken_away() {
    let stage = Stage::open(DESK).await;
    stage.visit("rules").await;
    stage.run("document.querySelector('details.intake').open = true").await;
    let text = stage.find("details.intake textarea").await;
    stage
        .client
        .execute(
            "arguments[0].value = arguments[1]",
            vec![serde_json::to_value(&text).unwrap(), json!(BRIDGE)],
        )
        .await
        .unwrap();
    stage.click("details.intake .primary").await;
    stage.wait_for_text("main h1", "Bridge").await;
    let tiles = stage.run("return document.querySelectorAll('.board .plaque').length").await;
    assert_eq!(tiles, json!(16));
    stage.click("main .danger").await;
    stage.click("dialog .yes").await;
    stage
        .wait_for(
            "return location.hash === '#/rules' && !document.body.textContent.includes('Bridge')",
            Vec::new(),
        )
        .await;
    stage.close().await;
}

#[tokio::test]
async fn the_rules_that_replace_others_are_shown_at_once() {
    let stage = Stage::open(DESK).await;
    stage.visit("rules").await;
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
    assert_eq!(stage.client.execute(script, files).await.unwrap(), json!([3, 2]));
    stage.close().await;
}

#[tokio::test]
async fn a_game_is_shown_by_its_own_rules_whatever_is_kept_under_their_name() {
    let stage = Stage::open(DESK).await;
    stage.keep("bridge", BRIDGE);
    let id = stage.begin(&two_people("bridge")).await;
    let looks_like_a_bridge = async || {
        stage.visit(&format!("play/{id}")).await;
        stage.wait_for_text(".status", "Ann to roll").await;
        stage.run("return document.querySelectorAll('.board .plaque').length === 16").await
    };
    assert_eq!(looks_like_a_bridge().await, json!(true));
    stage.wait_for("return !document.querySelector('.chancebar.unknown')", Vec::new()).await;
    let replace = "return import('/api.js').then(async ({ api }) => { \
                       await api.dropRules('bridge'); \
                       if (arguments[0]) await api.keepRules(arguments[0]); \
                   })";
    for other in [json!("name = \"Bridge\"\npieces = 2\npath = \"bell\"\n"), json!(null)] {
        stage.client.execute(replace, vec![other]).await.unwrap();
        assert_eq!(looks_like_a_bridge().await, json!(true));
        stage.wait_for_text(".tablestate", "not kept here").await;
        // Other rules of the same name say nothing about this game.
        let said =
            "return [...document.querySelectorAll('.chancebar:not(.unknown), .note')].length";
        assert_eq!(stage.run(said).await, json!(0));
    }
    stage.click(".roll").await;
    stage.wait_for_text(".status", "rolled").await;
    stage.close().await;
}

#[tokio::test]
async fn games_of_a_rule_file_are_found_and_lead_to_a_new_one() {
    let stage = Stage::open(DESK).await;
    stage.keep("our-bridge", &BRIDGE.replace("\"Bridge\"", "\"Our bridge\""));
    let id = stage.begin(&two_people("our-bridge")).await;
    duel(&stage, "greedy", "random").await;
    stage.visit("games").await;
    stage.wait_for_text(".games [role=status]", "2 games").await;
    let rules = stage.find(".filters select").await;
    rules.select_by_value("our-bridge").await.unwrap();
    stage.wait_for_text(".games [role=status]", "1 game").await;
    stage.visit(&format!("play/{id}")).await;
    stage.click(".actions a[href^='#/play/new']").await;
    let chosen = "return document.querySelector('.newgame select')?.value === 'our-bridge'";
    stage.wait_for(chosen, Vec::new()).await;
    stage.close().await;
}

#[tokio::test]
async fn the_list_of_rules_tells_what_can_be_solved() {
    let stage = Stage::open(DESK).await;
    stage.visit("rules").await;
    stage.wait_for_text(".ruleslist", "Not solved yet, ").await;
    stage.wait_for_text(".ruleslist", "Too large to solve here, ").await;
    stage.close().await;
}

#[tokio::test]
async fn the_example_of_a_rule_file_is_a_game() {
    let stage = Stage::open(DESK).await;
    stage.visit("rules").await;
    stage.click("details.intake summary").await;
    stage.click("details.intake .example").await;
    stage.wait_for_text(".intake .picture h2", "My rules").await;
    stage.click("details.intake .primary").await;
    stage.wait_for_text("main h1", "My rules").await;
    stage.close().await;
}
