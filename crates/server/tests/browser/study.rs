//! Reviews and the explorer.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::{Browser, DESK};

const GAME: &str =
    "format: urg 1\nrules: finkel:1\nlight: Ann\ndark: <b>Ben</b>\n\nL 4 0-4\nL 1 4-5\nD 3 0-3\n";

#[tokio::test]
async fn a_dropped_file_is_reviewed_and_stepped_through_by_keys() {
    let browser = Browser::open(DESK).await;
    browser.visit("review").await;
    browser.find(".drop").await;
    let drop = "const files = new DataTransfer(); files.items.add(new File([arguments[0]], 'game.urg')); \
                document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))";
    browser.client.execute(drop, vec![json!(GAME)]).await.unwrap();
    // A name is a name, whatever is in it.
    browser.wait_for_text(".review h1", "Ann against <b>Ben</b>").await;
    browser.wait_for_text(".review .steps", "0 of 3").await;
    let body = browser.find("body").await;
    for at in 1..=3 {
        body.send_keys(&char::from(Key::Right).to_string()).await.unwrap();
        browser.wait_for_text(".review .steps", &format!("{at} of 3")).await;
    }
    let pieces = browser
        .run("return document.querySelectorAll('.board [data-at=C2], .board [data-at=B1]').length")
        .await;
    assert_eq!(pieces, json!(2));
    body.send_keys(&char::from(Key::Home).to_string()).await.unwrap();
    browser.wait_for_text(".told", "rolls 4").await;
    browser.close().await;
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_refused_in_words() {
    let browser = Browser::open(DESK).await;
    browser.visit("review").await;
    browser
        .find("textarea")
        .await
        .send_keys("format: urg 1\nrules: finkel:1\n\nL 9 0-9\n")
        .await
        .unwrap();
    browser.click(".intake .primary").await;
    browser.wait_for_text(".note.wrong", "line 4").await;
    browser.close().await;
}

#[tokio::test]
async fn a_link_into_the_explorer_shows_the_position_and_its_values() {
    let browser = Browser::open(DESK).await;
    let position = "8:5:L2";
    browser.visit(&format!("explorer/finkel:2/{position}")).await;
    let answer =
        browser.ask("GET", &format!("/api/finkel:2/positions/{position}"), &Value::Null).await;
    let best = &answer["rolls"][0]["moves"][0];
    let value = best["value"].as_f64().unwrap();
    browser.wait_for_text(".rolls button.best", &format!("{:.2} %", value * 100.0)).await;
    let places = browser.run("return ['B4', 'B1'].map((tile) => document.querySelectorAll(`.board .piece[data-at=${tile}]`).length)").await;
    assert_eq!(places, json!([1, 1]));
    browser.click(".rolls button.best").await;
    let after = best["after"].as_str().unwrap();
    browser
        .wait_for(
            "return decodeURIComponent(location.hash) === arguments[0]",
            vec![json!(format!("#/explorer/finkel:2/{after}"))],
        )
        .await;
    browser.client.back().await.unwrap();
    browser
        .wait_for(
            "return document.querySelector('input.mono').value === arguments[0]",
            vec![json!(position)],
        )
        .await;
    browser.close().await;
}

#[tokio::test]
async fn the_explorer_keeps_the_focus_of_the_keyboard() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:3/-:-:L").await;
    let more = ".counts [aria-label='One light piece more home']";
    for position in ["+1:-:L", "+2:-:L"] {
        browser.find(more).await.send_keys(&char::from(Key::Enter).to_string()).await.unwrap();
        let shown = "return document.querySelector('input.mono').value === arguments[0]";
        browser.wait_for(shown, vec![json!(position)]).await;
        let focused = format!("return document.activeElement.matches(\"{more}\")");
        assert_eq!(browser.run(&focused).await, json!(true), "{position}");
    }
    browser.close().await;
}

#[tokio::test]
async fn the_explorer_estimates_games_that_no_memory_holds() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/skiriuk/-:-:L3").await;
    browser.wait_for_text(".rolls .caveat", "all chances are estimates").await;
    browser.wait_for_text(".rolls button.best", " %").await;
    browser.close().await;
}

