//! Games from their start to their end, and what is kept of them.

use std::path::Path;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use puabi_core::{Player, Record};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::Client;

fn plan(light: &str, dark: &str) -> Value {
    let seat = |text: &str| match text.strip_prefix('@') {
        Some(name) => json!({"kind": "person", "name": name}),
        None => json!({"kind": "agent", "spec": text}),
    };
    json!({"rules": "finkel:1", "light": seat(light), "dark": seat(dark), "seed": 5})
}

/// Plays a game of agents to its end and returns it.
async fn played(client: &Client, light: &str, dark: &str) -> Value {
    let mut game = client.done("/api/games", &plan(light, dark)).await;
    let path = format!("/api/games/{}/step", game["id"]);
    for _ in 0..2_000 {
        if game["stage"] == "over" {
            return game;
        }
        game = client.done(&path, &json!({})).await;
    }
    panic!("no end: {game}");
}

#[tokio::test]
async fn agents_play_to_the_end_and_the_archive_has_it() {
    let client = Client::new().await;
    let game = played(&client, "perfect", "greedy").await;
    assert!(game["winner"].is_string());
    let plies = game["plies"].as_array().unwrap();
    let id = &game["id"];
    let record: Record =
        client.get(&format!("/api/games/{id}/record.urg")).await.text.parse().unwrap();
    assert_eq!(record.game.plies().len(), plies.len());
    assert_eq!(record.game.winner().map(Player::name), game["winner"].as_str());
    let listed = client.get("/api/games?player=greedy").await.json();
    assert_eq!((&listed["total"], &listed["games"][0]["ending"]), (&json!(1), &json!("won")));
    let review = client.get(&format!("/api/games/{id}/review")).await.json();
    assert_eq!(review["frames"].as_array().unwrap().len(), plies.len() + 1);
    let last = client.post(&format!("/api/games/{id}/step"), &json!({})).await;
    last.error(StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_game() {
    let client = Client::new().await;
    let (first, second) =
        (played(&client, "random", "random").await, played(&client, "random", "random").await);
    assert_eq!(first["plies"], second["plies"]);
    assert_ne!(first["id"], second["id"]);
}

#[tokio::test]
async fn a_person_rolls_moves_and_takes_back() {
    let client = Client::new().await;
    let game = client.done("/api/games", &plan("@Ann", "greedy")).await;
    let at = |action: &str| format!("/api/games/{}/{action}", game["id"]);
    let rolled = client.done(&at("roll"), &json!({})).await;
    let dice: u64 = rolled["dice"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!((&rolled["stage"], &rolled["roll"]), (&json!("move"), &json!(dice)));
    let action = &rolled["moves"][0]["move"];
    let moved = client.done(&at("move"), &json!({"move": action})).await;
    assert_eq!(
        (&moved["plies"][0]["move"], &moved["position"]),
        (action, &rolled["moves"][0]["after"])
    );
    let back = client.done(&at("undo"), &json!({})).await;
    assert_eq!(back, rolled);
    let hint = client.get(&at("hint")).await.json();
    assert_eq!(
        (&hint["position"], &hint["rolls"][0]["moves"][0]["best"]),
        (&rolled["position"], &json!(true))
    );
}

#[tokio::test]
async fn what_a_game_does_not_wait_for_is_refused() {
    let client = Client::new().await;
    let game = client.done("/api/games", &plan("@Ann", "greedy")).await;
    let at = |action: &str| format!("/api/games/{}/{action}", game["id"]);
    for (action, body, status) in [
        ("move", json!({"move": "0-1"}), StatusCode::CONFLICT),
        ("step", json!({}), StatusCode::CONFLICT),
        ("undo", json!({}), StatusCode::CONFLICT),
        ("roll", json!({"roll": 2}), StatusCode::BAD_REQUEST),
        ("resign", json!({"player": "nobody"}), StatusCode::BAD_REQUEST),
        ("resign", json!({"player": "dark"}), StatusCode::CONFLICT),
    ] {
        client.post(&at(action), &body).await.error(status);
    }
    client.done(&at("roll"), &json!({})).await;
    client.post(&at("roll"), &json!({})).await.error(StatusCode::CONFLICT);
    let illegal = client.post(&at("move"), &json!({"move": "0-14"})).await;
    assert_eq!(illegal.error(StatusCode::BAD_REQUEST).0, "move");
    client.post("/api/games/999/roll", &json!({})).await.error(StatusCode::NOT_FOUND);
    client.get("/api/games/x").await.error(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_game_that_is_given_up_is_over_and_can_go_on() {
    let client = Client::new().await;
    let game = client.done("/api/games", &plan("@Ann", "@Ben")).await;
    let at = |action: &str| format!("/api/games/{}/{action}", game["id"]);
    let over = client.done(&at("resign"), &json!({"player": "light"})).await;
    assert_eq!(
        (&over["stage"], &over["winner"], &over["ending"]),
        (&json!("over"), &json!("dark"), &json!("resigned L"))
    );
    client.post(&at("roll"), &json!({})).await.error(StatusCode::CONFLICT);
    client.get(&at("hint")).await.error(StatusCode::CONFLICT);
    let progress = client.get("/api/progress?player=Ben").await.json();
    assert_eq!((&progress["won"], &progress["games"][0]["side"]), (&json!(1), &json!("dark")));
    assert_eq!(client.done(&at("undo"), &json!({})).await["stage"], "roll");
}

#[tokio::test]
async fn dice_thrown_by_hand_are_told() {
    let client = Client::new().await;
    let mut body = plan("@Ann", "greedy");
    body["manual"] = json!(true);
    let game = client.done("/api/games", &body).await;
    let at = |action: &str| format!("/api/games/{}/{action}", game["id"]);
    client.post(&at("roll"), &json!({})).await.error(StatusCode::BAD_REQUEST);
    client.post(&at("roll"), &json!({"roll": 5})).await.error(StatusCode::BAD_REQUEST);
    client.done(&at("roll"), &json!({"roll": 2})).await;
    assert_eq!(client.done(&at("undo"), &json!({})).await["stage"], "roll", "it was 3");
    let rolled = client.done(&at("roll"), &json!({"roll": 3})).await;
    assert_eq!(rolled["dice"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 3);
    client.done(&at("move"), &json!({"move": "0-3"})).await;
    client.post(&at("step"), &json!({})).await.error(StatusCode::CONFLICT);
    client.done(&at("roll"), &json!({"roll": 1})).await;
    assert_eq!(client.done(&at("step"), &json!({})).await["plies"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_restart_loses_no_ply() {
    let data = tempfile::tempdir().unwrap();
    let client = Client::over(data.path()).await;
    let game = client.done("/api/games", &plan("greedy", "random")).await;
    let at = |action: &str| format!("/api/games/{}{action}", game["id"]);
    let mut last = game.clone();
    for _ in 0..9 {
        last = client.done(&at("/step"), &json!({})).await;
    }
    // Nothing is closed in between: it is as if the power had gone.
    let again = Client::over(data.path()).await;
    assert_eq!(again.get(&at("")).await.json(), last);
    assert_eq!(again.done(&at("/step"), &json!({})).await["id"], last["id"]);
}

#[tokio::test]
async fn an_archive_that_another_program_has_locked_is_to_be_asked_again() {
    use sqlx::Connection;

    let data = tempfile::tempdir().unwrap();
    let client = Client::over(data.path()).await;
    let file = format!("sqlite:{}", data.path().join("games.sqlite").display());
    let mut other = sqlx::SqliteConnection::connect(&file).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let plan = plan("greedy", "random");
    let answer = client.ask(Method::POST, "/api/games", plan.to_string()).await;
    answer.error(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.headers["retry-after"], "5");
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    client.done("/api/games", &plan).await;
    assert_eq!(client.get("/api/games").await.json()["total"], 1);
}

#[tokio::test]
async fn what_is_deleted_is_gone_from_the_disk() {
    let data = tempfile::tempdir().unwrap();
    let client = Client::over(data.path()).await;
    let game = client.done("/api/games", &plan("@Enheduanna", "greedy")).await;
    let holds_name = || {
        let files = data.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
        let mut files = files.filter(|path| path.is_file());
        files.any(|path| std::fs::read(path).unwrap().windows(10).any(|it| it == b"Enheduanna"))
    };
    assert!(holds_name());
    let path = format!("/api/games/{}", game["id"]);
    assert_eq!(client.ask(Method::DELETE, &path, "").await.status, StatusCode::NO_CONTENT);
    client.get(&path).await.error(StatusCode::NOT_FOUND);
    client.ask(Method::DELETE, &path, "").await.error(StatusCode::NOT_FOUND);
    assert!(!holds_name());
}

#[tokio::test]
async fn lists_go_page_by_page() {
    let client = Client::new().await;
    for number in 0..52 {
        client.done("/api/games", &plan(&format!("@P{number}"), "greedy")).await;
    }
    let first = client.get("/api/games").await.json();
    assert_eq!((&first["total"], first["games"].as_array().unwrap().len()), (&json!(52), 50));
    let last = &first["games"][49]["id"];
    let second = client.get(&format!("/api/games?after={last}")).await.json();
    let names: Vec<_> =
        second["games"].as_array().unwrap().iter().map(|game| &game["light"]).collect();
    assert_eq!(names, ["P1", "P0"]);
    assert_eq!(client.get("/api/games?search=P5").await.json()["total"], 3);
    // A preset's name finds its games with any number of pieces, a number only those.
    for (rules, total) in
        [("finkel", 52), ("finkel:1", 52), ("finkel:2", 0), ("blitz", 0), ("fink", 0)]
    {
        let found = client.get(&format!("/api/games?rules={rules}")).await.json();
        assert_eq!(found["total"], total, "{rules}");
    }
    client.get("/api/games?sort=up").await.error(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_finished_game_adds_to_a_player_s_progress() {
    let client = Client::new().await;
    let game = played(&client, "perfect", "random").await;
    let progress = client.get("/api/progress?player=perfect").await.json();
    let only = &progress["games"][0];
    assert_eq!((&only["id"], &only["opponent"]), (&game["id"], &json!("random")));
    assert_eq!(only["won"], game["winner"] == "light");
    assert!(only["luck"].is_number());
}

/// Keeps a record a number of times, as another program would.
pub(crate) fn keep(data: &Path, record: &str, times: usize) {
    let (data, record): (_, Record) = (data.to_owned(), record.parse().unwrap());
    let kept = std::thread::spawn(move || {
        let archive = puabi_server::BlockingArchive::open(&data).unwrap();
        for _ in 0..times {
            archive.insert(&record).unwrap();
        }
    });
    kept.join().unwrap();
}

#[tokio::test]
async fn games_that_cannot_be_reviewed_keep_no_other_from_it() {
    use sqlx::Connection;

    let data = tempfile::tempdir().unwrap();
    let client = Client::over(data.path()).await;
    let mut body = plan("@Ann", "@Ben");
    body["rules"] = json!("finkel:2");
    let unsolved = client.done("/api/games", &body).await["id"].clone();
    client.done(&format!("/api/games/{unsolved}/resign"), &json!({"player": "dark"})).await;
    let record = client.get(&format!("/api/games/{unsolved}/record.urg")).await.text;
    keep(data.path(), &record, 50);
    let won = played(&client, "greedy", "random").await["id"].clone();
    let record = client.get(&format!("/api/games/{won}/record.urg")).await.text;
    keep(data.path(), &record.replace("light: greedy", "light: Ann"), 2);
    let file = format!("sqlite:{}", data.path().join("games.sqlite").display());
    let mut other = sqlx::SqliteConnection::connect(&file).await.unwrap();
    let damage = "UPDATE games SET record = 'x' WHERE id = (SELECT MAX(id) - 1 FROM games)";
    sqlx::query(damage).execute(&mut other).await.unwrap();
    assert_eq!(client.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    let progress = client.get("/api/progress?player=Ann").await.json();
    let games = progress["games"].as_array().unwrap();
    assert_eq!(games.len(), 53);
    let reviewed = games.iter().filter(|game| game["luck"].is_number());
    assert_eq!(reviewed.map(|game| &game["id"]).collect::<Vec<_>>(), [&games[52]["id"]]);
}

#[tokio::test]
async fn progress_is_told_also_if_reviews_cannot_be_kept() {
    use sqlx::Connection;

    let data = tempfile::tempdir().unwrap();
    let client = Client::over(data.path()).await;
    played(&client, "greedy", "random").await;
    assert_eq!(client.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    let file = format!("sqlite:{}", data.path().join("games.sqlite").display());
    let mut other = sqlx::SqliteConnection::connect(&file).await.unwrap();
    let full = "CREATE TRIGGER full BEFORE UPDATE ON games BEGIN SELECT RAISE(FAIL, 'full'); END";
    sqlx::query(full).execute(&mut other).await.unwrap();
    let progress = client.get("/api/progress?player=greedy").await.json();
    assert!(progress["games"][0]["luck"].is_number(), "{progress}");
}

#[tokio::test]
async fn a_server_that_is_read_reviews_all_games_of_a_player_in_turn() {
    let data = tempfile::tempdir().unwrap();
    let mine = Client::over(data.path()).await;
    let won = played(&mine, "greedy", "random").await["id"].clone();
    let record = mine.get(&format!("/api/games/{won}/record.urg")).await.text;
    keep(data.path(), &record.replace("light: greedy", "light: Ann"), 60);
    assert_eq!(mine.get("/api/finkel:1/positions/-:-:L").await.status, StatusCode::OK);
    let read = Client::of_mode_over(data.path(), puabi_server::Mode::ReadOnly).await;
    for reviewed in [50, 60] {
        let progress = read.get("/api/progress?player=Ann").await.json();
        let games = progress["games"].as_array().unwrap().iter();
        assert_eq!(games.filter(|game| game["luck"].is_number()).count(), reviewed);
    }
}

#[tokio::test]
async fn pieces_that_lie_on_each_other_come_from_the_bottom_up() {
    let client = Client::new().await;
    let start = "1,1,4:2,11,17:L2:B7=D11.D17";
    let person = json!({"kind": "person"});
    let body = json!({"rules": "skiriuk", "light": person, "dark": person, "start": start});
    let game = client.done("/api/games", &body).await;
    assert_eq!(game["position"], start);
    let pieces = game["pieces"].as_array().unwrap();
    let on_b7: Vec<_> = pieces.iter().filter(|piece| piece["tile"] == "B7").collect();
    let piece = |square: u8, veteran: bool| json!({"player": "dark", "square": square, "tile": "B7", "veteran": veteran});
    assert_eq!(on_b7, [&piece(11, false), &piece(17, true)]);
    assert_eq!(pieces.iter().filter(|piece| piece["square"] == 1).count(), 2, "two in a camp");
}

/// No user can make files in `/sys`, not even the superuser, who may write in every other directory.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn games_are_played_in_a_directory_that_may_only_be_read() {
    let client = Client::over(std::path::Path::new("/sys")).await;
    let game = client.done("/api/games", &plan("greedy", "random")).await;
    let at = format!("/api/games/{}", game["id"]);
    client.done(&format!("{at}/step"), &json!({})).await;
    assert_eq!(client.get(&at).await.json()["id"], game["id"]);
    // Nothing is kept for good, and so nothing is removed for good.
    assert_eq!(client.get("/api/server").await.json()["keeps"], false);
    let kept = client.ask(Method::DELETE, &at, "").await;
    let (_, _, expected) = kept.error(StatusCode::CONFLICT);
    assert_eq!(expected, "a server that may write to its data directory");
    assert_eq!(client.get(&at).await.status, StatusCode::OK);
    assert_eq!(Client::new().await.get("/api/server").await.json().get("keeps"), None);
    let answer = client.get("/api/finkel:1/positions/-:-:L").await.json();
    assert!(answer["value"].as_f64().unwrap() > 0.5);
}

#[tokio::test]
async fn who_watches_a_game_is_told_of_its_changes_and_no_other_s() {
    let client = Client::new().await;
    let [watched, other] = [
        client.done("/api/games", &plan("@Ann", "@Ben")).await["id"].clone(),
        client.done("/api/games", &plan("@Ann", "@Ben")).await["id"].clone(),
    ];
    let request = Request::get(format!("/api/games/{watched}/events")).header("host", "localhost");
    let answer = client.app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut events = answer.into_body();
    for id in [&other, &watched] {
        client.done(&format!("/api/games/{id}/roll"), &json!({})).await;
    }
    let event = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert_eq!(event, format!("data: {{\"id\":{watched}}}\n\n"));
    let none = tokio::time::timeout(std::time::Duration::from_millis(100), events.frame()).await;
    assert!(none.is_err(), "{none:?}");
    client.ask(Method::DELETE, &format!("/api/games/{watched}"), "").await;
    assert_eq!(events.frame().await.unwrap().unwrap().into_data().unwrap(), event);
    client.get("/api/games/999/events").await.error(StatusCode::NOT_FOUND);
}
