//! Access to the page: on a phone, with a screen reader, without a network; and what it costs to load.

use serde_json::{Value, json};

use crate::browser::{Browser, DESK, SMALL_PHONE};
use crate::play::two_people;

/// What the first view may cost on the wire.
const FIRST_PAINT: u64 = 100_000;

/// Opens every screen, with a game that has been played, and calls `look` on each.
async fn every_screen(browser: &Browser, look: impl AsyncFn(&str)) {
    let seats = json!({ "kind": "agent", "spec": "greedy" });
    let game = json!({ "rules": "finkel:1", "light": seats, "dark": seats, "seed": 1 });
    let played = browser.begin(&game).await;
    while browser.ask("POST", &format!("/api/games/{played}/step"), &json!({})).await["stage"]
        != "over"
    {}
    let person = json!({ "kind": "person", "name": "W".repeat(40) });
    let going = browser.begin(&json!({ "rules": "finkel:2", "light": person, "dark": person, "start": "3,14:8,13:L1" })).await;
    let screens = [
        "play".to_owned(),
        format!("play/{going}"),
        format!("play/{played}"),
        "review".to_owned(),
        format!("review/{played}/3"),
        "explorer/finkel:1/4:-:L".to_owned(),
        "rules".to_owned(),
        "rules/finkel:1".to_owned(),
        "games".to_owned(),
    ];
    for screen in screens {
        browser.visit(&screen).await;
        look(&screen).await;
    }
}

#[tokio::test]
async fn no_screen_is_wider_than_a_phone() {
    let browser = Browser::open(SMALL_PHONE).await;
    let is_narrow = async |screen: &str| {
        let width = browser.run("return document.documentElement.scrollWidth").await;
        assert_eq!(width, json!(360), "{screen}");
        let below = browser.run("return [...document.querySelectorAll('nav, .games .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length").await;
        assert_eq!(below, json!(0), "{screen}: nothing is out of sight");
    };
    every_screen(&browser, is_narrow).await;
    browser.keep("eight", "name = \"Eight\"\ndice = \"8d\"\npieces = 2\npath = \"bell\"\n");
    let dice = browser.begin(&two_people("eight")).await;
    browser.visit(&format!("play/{dice}")).await;
    browser.find(".die").await;
    is_narrow("eight dice").await;
    browser.close().await;
}

/// Whether all that the page consists of is kept.
const IS_KEPT: &str = "
    return caches.open('puabi-shell-1').then((cache) => cache.keys()).then((kept) => {
        const [paths, asked] = [kept.map(({ url }) => url), performance.getEntriesByType('resource').map(({ name }) => name)];
        return [`${location.origin}/`, `${location.origin}/explorer.js`, ...asked.filter((name) => /[.](js|css)$/.test(name))].every((url) => paths.includes(url));
    })";

#[tokio::test]
async fn a_first_visit_keeps_the_page_for_when_the_server_is_away() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    browser.wait_for(IS_KEPT, Vec::new()).await;
    browser.close().await;
}

#[tokio::test]
async fn axe_finds_nothing_serious_by_day_or_by_night() {
    let axe = concat!(env!("CARGO_MANIFEST_DIR"), "/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("npm ci has been run in crates/server");
    let browser = Browser::open(DESK).await;
    for theme in ["light", "dark"] {
        browser.set(json!({ "theme": theme, "heat": true })).await;
        every_screen(&browser, async |screen: &str| {
            browser.run(&axe).await;
            let found = browser.client.execute_async(
                "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => done(violations \
                 .filter(({ impact }) => impact === 'serious' || impact === 'critical') \
                 .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => html.slice(0, 160) + failureSummary).join()}`)))",
                Vec::new(),
            );
            assert_eq!(found.await.unwrap(), json!([]), "{screen}, {theme}");
        })
        .await;
    }
    browser.close().await;
}

#[tokio::test]
async fn the_page_asks_its_own_server_alone_and_for_little() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    browser.find(".newgame").await;
    browser.find(".picture .board").await;
    let loaded = browser.run("return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] \
                            .map(({ name, encodedBodySize }) => [name, encodedBodySize])").await;
    let loaded: Vec<(String, u64)> = serde_json::from_value(loaded).unwrap();
    assert!(loaded.len() > 10, "{loaded:?}");
    let foreign: Vec<_> =
        loaded.iter().filter(|(name, _)| !name.starts_with(&browser.origin)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let bytes: u64 = loaded.iter().map(|(_, bytes)| bytes).sum();
    assert!((1..FIRST_PAINT).contains(&bytes), "{bytes} bytes: {loaded:?}");
    browser.close().await;
}

/// Runs the worker that keeps the page, with a full disk and an old file on it, and returns what it answers.
const ON_A_FULL_DISK: &str = "
    const done = arguments[0];
    const full = { match: async () => new Response('old'), put: async () => { throw new DOMException('full', 'QuotaExceededError'); } };
    Object.defineProperty(window, 'caches', { value: { open: async () => full } });
    import('/sw.js').then(() => {
        const respondWith = (answer) => answer.then((file) => file.text()).then(done, (error) => done(String(error)));
        dispatchEvent(Object.assign(new Event('fetch'), { request: new Request('/board.js'), respondWith }));
    }, (error) => done(String(error)))";

#[tokio::test]
async fn what_the_server_says_is_shown_though_there_is_no_room_to_keep_it() {
    let browser = Browser::open(DESK).await;
    let shown = browser.client.execute_async(ON_A_FULL_DISK, Vec::new()).await.unwrap();
    assert!(shown.as_str().unwrap().contains("class Board"), "{shown}");
    browser.close().await;
}

#[tokio::test]
async fn the_policy_of_the_page_keeps_other_scripts_out() {
    let browser = Browser::open(DESK).await;
    browser.visit("play").await;
    let script = "const script = document.createElement('script'); script.textContent = 'window.intruded = true'; \
                  document.body.append(script); return window.intruded ?? null";
    assert_eq!(browser.run(script).await, Value::Null);
    browser.close().await;
}