#[tokio::test]
async fn pieces_are_placed_in_the_explorer_by_clicks() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:2").await;
    browser.click(".palette button:nth-child(3)").await;
    browser.click(".hit[data-place='C4']").await;
    browser
        .wait_for("return document.querySelector('input.mono').value === '-:1:L'", Vec::new())
        .await;
    browser.click(".palette button:nth-child(4)").await;
    browser.click(".hit[data-place='C4']").await;
    browser
        .wait_for("return document.querySelector('input.mono').value === '-:-:L'", Vec::new())
        .await;
    browser.close().await;
}

#[tokio::test]
async fn a_piece_too_many_is_refused_and_the_others_stay() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:1/3:-:L").await;
    browser.click(".palette button:nth-child(2)").await;
    browser.click(".hit[data-place='B3']").await;
    browser.wait_for_text(".note.wrong", "has 2 light pieces. Each player has 1.").await;
    assert_eq!(browser.run("return document.querySelector('input.mono').value").await, "3:-:L");
    browser.close().await;
}

#[tokio::test]
async fn sweeps_of_a_game_that_cannot_be_solved_are_not_offered() {
    let browser = Browser::open(DESK).await;
    let skiriuk = browser.ask("GET", "/api/skiriuk", &Value::Null).await["toml"].clone();
    let toml = skiriuk.as_str().unwrap().replacen("name = \"", "name = \"Our ", 1);
    let toml = toml.replacen("pieces = 7", "pieces = 8", 1);
    browser.visit("rules").await;
    let keep = "return import('/api.js').then(({ api }) => api.keepRules(arguments[0])).then(({ name }) => name)";
    let name = browser.client.execute(keep, vec![json!(toml)]).await.unwrap();
    browser.visit(&format!("explorer/{}", name.as_str().unwrap())).await;
    browser.run("[...document.querySelectorAll('summary')].find((one) => one.textContent.includes('converge')).click()").await;
    browser.wait_for_text(".explorer details[open]", "too large to be solved").await;
    browser.close().await;
}

#[tokio::test]
async fn values_are_seen_to_converge() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:1").await;
    browser.run("[...document.querySelectorAll('summary')].find((one) => one.textContent.includes('converge')).click()").await;
    browser.click(".converge .primary").await;
    browser.wait_for_text(".converge [role=status]", "Done: ").await;
    browser.wait_for_text(".converge [role=status]", "53.0050 %").await;
    // Every pair of scores was swept, of a game of one piece and then of one of two.
    let swept = "return document.querySelectorAll('.scoremap .reached').length === arguments[0]";
    browser.wait_for(swept, vec![1.into()]).await;
    browser.run("const chooser = document.querySelector('.converge select'); chooser.value = 'finkel:2'; chooser.dispatchEvent(new Event('change'))").await;
    browser.wait_for(swept, vec![4.into()]).await;
    browser.close().await;
}

