//! Games on the page: by mouse, by keys, with the tutor.

use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Browser, DESK, PHONE};

/// More plies than any game with one piece for each player has here.
const PLIES: usize = 400;
/// What a game on the page waits for.
const WAITS: &str = "
    if (document.querySelector('.board.busy, dialog[open]')) return 'busy';
    if (document.querySelector('.status')?.textContent.includes('wins')) return 'over';
    if (document.querySelector('.roll:not([hidden])')) return 'roll';
    return document.querySelector('.moves button') ? 'move' : 'busy'";

/// Waits until the game needs a person, and returns what it waits for.
async fn waits(browser: &Browser) -> String {
    loop {
        let waits = browser.run(WAITS).await;
        match waits.as_str() {
            Some("busy") | None => tokio::time::sleep(Duration::from_millis(25)).await,
            Some(found) => return found.to_owned(),
        }
    }
}

/// Returns a game of two people by these rules.
pub(crate) fn two_people(rules: &str) -> Value {
    json!({ "rules": rules, "light": { "kind": "person", "name": "Ann" }, "dark": { "kind": "person", "name": "Ben" }, "seed": 5 })
}

#[tokio::test]
async fn a_whole_game_is_played_by_mouse() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    browser.click(".newgame .chips button:nth-child(3)").await;
    let pieces = browser.find("input[aria-label='Pieces of each player']").await;
    pieces.clear().await.unwrap();
    pieces.send_keys("1").await.unwrap();
    browser.click(".newgame button[type=submit]").await;
    let mut is_dragged = false;
    for _ in 0..PLIES {
        match waits(&browser).await.as_str() {
            "roll" => browser.click(".roll").await,
            "move" if is_dragged => click_a_piece(&browser).await,
            "move" => {
                drag_a_piece(&browser).await;
                is_dragged = true;
            }
            _ => break,
        }
    }
    browser.wait_for_text(".status", "wins").await;
    assert!(is_dragged);
    let game = browser.ask("GET", "/api/games/1", &Value::Null).await;
    assert_eq!((&game["stage"], &game["rules"]), (&json!("over"), &json!("finkel:1")));
    browser.close().await;
}

/// Returns the elements of the board where the first move starts and ends.
async fn first_move(browser: &Browser) -> (Element, Element) {
    let found = browser.run("return document.querySelector('.piece.movable').dataset.at").await;
    let from = browser.find(&format!(".hit[data-place='{}']", found.as_str().unwrap())).await;
    let to =
        browser.find(&format!(".hit.live:not([data-place='{}'])", found.as_str().unwrap())).await;
    (from, to)
}

async fn click_a_piece(browser: &Browser) {
    let (from, _) = first_move(browser).await;
    from.click().await.unwrap();
}

async fn drag_a_piece(browser: &Browser) {
    let (from, to) = first_move(browser).await;
    let reach =
        |element, duration| PointerAction::MoveToElement { element, duration, x: 0.0, y: 0.0 };
    let drag = MouseActions::new("mouse".to_owned())
        .then(reach(from, None))
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(reach(to, Some(Duration::from_millis(100))))
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.client.perform_actions(drag).await.unwrap();
}

#[tokio::test]
async fn a_whole_game_is_played_by_keys_and_told_in_words() {
    let browser = Browser::open(DESK).await;
    let id = browser.begin(&two_people("finkel:1")).await;
    browser.visit(&format!("play/{id}")).await;
    for _ in 0..PLIES {
        let key = match waits(&browser).await.as_str() {
            "roll" => " ".to_owned(),
            "move" => format!("{}{}", char::from(Key::Down), char::from(Key::Enter)),
            _ => break,
        };
        for key in key.chars() {
            browser
                .client
                .active_element()
                .await
                .unwrap()
                .send_keys(&key.to_string())
                .await
                .unwrap();
        }
    }
    browser.wait_for_text(".status", "wins").await;
    let told = browser.run("return document.querySelector('.spoken').textContent").await;
    let told = told.as_str().unwrap();
    assert!(told.contains("rolls") && told.contains("brings") && told.contains("wins"), "{told}");
    browser.close().await;
}

