//! A game that other clients change too, and requests that fail once on the way.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK};
use crate::play::two_people;

/// Makes the first request of three kinds fail: a step for which another client was faster, a pass that the network loses, and a
/// stream that a proxy does not answer.
const FAIL_ONCE: &str = "
    const [real, Stream] = [window.fetch, window.EventSource];
    const failed = {};
    const isFirst = (what) => !failed[what] && (failed[what] = true);
    window.fetch = async (path, init) => {
        if (path.endsWith('/move') && isFirst('pass')) throw new TypeError('Failed to fetch');
        const answer = await real(path, init);
        if (!path.endsWith('/step') || !isFirst('step')) return answer;
        return new Response(JSON.stringify({ error: { message: 'somebody else was faster' } }), { status: 409 });
    };
    window.EventSource = class extends Stream {
        constructor(path) { super(isFirst('stream') ? '/nothing' : path); }
    }";

#[tokio::test]
async fn a_game_goes_on_after_what_failed_once() {
    let browser = Browser::open(DESK).await;
    let game = browser.begin(&two_people("finkel:2")).await;
    let mut against = two_people("finkel:2");
    against["dark"] = json!({ "kind": "agent", "spec": "greedy" });
    against["start"] = json!("5:-:D1");
    let against = browser.begin(&against).await;
    let mut manual = two_people("finkel:2");
    manual["manual"] = json!(true);
    manual["seed"].take();
    let manual = browser.begin(&manual).await;
    browser.visit(&format!("play/{game}")).await;
    browser.run(FAIL_ONCE).await;
    // The stream of this game is opened again.
    browser.run(&format!("location.hash = '#/play/{manual}'")).await;
    browser.wait_for_text(".status", "Ann to roll").await;
    browser.ask("POST", &format!("/api/games/{manual}/roll"), &json!({ "roll": 0 })).await;
    // The pass is tried again.
    browser.wait_for_text(".note.wrong", "The server does not answer").await;
    browser.wait_for_text(".status", "Ben to roll").await;
    // The program has moved, whichever client asked for the step, so no error is shown.
    browser.run(&format!("location.hash = '#/play/{against}'")).await;
    browser.wait_for_text(".history", "C4").await;
    assert_eq!(browser.run("return document.querySelectorAll('.note').length").await, json!(0));
    browser.close().await;
}

/// Lets the page look away, or look again.
const LOOKS: &str = "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true }); \
                     document.dispatchEvent(new Event('visibilitychange'))";

#[tokio::test]
async fn two_tabs_show_one_game() {
    let browser = Browser::open(DESK).await;
    let mut game = two_people("finkel:2");
    game["start"] = json!("5:-:L");
    game["manual"] = json!(true);
    game["seed"].take();
    let id = browser.begin(&game).await;
    browser.visit(&format!("play/{id}")).await;
    browser.wait_for_text(".status", "Ann to roll").await;
    // Another client throws and moves.
    let act = async |what: &str, body: Value| {
        browser.ask("POST", &format!("/api/games/{id}/{what}"), &body).await;
    };
    act("roll", json!({ "roll": 2 })).await;
    browser.wait_for_text(".status", "rolled 2").await;
    act("move", json!({ "move": "0-2" })).await;
    browser.wait_for_text(".status", "Ben to roll").await;
    browser.wait_for_text(".history", "A3").await;
    // It takes the move back: nobody has thrown the roll that waits again.
    act("undo", json!({})).await;
    browser.wait_for_text(".status", "rolled 2").await;
    let said = browser.run("return document.querySelector('.spoken').textContent").await;
    assert_eq!(said.as_str().unwrap().matches("rolls 2").count(), 1, "{said}");
    act("move", json!({ "move": "0-2" })).await;
    browser.wait_for_text(".status", "Ben to roll").await;
    // Another move takes the place of that one while the page is out of sight.
    browser.client.execute(LOOKS, vec![json!(true)]).await.unwrap();
    act("undo", json!({})).await;
    act("move", json!({ "move": "5-7" })).await;
    browser.client.execute(LOOKS, vec![json!(false)]).await.unwrap();
    browser.wait_for_text(".history", "B1 → B3").await;
    browser.close().await;
}
