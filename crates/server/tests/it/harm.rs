//! Requests that mean harm, and those that are merely wrong.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use puabi_server::{HostedPrograms, Options, service};
use puabi_study::Engines;
use serde_json::json;

use crate::Client;

#[tokio::test]
async fn no_path_leads_out_of_the_page_or_the_rule_files() {
    let data = tempfile::tempdir().unwrap();
    std::fs::write(data.path().join("secret.toml"), "name = \"secret\"").unwrap();
    std::fs::create_dir(data.path().join("rules")).unwrap();
    let client = Client::over(data.path()).await;
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/page/../../Cargo.toml",
        "//etc/passwd.txt",
        "/..%5cCargo.toml",
        "/api/..%2fsecret",
        "/api/..%2f..%2fsecret/agents",
        "/api/secret",
        "/api/%00",
        "/api/rules/..%2fsecret",
        "/api/docs/../../secret.toml",
    ] {
        let answer = client.get(path).await;
        assert!(!answer.status.is_success(), "{path}: {}", answer.text);
        assert!(!answer.text.contains("[package]") && !answer.text.contains("root:"), "{path}");
    }
    let gone = client.ask(Method::DELETE, "/api/rules/..%2fsecret", "").await;
    gone.error(StatusCode::NOT_FOUND);
    assert!(data.path().join("secret.toml").exists());
}

#[tokio::test]
async fn no_request_starts_a_program() {
    let data = tempfile::tempdir().unwrap();
    let touched = data.path().join("touched");
    let program = format!("engine:touch {}", touched.display());
    let client = Client::over(data.path()).await;
    let person = json!({"kind": "person", "name": "Ann"});
    let game =
        json!({"rules": "finkel:2", "light": {"kind": "agent", "spec": program}, "dark": person});
    let (field, _, _) = client.post("/api/games", &game).await.error(StatusCode::BAD_REQUEST);
    assert_eq!(field, "light.spec");
    let ask = json!({"agent": program, "position": "-:-:L2"});
    let refused = client.post("/api/finkel:2/choose", &ask).await;
    let (field, _, expected) = refused.error(StatusCode::BAD_REQUEST);
    assert_eq!((&*field, &*expected), ("agent", "an agent that GET /api/{rules}/agents lists"));
    assert!(!client.get("/api/finkel:2/agents").await.text.contains("engine:"));
    // A record from elsewhere may name a program.
    let folder = data.path().to_owned();
    let text = format!("format: urg 1\nrules: finkel:2\nlight: {program}\nseed: 1\n\nL 2\n");
    let kept = std::thread::spawn(move || {
        let record: puabi_core::Record = text.parse().unwrap();
        puabi_server::BlockingArchive::open(&folder).unwrap().insert(&record).unwrap()
    });
    let id = kept.join().unwrap();
    let step = client.post(&format!("/api/games/{id}/step"), &json!({})).await;
    step.error(StatusCode::BAD_REQUEST);
    assert!(!touched.exists());
}