/// Light can capture with the piece that stands safe, or run with the other one.
const COSTLY: &str = "8,13:9,10:L1";

#[tokio::test]
async fn the_tutor_warns_before_a_costly_move_only() {
    let browser = Browser::open(DESK).await;
    let answer =
        browser.ask("GET", &format!("/api/finkel:2/positions/{COSTLY}"), &Value::Null).await;
    let moves = answer["rolls"][0]["moves"].as_array().unwrap();
    let value = |at: usize| moves[at]["value"].as_f64().unwrap();
    let worst = moves.len() - 1;
    assert!(value(0) - value(worst) > 0.02, "{answer}");
    let [best, worst] = [0, worst]
        .map(|at| format!(".moves button[data-move='{}']", moves[at]["move"].as_str().unwrap()));

    let mut game = two_people("finkel:2");
    game["start"] = json!(COSTLY);
    let id = browser.begin(&game).await;
    browser.set(json!({ "tutor": true })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(&worst).await;
    browser.wait_for_text("dialog.tutor", "gives away").await;
    browser.click("dialog.tutor button.primary").await;
    browser.wait_for("return !document.querySelector('dialog')", Vec::new()).await;
    let plies = |game: Value| game["plies"].as_array().map(Vec::len);
    assert_eq!(plies(browser.ask("GET", &format!("/api/games/{id}"), &Value::Null).await), Some(0));
    browser.click(&best).await;
    browser.wait_for_text(".history", "→").await;
    assert_eq!(plies(browser.ask("GET", &format!("/api/games/{id}"), &Value::Null).await), Some(1));
    browser.close().await;
}

#[tokio::test]
async fn the_tutors_answer_is_about_one_position() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!("4,10:9:L");
    game["manual"] = json!(true);
    game["seed"].take();
    let id = browser.begin(&game).await;
    let act = async |what: &str, body: Value| {
        browser.ask("POST", &format!("/api/games/{id}/{what}"), &body).await
    };
    act("roll", json!({ "roll": 1 })).await;
    browser.set(json!({ "tutor": true })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".moves button[data-move='10-11']").await;
    browser.find("dialog.tutor").await;
    // In another window the game goes on, to a position with the same move.
    act("move", json!({ "move": "4-5" })).await;
    act("roll", json!({ "roll": 0 })).await;
    act("move", json!({ "move": "pass" })).await;
    act("roll", json!({ "roll": 1 })).await;
    browser.wait_for_text(".history", "no move").await;
    browser.wait_for_text(".status", "rolled 1").await;
    browser.click("dialog.tutor .yes").await;
    browser.wait_for("return !document.querySelector('dialog')", Vec::new()).await;
    let game = browser.ask("GET", &format!("/api/games/{id}"), &Value::Null).await;
    assert_eq!(game["plies"].as_array().unwrap().len(), 2, "nothing more is played");
    browser.close().await;
}

#[tokio::test]
async fn what_the_next_roll_would_bring_stays_on_the_board() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!("1,5:2:L");
    let id = browser.begin(&game).await;
    browser.set(json!({ "heat": true })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.find(".mark.heat").await;
    browser
        .run("document.querySelector('.board').dispatchEvent(new PointerEvent('pointerleave'))")
        .await;
    // Each tile has one mark.
    let places = "const at = [...document.querySelectorAll('.mark.heat rect')].map((one) => `${one.getAttribute('x')} ${one.getAttribute('y')}`); \
                  return at.length > 0 && new Set(at).size === at.length";
    assert_eq!(browser.run(places).await, json!(true));
    browser.close().await;
}

