//! The page without a server: files that anything gives out, and then no network at all.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::access::{axe, serious};
use crate::stage::{DESK, SMALL_PHONE, Screen, Stage};

/// A server of files, until it is dropped.
struct Host {
    asked: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Host {
    /// Gives the site out, and returns where.
    fn start() -> (Self, String) {
        let folder =
            std::env::var("PUABI_SITE").expect("PUABI_SITE names what scripts/build-page has made");
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let router =
            Router::new().fallback(file).with_state((PathBuf::from(folder), Arc::clone(&asked)));
        let (told, origin) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                told.send(format!("http://{}/", listener.local_addr().unwrap())).unwrap();
                let serving = axum::serve(listener, router).into_future();
                // Connections that are kept open end too.
                tokio::select! { _ = serving => {}, _ = stopped => {} }
            });
            runtime.shutdown_background();
        });
        (Self { asked, stop: Some(stop), thread: Some(thread) }, origin.recv().unwrap())
    }

    /// Cuts the network.
    fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Returns the paths that were asked for.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn file(
    State((folder, asked)): State<(PathBuf, Arc<Mutex<Vec<String>>>)>,
    uri: Uri,
) -> Response {
    asked.lock().unwrap().push(uri.path().to_owned());
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match Path::new(name).extension().and_then(|it| it.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    };
    match std::fs::read(folder.join(name)) {
        Ok(bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Opens a browser that has been at the site once, whose network is then cut.
async fn cut_off(screen: Screen) -> (Stage, Host) {
    let (mut host, origin) = Host::start();
    let stage = Stage::open_before(screen, origin, "icon.svg").await;
    stage.visit("play").await;
    stage.find(".newgame").await;
    let kept = "navigator.serviceWorker.ready.then(() => { window.kept = true; }); return window.kept === true";
    stage.wait_for(kept, Vec::new()).await;
    let elsewhere: Vec<_> =
        host.asked().into_iter().filter(|path| path.starts_with("/api")).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    host.stop();
    (stage, host)
}

/// Asks the engine of the page, as the page does.
async fn ask(stage: &Stage, method: &str, path: &str, body: &Value) -> Value {
    let script = "const [method, path, body, done] = arguments; \
                  import(new URL('transport.js', document.baseURI)) \
                      .then(({ transport }) => transport.ask(path, { method, body })).then((answer) => answer.json()) \
                      .then(done, (error) => done(String(error)))";
    let arguments = vec![json!(method), json!(path), json!(body.to_string())];
    stage.client.execute_async(script, arguments).await.unwrap()
}

async fn begin(stage: &Stage, game: &Value) -> i64 {
    let begun = ask(stage, "POST", "/api/games", game).await;
    begun["id"].as_i64().unwrap_or_else(|| panic!("no game: {begun}"))
}

#[tokio::test]
async fn a_whole_game_is_played_by_keys_and_reviewed_with_the_network_cut() {
    let (stage, _host) = cut_off(DESK).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let agent = json!({ "kind": "agent", "spec": "perfect" });
    let game = json!({ "rules": "finkel:2", "light": person, "dark": agent, "seed": "7" });
    let id = begin(&stage, &game).await;
    stage.visit(&format!("play/{id}")).await;
    let press = "const over = document.querySelector('.status')?.textContent.includes('wins.'); \
                 for (const key of [' ', '1']) dispatchEvent(new KeyboardEvent('keydown', { key })); return over ?? false";
    stage.wait_for(press, Vec::new()).await;
    stage.visit(&format!("review/{id}")).await;
    stage.wait_for_text(".review h1", "Ann against").await;
    // A game that is solved in the browser is judged exactly.
    let review = ask(&stage, "GET", &format!("/api/games/{id}/review"), &Value::Null).await;
    assert_eq!(review["review"]["judge"], "table", "{review}");
    // And one that is not says so.
    stage.visit("explorer/finkel/4:5:L2").await;
    stage.find(".rolls button.best").await;
    stage.wait_for_text(".caveat", "estimate").await;
    stage.close().await;
}

#[tokio::test]
async fn every_screen_opens_on_a_small_phone_with_the_network_cut() {
    let (stage, _host) = cut_off(SMALL_PHONE).await;
    let axe = axe();
    let seat = json!({ "kind": "agent", "spec": "greedy" });
    let game = json!({ "rules": "finkel:1", "light": seat, "dark": seat, "seed": 1 });
    let id = begin(&stage, &game).await;
    while ask(&stage, "POST", &format!("/api/games/{id}/step"), &json!({})).await["stage"] != "over"
    {
    }
    let screens = ["play", "review", "rules", "rules/finkel:1", "games", "explorer/finkel:1/4:-:L"]
        .map(str::to_owned);
    for screen in screens.into_iter().chain([format!("play/{id}"), format!("review/{id}/3")]) {
        stage.visit(&screen).await;
        assert_eq!(
            stage.run("return document.documentElement.scrollWidth").await,
            json!(360),
            "{screen}"
        );
        assert_eq!(
            stage.run("return document.querySelector('main h1')?.textContent").await
                == "This could not be shown",
            false,
            "{screen}"
        );
        assert_eq!(serious(&stage, &axe).await, json!([]), "{screen}");
    }
    stage.client.goto(&format!("{}help/rules.html", stage.origin)).await.unwrap();
    stage.wait_for_text("h1", "Rule files").await;
    stage.close().await;
}

#[tokio::test]
async fn what_is_kept_comes_back_from_a_file_and_links_carry_what_they_show() {
    let (stage, _host) = cut_off(DESK).await;
    let person = json!({ "kind": "person", "name": "Ann" });
    let id =
        begin(&stage, &json!({ "rules": "finkel:1", "light": person, "dark": person, "seed": 1 }))
            .await;
    stage.visit("games").await;
    stage.wait_for_text("table", "Ann").await;
    let saved = ask(&stage, "GET", "/api/archive", &Value::Null).await;
    assert_eq!(saved["games"].as_array().map(Vec::len), Some(1), "{saved}");
    let script = "const [path, done] = arguments; import(new URL('transport.js', document.baseURI)) \
                      .then(({ transport }) => transport.ask(path, { method: 'DELETE' })).then(({ status }) => done(status))";
    let gone =
        stage.client.execute_async(script, vec![json!(format!("/api/games/{id}"))]).await.unwrap();
    assert_eq!(gone, json!(204));
    assert_eq!(
        ask(&stage, "POST", "/api/archive", &saved).await,
        json!({ "games": 1, "rules": 0 })
    );
    assert_eq!(
        ask(&stage, "POST", "/api/archive", &saved).await,
        json!({ "games": 0, "rules": 0 })
    );
    // Rules of one's own travel with the link.
    let rules = "name = \"Carried\"\ndice = \"2d\"\npieces = 2\npath = \"bell\"\n";
    let script = "const [toml, done] = arguments; import(new URL('api.js', document.baseURI)) \
                      .then(({ api }) => api.keepRules(toml)).then(({ name }) => done(name), (error) => done(String(error)))";
    let name = stage.client.execute_async(script, vec![json!(rules)]).await.unwrap();
    assert_eq!(name, "carried");
    stage.visit("explorer/carried/4:-:L").await;
    stage.click(".explorer .sharing").await;
    stage.find("dialog.share input.link").await;
    let link = stage.run("return document.querySelector('dialog.share input.link').value").await;
    let drawn = stage.client.execute_async(
        "const done = arguments[0]; Promise.all(['picture.js', 'board.js', 'api.js'].map((name) => import(new URL(name, document.baseURI)))) \
             .then(async ([{ svgOf, pngOf }, { Board }, { api }]) => { \
                 const board = new Board(await api.rules('carried')); document.body.append(board.element); \
                 done([svgOf(board).includes('<svg'), (await pngOf(board)).size > 1000]); }, (error) => done(String(error)))",
        Vec::new(),
    );
    assert_eq!(drawn.await.unwrap(), json!([true, true]));
    let script = "const [path, done] = arguments; import(new URL('transport.js', document.baseURI)) \
                      .then(({ transport }) => transport.ask(path, { method: 'DELETE' })).then(({ status }) => done(status))";
    assert_eq!(
        stage.client.execute_async(script, vec![json!("/api/rules/carried")]).await.unwrap(),
        json!(204)
    );
    stage.client.goto("about:blank").await.unwrap();
    stage.client.goto(link.as_str().unwrap()).await.unwrap();
    stage.wait_for("return location.hash.startsWith('#/explorer/carried/4:-:L')", Vec::new()).await;
    stage.find(".explorer .rolls section").await;
    stage.close().await;
}