/// A service that hosts one program, a script of a shell.
#[cfg(unix)]
#[tokio::test]
async fn a_program_that_is_hosted_plays_and_gives_up_if_it_fails() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("engine.sh");
    let script = "while read line; do case \"$line\" in ubgi) echo ubgiok;; isready) echo readyok;; esac; done";
    std::fs::write(&file, script).unwrap();
    let program = format!("engine:sh {}", file.display());
    let engines = Engines::new(Duration::from_millis(200), data.path().join("engines"), |_| ());
    let hosted = Arc::new(HostedPrograms::new(vec![program.parse().unwrap()], engines));
    let options = Options { hosted, ..crate::options(data.path()) };
    let client = Client { app: service(&options).await.unwrap(), _data: None };
    assert!(client.get("/api/finkel:2/agents").await.text.contains(&program));
    let ask = json!({"agent": program, "position": "4,8:5:L1"});
    client.post("/api/finkel:2/choose", &ask).await.error(StatusCode::BAD_GATEWAY);
    let person = json!({"kind": "person", "name": "Ann"});
    let program = json!({"kind": "agent", "spec": program});
    let game = json!({"rules": "finkel:2", "light": program, "dark": person, "start": "4,8:5:L1"});
    let game = client.done("/api/games", &game).await;
    let over = client.done(&format!("/api/games/{}/step", game["id"]), &json!({})).await;
    assert_eq!((&over["winner"], &over["ending"]), (&json!("dark"), &json!("resigned L")));
    let other = json!({"agent": "engine:sh -c true", "position": "4,8:5:L1"});
    client.post("/api/finkel:2/choose", &other).await.error(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn no_agent_from_the_network_reads_a_file_or_thinks_for_long() {
    let client = Client::new().await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().display();
    let named = json!({"agent": format!("pocket:{path}"), "position": "-:-:L", "roll": 1});
    let refused = client.post("/api/finkel:1/choose", &named).await;
    let (_, _, expected) = refused.error(StatusCode::BAD_REQUEST);
    assert_eq!(refused.json()["error"]["message"], "files cannot be named over the network");
    assert!(expected.starts_with("pocket alone"), "{expected}");
    for agent in [
        format!("brain:{path}"),
        format!("expectimax:2@brain:{path}"),
        format!("likely:2/0.1@brain:{path}"),
        format!("linear:{path}"),
        format!("pocket:{path}"),
        format!("expectimax:2@linear:{path}"),
        "expectimax:8".to_owned(),
        "likely:8/0".to_owned(),
    ] {
        let body = json!({"agent": agent, "position": "-:-:L", "roll": 1});
        let (field, ..) =
            client.post("/api/finkel:1/choose", &body).await.error(StatusCode::BAD_REQUEST);
        assert_eq!(field, "agent");
        let seats = json!({"rules": "finkel:1", "light": {"kind": "agent", "spec": agent}, "dark": {"kind": "person"}});
        let (field, ..) = client.post("/api/games", &seats).await.error(StatusCode::BAD_REQUEST);
        assert_eq!(field, "light.spec");
    }
}

#[tokio::test]
async fn what_is_refused_is_told_with_what_is_right_there() {
    let client = Client::with_little_memory().await;
    let choose = |agent: &str, seed: serde_json::Value| json!({"agent": agent, "position": "-:-:L", "roll": 1, "seed": seed});
    let refused = client.post("/api/finkel:1/choose", &choose("gredy", json!(0))).await;
    assert_eq!(
        refused.json()["error"]["message"],
        "`gredy` is not an agent: did you mean `greedy`?"
    );
    assert!(!refused.text.contains("engine:"), "{}", refused.text);
    let seed = client.post("/api/finkel:1/choose", &choose("greedy", json!(-1))).await;
    let (field, _, expected) = seed.error(StatusCode::BAD_REQUEST);
    assert_eq!(field, "seed");
    assert!(expected.starts_with("a whole number from 0 to"), "{expected}");
    let pieces = client.get("/api/finkel:16").await;
    let (_, _, expected) = pieces.error(StatusCode::NOT_FOUND);
    assert_eq!(expected, "1 to 15, as in `finkel:3`");
    let large = client.post("/api/murray/solve", &json!({})).await;
    assert_eq!(large.error(StatusCode::CONFLICT).2, "fewer pieces, as in murray:6");
}

#[tokio::test]
async fn an_agent_that_cannot_play_the_rules_sits_down_at_no_game() {
    let client = Client::new().await;
    let person = json!({"kind": "person"});
    let game =
        json!({"rules": "finkel:1", "light": {"kind": "agent", "spec": "elo:900"}, "dark": person});
    let (field, found, _) = client.post("/api/games", &game).await.error(StatusCode::BAD_REQUEST);
    assert_eq!((&*field, &*found), ("light.spec", "elo:900"));
}

#[tokio::test]
async fn names_are_text_wherever_they_go() {
    let client = Client::new().await;
    let name = "<script>alert(1)</script>";
    let game = json!({"rules": "finkel:1", "light": {"kind": "person", "name": name}, "dark": {"kind": "agent", "spec": "greedy"}});
    let id = client.done("/api/games", &game).await["id"].clone();
    let view = client.get(&format!("/api/games/{id}")).await;
    assert_eq!(view.header("content-type"), "application/json");
    assert_eq!(view.header("x-content-type-options"), "nosniff");
    let text = client.get(&format!("/api/games/{id}/record.urg")).await.text;
    let page = client.post("/api/review.html", &json!({"text": text})).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("&lt;script&gt;alert(1)") && !page.text.contains(name));
    assert!(page.header("content-disposition").starts_with("attachment"));
    assert!(page.header("content-security-policy").contains("sandbox"));
}

#[tokio::test]
async fn names_that_are_none_are_refused() {
    let client = Client::new().await;
    let long = "x".repeat(41);
    for name in ["", " Ann", "Ann\nB", "Ann\r\nSet-Cookie: a", "greedy", "\u{0}", &long] {
        let game = json!({"rules": "finkel:1", "light": {"kind": "person"}, "dark": {"kind": "person", "name": name}});
        let (field, ..) = client.post("/api/games", &game).await.error(StatusCode::BAD_REQUEST);
        assert_eq!(field, "dark.name", "{name:?}");
    }
}

#[tokio::test]
async fn searches_are_data_and_no_commands() {
    let client = Client::new().await;
    let game = json!({"rules": "finkel:1", "light": {"kind": "person", "name": "50% a_b"}, "dark": {"kind": "person"}});
    client.done("/api/games", &game).await;
    for (search, total) in [
        ("'%20OR%201=1--", 0),
        ("%27;DROP%20TABLE%20games;--", 0),
        ("%25", 1),
        ("_", 1),
        ("%25%25", 0),
        ("50%25%20A", 1),
        ("%5C", 0),
    ] {
        let found = client.get(&format!("/api/games?search={search}")).await;
        assert_eq!(found.json()["total"], total, "{search}");
    }
    for after in ["1;DROP", "-5", "%2B5", "007", ""] {
        let answer = client.get(&format!("/api/games?search=_&after={after}")).await;
        let (field, found, _) = answer.error(StatusCode::BAD_REQUEST);
        assert_eq!((&*field, found.replace('+', "%2B")), ("after", after.to_owned()));
    }
    assert_eq!(client.get("/api/games").await.json()["total"], 1);
}