#[tokio::test]
async fn the_sweeps_of_a_screen_that_was_left_are_asked_for_no_longer() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:1").await;
    browser.run("window.EventSource = class { constructor() { window.sweeping = this; } close() { this.isClosed = true; } }").await;
    browser.run("[...document.querySelectorAll('summary')].find((one) => one.textContent.includes('converge')).click()").await;
    browser.click(".converge .primary").await;
    browser.run("location.hash = '#/rules'").await;
    browser.wait_for("return window.sweeping.isClosed === true", Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn a_branch_of_the_opening_tree_is_asked_for_again_after_an_error() {
    let browser = Browser::open(DESK).await;
    browser.visit("explorer/finkel:1").await;
    browser.find(".explorer .rolls section").await;
    // The server is away when the tree is opened.
    browser.run("window.ask = fetch; window.fetch = () => Promise.reject(new Error('away'))").await;
    browser.run("[...document.querySelectorAll('summary')].find((one) => one.textContent.includes('Opening tree')).click()").await;
    browser.wait_for_text(".tree", "does not answer").await;
    browser.run("window.fetch = window.ask").await;
    browser.click(".tree button").await;
    browser.wait_for_text(".tree", "Light to roll wins 53.00").await;
    browser.close().await;
}

#[tokio::test]
async fn what_is_no_position_is_said_in_a_sentence_and_leaves_a_board_to_go_on_from() {
    let browser = Browser::open(DESK).await;
    let wrong = [
        ("explorer/finkel:1/hello", "“hello” is not a position."),
        ("explorer/finkel:1/1,,2:-:L", "“1,,2:-:L” is not a position."),
        ("explorer/finkel:1/99:-:L", "has a light piece on square 99"),
        ("explorer/finkel:1/+4:-:L", "has 4 light pieces. Each player has 1."),
        ("explorer/finkel:1/-:-:L99", "has a roll of 99"),
        ("explorer/nope", "No rules are called “nope”."),
    ];
    for (screen, words) in wrong {
        browser.visit(screen).await;
        browser.wait_for_text(".explorer .wrong", words).await;
        browser
            .wait_for("return document.querySelector('input.mono').value === '-:-:L'", Vec::new())
            .await;
        let tiles = browser.run("return document.querySelectorAll('.board .plaque').length").await;
        assert_eq!(tiles, json!(20), "{screen}");
    }
    // A text with the form of a position is shown even if it cannot occur, with a way out.
    browser.visit("explorer/finkel:1/8:8:L").await;
    browser
        .wait_for_text(".rolls", "This position cannot occur: B4 holds pieces of both players")
        .await;
    browser.click(".rolls button").await;
    browser.wait_for_text(".rolls .big", "53.00 %").await;
    for screen in ["play/NaN", "review/abc", "play/12x"] {
        browser.visit(screen).await;
        browser.wait_for_text("main", "is not the number of a game").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn moves_are_guessed_before_they_are_judged() {
    let browser = Browser::open(DESK).await;
    browser.visit("review").await;
    let game =
        "format: urg 1\nrules: finkel:2\nstart: 8,13:9,10:L1\nlight: Ann\ndark: Ben\n\nL 1 8-9\n";
    browser.find("textarea").await.send_keys(game).await.unwrap();
    browser.click(".intake .primary").await;
    browser.wait_for_text(".told h2", "B4 → B5").await;
    browser.click(".steps [aria-pressed]").await;
    browser.wait_for_text(".told h2", "which move?").await;
    let is_seen = async |css: &str| {
        let script = "return document.querySelector(arguments[0])?.checkVisibility() ?? false";
        browser.client.execute(script, vec![json!(css)]).await.unwrap() == json!(true)
    };
    for css in [".graph", ".totals", ".told td", ".arrow"] {
        assert!(!is_seen(css).await, "{css} tells too much");
    }
    browser.click(".told .moves button[data-move='8-9']").await;
    browser.wait_for_text(".told .verdict", "You guessed B4 → B5, as played.").await;
    browser.wait_for_text(".score", "of 1 choices").await;
    assert!(is_seen(".told td").await);
    browser.close().await;
}

#[tokio::test]
async fn a_note_is_shown_once_and_goes_with_its_screen() {
    let browser = Browser::open(DESK).await;
    browser.visit("review").await;
    browser.find("textarea").await.send_keys("nonsense").await.unwrap();
    for _ in 0..3 {
        browser.click(".intake .primary").await;
        browser.find(".note.wrong").await;
    }
    let notes = "return document.querySelectorAll('.note').length";
    assert_eq!(browser.run(notes).await, json!(1));
    browser.run("location.hash = '#/games'").await;
    browser.find(".games").await;
    assert_eq!(browser.run(notes).await, json!(0));
    browser.close().await;
}

#[tokio::test]
async fn an_answer_that_comes_after_its_screen_was_left_tells_and_moves_nobody() {
    let browser = Browser::open(DESK).await;
    for text in ["nonsense", GAME] {
        browser.visit("review").await;
        browser.find("textarea").await.send_keys(text).await.unwrap();
        browser.run(HELD_REVIEW).await;
        browser.click(".intake .primary").await;
        browser.run("location.hash = '#/games'").await;
        browser.find(".games").await;
        browser.run("release()").await;
        browser.wait_for("return window.answered", Vec::new()).await;
        let seen = "return [location.hash, document.querySelectorAll('.note').length]";
        assert_eq!(browser.run(seen).await, json!(["#/games", 0]), "{text}");
    }
    browser.close().await;
}

/// Holds what the server answers about a review until `release()`; `answered` is true when the page has taken it.
const HELD_REVIEW: &str = "const fetched = window.fetch; \
    const held = new Promise((release) => { window.release = release; }); \
    window.fetch = async (path, init) => { \
        const answer = await fetched(path, init); \
        if (!path.includes('review')) return answer; \
        await held; \
        setTimeout(() => { window.answered = true; }, 300); \
        return answer; \
    }";