#[tokio::test]
async fn hint_undo_resign_and_rematch_do_what_they_say() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!(COSTLY);
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    let press = async |label: &str| {
        let script = "const found = [...document.querySelectorAll('.actions button')].find((one) => one.textContent === arguments[0] && !one.disabled && !one.hidden); \
                      found?.click(); return Boolean(found)";
        browser.wait_for(script, vec![json!(label)]).await;
    };
    press("Hint").await;
    browser.wait_for_text(".moves button.best", "%").await;
    browser.click(".moves button").await;
    browser
        .wait_for("return document.querySelectorAll('.history li').length === 1", Vec::new())
        .await;
    press("Undo").await;
    browser
        .wait_for("return document.querySelectorAll('.history li').length === 0", Vec::new())
        .await;
    press("Resign").await;
    browser.click("dialog .yes").await;
    browser.wait_for_text(".status", "Ben wins").await;
    press("Rematch").await;
    browser.wait_for_text(".seatname.light", "Ben").await;
    browser.close().await;
}

#[tokio::test]
async fn who_has_no_name_is_called_by_the_side_in_a_rematch_too() {
    let browser = Browser::open(DESK).await;
    let person = |name: &str| json!({ "kind": "person", "name": name });
    let game = json!({ "rules": "finkel:1", "light": person("Light"), "dark": person("Dark") });
    let id = browser.begin(&game).await;
    browser.ask("POST", &format!("/api/games/{id}/resign"), &json!({ "player": "dark" })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.click(".actions .primary:not([hidden])").await;
    browser.wait_for_text(".status", "to roll").await;
    for (player, name) in [("light", "Light"), ("dark", "Dark")] {
        browser.wait_for_text(&format!(".seatname.{player}"), name).await;
    }
    browser.close().await;
}

#[tokio::test]
async fn two_clicks_on_rematch_begin_one_game() {
    let browser = Browser::open(DESK).await;
    let id = browser.begin(&two_people("finkel:1")).await;
    browser.ask("POST", &format!("/api/games/{id}/resign"), &json!({ "player": "dark" })).await;
    browser.visit(&format!("play/{id}")).await;
    browser.find(".actions .primary:not([hidden])").await;
    browser.run("const rematch = document.querySelector('.actions .primary'); rematch.click(); rematch.click()").await;
    browser.wait_for_text(".seatname.light", "Ben").await;
    // A third game would be there by now.
    browser.ask("POST", &format!("/api/games/{}/roll", id + 1), &json!({})).await;
    assert_eq!(browser.ask("GET", "/api/games", &Value::Null).await["total"], 2);
    browser.close().await;
}

#[tokio::test]
async fn a_hint_is_in_sight_on_a_phone() {
    let browser = Browser::open(PHONE).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!(COSTLY);
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.run("scrollTo(0, 1000)").await;
    browser.click(".actions button[aria-keyshortcuts=h]").await;
    browser.wait_for_text(".moves button.best", "%").await;
    let in_sight = "const { top, bottom } = document.querySelector('.board').getBoundingClientRect(); \
                    return top >= 0 && bottom <= innerHeight && document.querySelector('.arrow.best') !== null";
    browser.wait_for(in_sight, Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn digits_play_moves_and_keys_are_listed() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!("4:-:L2");
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.find(".moves button[aria-keyshortcuts='2']").await;
    let body = browser.find("main").await;
    body.send_keys("?").await.unwrap();
    browser.wait_for_text("dialog.keys", "takes back").await;
    let left = browser
        .run("return document.querySelector('dialog.keys').getBoundingClientRect().left")
        .await;
    assert!(left.as_f64().unwrap() > 300.0, "in the middle: {left}");
    browser.click("dialog.keys button").await;
    browser.find("main").await.send_keys("2").await.unwrap();
    browser.wait_for_text(".status", "Ben to roll").await;
    let game = browser.ask("GET", &format!("/api/games/{id}"), &Value::Null).await;
    assert_eq!(game["plies"][0]["move"], "4-6");
    browser.close().await;
}