#[tokio::test]
async fn other_sites_and_other_names_are_refused() {
    let client = Client::new().await;
    let send = |method: Method, host: &str, origin: &str| {
        let request = Request::builder().method(method).uri("/api/games").header("host", host);
        client.send(request.header("origin", origin).body(Body::empty()).unwrap())
    };
    let (evil, own) = ("http://evil.example", "http://localhost:8470");
    send(Method::POST, "localhost:8470", evil).await.error(StatusCode::FORBIDDEN);
    send(Method::POST, "evil.example:8470", evil).await.error(StatusCode::FORBIDDEN);
    send(Method::GET, "evil.example:8470", evil).await.error(StatusCode::FORBIDDEN);
    send(Method::GET, "localhost:8470", evil).await.error(StatusCode::FORBIDDEN);
    assert_eq!(send(Method::GET, "localhost:8470", own).await.status, StatusCode::OK);
    send(Method::POST, "localhost:8470", own).await.error(StatusCode::BAD_REQUEST);
    // Another site may not ask the API by the address of a picture, but may link to the page.
    let see = |path: &str| {
        let request = Request::builder().uri(path).header("host", "localhost:8470");
        client.send(request.header("sec-fetch-site", "cross-site").body(Body::empty()).unwrap())
    };
    see("/api/finkel:2/positions/-:-:L").await.error(StatusCode::FORBIDDEN);
    assert_eq!(client.get("/api/finkel:2").await.json()["table"]["state"], "missing");
    assert_eq!(see("/").await.status, StatusCode::OK);
    let two =
        Request::builder().uri("/").header("host", "localhost").header("host", "evil.example");
    client.send(two.body(Body::empty()).unwrap()).await.error(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn whatever_is_asked_wrongly_is_answered_in_json() {
    let client = Client::new().await;
    client.get("/api/finkel/nothing").await.error(StatusCode::NOT_FOUND);
    client.get("/api/").await.error(StatusCode::NOT_FOUND);
    client.ask(Method::PUT, "/api/rules", "").await.error(StatusCode::METHOD_NOT_ALLOWED);
    client.ask(Method::POST, "/nothing", "").await.error(StatusCode::METHOD_NOT_ALLOWED);
    client.get("/missing.js").await.error(StatusCode::NOT_FOUND);
    for body in ["{", "null", "[]", "\"x\"", "{} {}", "{\"rules\":\"finkel:1\"}", "\u{0}"] {
        let answer = client.ask(Method::POST, "/api/games", body).await;
        assert_eq!(answer.error(StatusCode::BAD_REQUEST).0, "body", "{body}: {}", answer.text);
    }
    let listed = r#"{"rules":"finkel:1","light":["person","Zed"],"dark":{"kind":"person"}}"#;
    let listed = client.ask(Method::POST, "/api/games", listed).await;
    let (field, _, expected) = listed.error(StatusCode::BAD_REQUEST);
    assert_eq!(
        (&*field, &*expected),
        ("light", r#"an object such as {"kind":"person","name":"Ann"}"#)
    );
    client.ask(Method::POST, "/healthz", "").await.error(StatusCode::METHOD_NOT_ALLOWED);
    let deep = "[".repeat(100_000);
    client.ask(Method::POST, "/api/games", deep).await.error(StatusCode::BAD_REQUEST);
    let bytes = client.ask(Method::POST, "/api/rules", vec![0xff, 0xfe]).await;
    assert_eq!(bytes.error(StatusCode::BAD_REQUEST).0, "body");
}

#[tokio::test]
async fn help_is_a_page_that_may_only_show_itself() {
    let client = Client::new().await;
    let page = client.get("/help/rules").await;
    assert!(page.text.contains("<h1>Rule files</h1>"));
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let (_, found, expected) = client.get("/help/nothing").await.error(StatusCode::NOT_FOUND);
    assert_eq!(found, "nothing");
    assert!(expected.contains("positions"), "{expected}");
}

#[tokio::test]
async fn the_page_may_use_nothing_from_elsewhere() {
    let client = Client::new().await;
    for path in ["/", "/play/some/where"] {
        let page = client.get(path).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.header("content-type").starts_with("text/html"));
        let policy = page.header("content-security-policy");
        assert!(policy.contains("script-src 'self';") && policy.contains("default-src 'none'"));
        assert!(!policy.contains("unsafe"));
        assert!(!page.header("etag").is_empty());
    }
    let docs = client.get("/api/docs/").await;
    assert_eq!(docs.status, StatusCode::OK);
    assert!(
        !docs.text.contains("https://")
            && docs.header("content-security-policy").contains("script-src 'self';")
    );
}
