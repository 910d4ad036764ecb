//! Servers for others: what any client may do, and what only clients with the key of a seat may do.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode};
use puabi_server::{Mode, ServeError, Server};
use serde_json::{Value, json};

use crate::{Answer, Client, options};

const BRIDGE: &str = include_str!("../../../../examples/rules/bridge.toml");

fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

impl Client {
    /// Posts with keys in the header.
    pub(crate) async fn post_by(&self, keys: &str, path: &str, body: &Value) -> Answer {
        let request = Request::post(path).header("host", "localhost:8470").header("seat-key", keys);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Asks from an address, with other headers.
    async fn get_from(&self, peer: &str, path: &str, headers: &[(&str, &str)]) -> StatusCode {
        let mut request = Request::get(path).header("host", "localhost:8470");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let peer: SocketAddr = format!("{peer}:1").parse().unwrap();
        let request = request.extension(ConnectInfo(peer)).body(Body::empty()).unwrap();
        self.send(request).await.status
    }
}

#[tokio::test]
async fn a_game_goes_on_only_by_the_key_of_who_is_to_act() {
    let client = Client::of_mode(Mode::Public).await;
    let start =
        json!({"rules": "finkel:2", "light": person("Ann"), "dark": person("Bob"), "manual": true});
    let game = client.done("/api/games", &start).await;
    let path = |step: &str| format!("/api/games/{}{step}", game["id"]);
    let [ann, bob] = ["light", "dark"].map(|seat| game["keys"][seat].as_str().unwrap().to_owned());
    assert_ne!(ann, bob);
    // Every client sees the game, but the keys are never shown again.
    assert_eq!(client.get(&path("")).await.json()["keys"], Value::Null);
    for keys in ["", "5f1d7a84db00d2fce00b31a7fc73224f", &bob] {
        let answer = client.post_by(keys, &path("/roll"), &json!({"roll": 3})).await;
        let (field, _, expected) = answer.error(StatusCode::FORBIDDEN);
        assert_eq!(field, "seat-key", "{keys}");
        assert!(expected.contains("POST /api/games"));
    }
    assert_eq!(client.get(&path("")).await.json()["stage"], "roll", "nothing was changed");
    let both = format!("{bob}, {ann}");
    let mut rolled = client.post_by(&both, &path("/roll"), &json!({"roll": 3})).await.json();
    let moved = json!({"move": rolled["moves"][0]["move"]});
    client.post_by(&bob, &path("/move"), &moved).await.error(StatusCode::FORBIDDEN);
    rolled = client.post_by(&ann, &path("/move"), &moved).await.json();
    assert_eq!(rolled["plies"].as_array().unwrap().len(), 1);
    // Only the player who has made a choice takes it back, and only the player of a seat gives up for it.
    client.post_by(&bob, &path("/undo"), &json!({})).await.error(StatusCode::FORBIDDEN);
    let light = json!({"player": "light"});
    client.post_by(&bob, &path("/resign"), &light).await.error(StatusCode::FORBIDDEN);
    assert_eq!(client.post_by(&ann, &path("/resign"), &light).await.status, StatusCode::OK);
    client.post_by(&bob, &path("/undo"), &json!({})).await.error(StatusCode::FORBIDDEN);
    assert_eq!(client.post_by(&ann, &path("/undo"), &json!({})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn nobody_chooses_again_once_the_next_roll_is_known() {
    let start = json!({"rules": "finkel:2", "light": person("Ann"), "dark": person("Bob"), "start": "4,8:5:L"});
    for (mode, status) in [(Mode::Public, StatusCode::CONFLICT), (Mode::Mine, StatusCode::OK)] {
        let client = Client::of_mode(mode).await;
        let mut game = client.done("/api/games", &start).await;
        let keys =
            ["light", "dark"].map(|seat| game["keys"][seat].as_str().unwrap_or("").to_owned());
        let keys = keys.join(",");
        let path = |step: &str| format!("/api/games/{}/{step}", game["id"]);
        let (roll, play, undo) = (path("roll"), path("move"), path("undo"));
        let post = async |path: &str, body: Value| client.post_by(&keys, path, &body).await;
        // A player who rolls 0 passes, so this goes on until a piece has moved.
        while game["plies"].as_array().unwrap().iter().all(|ply| ply["move"] == "pass") {
            game = post(&roll, json!({})).await.json();
            game = post(&play, json!({"move": game["moves"][0]["move"]})).await.json();
        }
        assert_eq!(post(&undo, json!({})).await.json()["stage"], "move");
        game =
            post(&play, json!({"move": game["plies"].as_array().unwrap().last().unwrap()["move"]}))
                .await
                .json();
        let rolled = post(&roll, json!({})).await.json();
        assert_eq!(rolled["plies"], game["plies"]);
        assert_eq!(
            (&game["may_undo"], &rolled["may_undo"]),
            (&json!(true), &json!(mode == Mode::Mine))
        );
        assert_eq!(post(&undo, json!({})).await.status, status, "{mode:?}");
        post(&play, json!({"move": "pass"})).await;
    }
}

#[tokio::test]
async fn a_server_for_others_keeps_as_many_games_as_it_may() {
    let data = tempfile::tempdir().unwrap();
    for (mode, status) in
        [(Mode::Public, StatusCode::INSUFFICIENT_STORAGE), (Mode::Mine, StatusCode::CREATED)]
    {
        let limits = puabi_server::Limits { games: 2, ..puabi_server::Limits::default() };
        let options = puabi_server::Options { mode, limits, ..options(data.path()) };
        let client = Client { app: puabi_server::service(&options).await.unwrap(), _data: None };
        let start =
            json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Bob"), "match": 3});
        if mode == Mode::Public {
            client.done("/api/games", &start).await;
            let game = client.done("/api/games", &start).await;
            let (path, key) =
                (format!("/api/games/{}", game["id"]), game["keys"]["dark"].as_str().unwrap());
            let over =
                client.post_by(key, &format!("{path}/resign"), &json!({"player": "dark"})).await;
            assert_eq!(over.json()["ending"], "resigned D");
            let next = client.post_by(key, &format!("{path}/next"), &json!({})).await;
            assert_eq!(next.status, status);
        }
        let answer = client.post("/api/games", &start).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
}

#[tokio::test]
async fn an_agent_plays_for_who_holds_any_seat() {
    let client = Client::of_mode(Mode::Public).await;
    let agent = json!({"kind": "agent", "spec": "greedy"});
    let mut start = json!({"rules": "finkel:2", "light": agent, "dark": person("Bob")});
    let game = client.done("/api/games", &start).await;
    let step = format!("/api/games/{}/step", game["id"]);
    client.post(&step, &json!({})).await.error(StatusCode::FORBIDDEN);
    let key = game["keys"]["dark"].as_str().unwrap();
    assert_eq!(client.post_by(key, &step, &json!({})).await.status, StatusCode::OK);
    // No client can know the dice to come: the game and its record show no seed, and a request may not give one.
    let path = format!("/api/games/{}", game["id"]);
    assert_eq!(game["seed"], Value::Null);
    assert_eq!(client.get(&path).await.json()["seed"], Value::Null);
    assert!(!client.get(&format!("{path}/record.urg")).await.text.contains("seed"));
    start["seed"] = json!(4);
    let (field, _, _) = client.post("/api/games", &start).await.error(StatusCode::BAD_REQUEST);
    assert_eq!(field, "seed");
}

#[tokio::test]
async fn a_public_server_removes_keeps_and_solves_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mine = Client::over(data.path()).await;
    let start = json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Bob")});
    let game = mine.done("/api/games", &start).await;
    assert_eq!(game["keys"], Value::Null, "keys are for public servers");
    let path = format!("/api/games/{}", game["id"]);

    let public = Client::of_mode_over(data.path(), Mode::Public).await;
    public.post(&format!("{path}/roll"), &json!({})).await.error(StatusCode::FORBIDDEN);
    public.ask(Method::DELETE, &path, "").await.error(StatusCode::FORBIDDEN);
    public.ask(Method::POST, "/api/rules", BRIDGE).await.error(StatusCode::FORBIDDEN);
    public.ask(Method::DELETE, "/api/rules/bridge", "").await.error(StatusCode::FORBIDDEN);
    public.post("/api/finkel:1/solve", &json!({})).await.error(StatusCode::FORBIDDEN);
    let (_, _, expected) =
        public.get("/api/finkel:1/positions/-:-:L").await.error(StatusCode::CONFLICT);
    assert_eq!(expected, "the person who runs the server to solve it");
    assert!(!data.path().join("tables").exists() && !data.path().join("rules").exists());
    public.post("/api/nothing/at/all", &json!({})).await.error(StatusCode::NOT_FOUND);
    // A rule file is only tried.
    let tried = public.ask(Method::POST, "/api/rules/try", BRIDGE).await.json();
    assert_eq!((&tried["name"], &tried["title"]), (&json!(""), &json!("Bridge")));
    assert!(tried["board"]["tiles"].as_array().unwrap().len() > 10);
    assert_eq!(public.get(&path).await.status, StatusCode::OK);
    assert_eq!(public.get("/api/server").await.json()["mode"], "public");

    // A game that is solved has values for every client.
    mine.done("/api/finkel:1/solve", &json!({})).await;
    assert_eq!(mine.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    assert_eq!(public.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_server_that_is_read_keeps_nothing() {
    let client = Client::of_mode(Mode::ReadOnly).await;
    let start = json!({"rules": "finkel:1", "light": person("Ann"), "dark": person("Bob")});
    client.post("/api/games", &start).await.error(StatusCode::FORBIDDEN);
    assert_eq!(client.get("/api/games").await.json()["total"], 0);
    assert_eq!(client.get("/api/server").await.json()["mode"], "read-only");
    let ask = json!({"agent": "greedy", "position": "4:5:L4"});
    assert_eq!(client.post("/api/finkel/choose", &ask).await.status, StatusCode::OK);
    assert_eq!(client.ask(Method::POST, "/api/rules/try", BRIDGE).await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_was_counted_is_told_to_this_machine_only() {
    let client = Client::of_mode(Mode::Public).await;
    assert_eq!(client.get_from("127.0.0.1", "/metrics", &[]).await, StatusCode::OK);
    assert_eq!(client.get_from("198.51.100.7", "/metrics", &[]).await, StatusCode::FORBIDDEN);
    // Behind a proxy on this machine that the server does not know, no client counts as local.
    let behind = [("x-forwarded-for", "127.0.0.1")];
    assert_eq!(client.get_from("127.0.0.1", "/metrics", &behind).await, StatusCode::FORBIDDEN);
    assert_eq!(client.get("/metrics").await.status, StatusCode::FORBIDDEN, "nobody knows who asks");
}

#[tokio::test]
async fn a_client_that_asks_too_often_waits_and_others_do_not() {
    let client = Client::of_mode(Mode::Public).await;
    let mut answers = Vec::new();
    for _ in 0..600 {
        answers.push(client.get_from("198.51.100.7", "/api/server", &[]).await);
    }
    assert!(answers[..500].iter().all(|&status| status == StatusCode::OK));
    assert!(answers.contains(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(client.get_from("198.51.100.8", "/api/server", &[]).await, StatusCode::OK);
    assert_eq!(client.get_from("198.51.100.7", "/healthz", &[]).await, StatusCode::OK);
}

#[test]
fn a_server_of_ones_own_listens_to_no_other_machine() {
    let data = tempfile::tempdir().unwrap();
    let everywhere =
        puabi_server::Options { address: ([0, 0, 0, 0], 0).into(), ..options(data.path()) };
    let error = Server::bind(&everywhere).unwrap_err();
    assert!(matches!(error, ServeError::Open { .. }), "{error}");
    for mode in [Mode::Public, Mode::ReadOnly] {
        Server::bind(&puabi_server::Options { mode, ..everywhere.clone() }).unwrap();
    }
}

#[test]
fn a_server_that_cannot_open_its_archive_names_the_file() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("games.sqlite");
    std::fs::write(&file, "this is not a database, however long it is").unwrap();
    let error = Server::bind(&options(data.path())).unwrap_err();
    assert_eq!(error.to_string(), format!("{} cannot be opened", file.display()));
    let why = |error: &dyn std::error::Error| error.source().unwrap().to_string();
    assert!(why(&error).starts_with("it is not an archive of this program"), "{}", why(&error));
    std::fs::remove_file(&file).unwrap();
    drop(Server::bind(&options(data.path())).unwrap());
    let newer =
        "INSERT INTO _sqlx_migrations VALUES (99999999, 'of a newer program', '', TRUE, '', 0)";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        use sqlx::Connection;

        let url = format!("sqlite:{}", file.display());
        let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::query(newer).execute(&mut other).await.unwrap();
        other.close().await.unwrap();
    });
    let error = Server::bind(&options(data.path())).unwrap_err();
    assert!(why(&error).starts_with("a newer `ur` has written it"), "{}", why(&error));
}
