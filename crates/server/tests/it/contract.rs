//! The description of the API, compared with the answers of the routes.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::Client;

/// Asks for every operation of the description, and compares the answer with it.
#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_as_it_is_described() {
    let client = Client::new().await;
    let description = client.get("/api/openapi.json").await.json();
    let mut asked = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        // This stream does not end; `games` tests it.
        if path == "/api/games/{id}/events" {
            continue;
        }
        for (method, operation) in operations.as_object().unwrap() {
            asked += 1;
            check(&client, &description, path, method, operation).await;
        }
    }
    assert!(asked >= 25, "{asked}");
}

async fn check(client: &Client, description: &Value, path: &str, method: &str, operation: &Value) {
    let id = prepared(client, path).await;
    // The other operations have solved finkel:1 by then.
    let rules = if path.ends_with("/solve") { "blitz:1" } else { "finkel:1" };
    let address = path
        .replace("{rules}", rules)
        .replace("{position}", "-:-:L")
        .replace("{id}", &id.to_string())
        .replace("{file}", "record.urg")
        .replace("{name}", "kept");
    let address = if path == "/api/progress" { format!("{address}?player=Ann") } else { address };
    let method: Method = method.to_uppercase().parse().unwrap();
    let answer = client.ask(method.clone(), &address, body(path, &method)).await;
    let at = format!("{method} {path}");
    assert!(answer.status.is_success(), "{at}: {answer:?}");
    let described = &operation["responses"][answer.status.as_str()];
    assert!(described.is_object(), "{at}: {} is not described", answer.status);
    let Some(contents) = described["content"].as_object() else {
        assert_eq!(answer.text, "", "{at}");
        return;
    };
    let answered = answer.header("content-type");
    let mut kinds = contents.iter();
    let (kind, content) = kinds
        .find(|(kind, _)| answered.starts_with(kind.as_str()))
        .unwrap_or_else(|| panic!("{at}: {answered}"));
    let problem = match &**kind {
        "application/json" => mismatch(description, &content["schema"], &answer.json()),
        // The last event of a solve is the state of the table.
        "text/event-stream" if path.ends_with("solve") => None,
        "text/event-stream" => answer
            .events()
            .iter()
            .find_map(|event| mismatch(description, &content["schema"], event)),
        _ => None,
    };
    assert_eq!(problem, None, "{at}: {}", answer.text);
}

/// Prepares what an operation needs, and returns the number of a new game in which it can be done.
async fn prepared(client: &Client, path: &str) -> i64 {
    let agent = json!({"kind": "agent", "spec": "greedy"});
    let person = json!({"kind": "person", "name": "Ann"});
    let light = if path.ends_with("/step") { &agent } else { &person };
    let in_match = ["/double", "/answer", "/next"].iter().any(|end| path.ends_with(end));
    let dark = if in_match { &person } else { &agent };
    let mut game = json!({"rules": "finkel:1", "light": light, "dark": dark, "start": "4:-:L"});
    if in_match {
        game["match"] = json!(3);
    }
    let id = client.done("/api/games", &game).await["id"].as_i64().unwrap();
    if path.ends_with("/move") || path.ends_with("/undo") {
        client.done(&format!("/api/games/{id}/roll"), &json!({})).await;
    }
    if path.ends_with("/answer") {
        client.done(&format!("/api/games/{id}/double"), &json!({})).await;
    }
    if path.ends_with("/next") {
        client.done(&format!("/api/games/{id}/resign"), &json!({"player": "dark"})).await;
    }
    if path.ends_with("/undo") {
        let game = client.get(&format!("/api/games/{id}")).await.json();
        client.done(&format!("/api/games/{id}/resign"), &json!({"player": game["turn"]})).await;
    }
    if path.ends_with("/{name}") {
        let kept = puabi_core::RuleSet {
            name: "kept".into(),
            captures_grant_rolls: true,
            ..puabi_core::RuleSet::FINKEL
        };
        client.ask(Method::POST, "/api/rules", kept.with_pieces(1).to_toml()).await;
    }
    if path.ends_with("/move") {
        // The move in `body` takes a roll of 1: begins other games until one has it.
        let game = client.get(&format!("/api/games/{id}")).await.json();
        if game["roll"] != 1 {
            return Box::pin(prepared(client, path)).await;
        }
    }
    id
}

fn body(path: &str, method: &Method) -> String {
    if *method != Method::POST {
        return String::new();
    }
    let review = json!({"text": "format: urg 1\nrules: finkel:1\n\nL 4 0-4\n"});
    match path {
        "/api/rules" | "/api/rules/try" => puabi_core::RuleSet::FINKEL.with_pieces(1).to_toml(),
        "/api/games" => json!({"rules": "finkel:1", "light": {"kind": "person"}, "dark": {"kind": "agent", "spec": "greedy"}}).to_string(),
        "/api/review" | "/api/review.html" => review.to_string(),
        "/api/{rules}/choose" => json!({"agent": "greedy", "position": "-:-:L", "roll": 1}).to_string(),
        "/api/games/{id}/move" => json!({"move": "4-5"}).to_string(),
        "/api/games/{id}/resign" => json!({"player": "light"}).to_string(),
        "/api/games/{id}/answer" => json!({"take": true}).to_string(),
        "/api/{rules}/solve" | "/api/games/{id}/roll" | "/api/games/{id}/step" | "/api/games/{id}/undo"
        | "/api/games/{id}/double" | "/api/games/{id}/next" => String::new(),
        other => panic!("a new route needs a body here: {other}"),
    }
}

/// Returns where and how `value` differs from the schema.
fn mismatch(description: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        return mismatch(description, description.pointer(pointer).unwrap(), value);
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all.iter().find_map(|part| mismatch(description, part, value));
    }
    if let Some(any) = schema["oneOf"].as_array() {
        let fits = any.iter().any(|part| mismatch(description, part, value).is_none());
        return (!fits).then(|| format!("{value} fits none of {schema}"));
    }
    if let Some(known) = schema["enum"].as_array() {
        return (!known.contains(value)).then(|| format!("{value} is none of {known:?}"));
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        Value::Null => return None,
        kind => vec![kind.clone()],
    };
    if !kinds.iter().any(|kind| is_kind(kind.as_str().unwrap(), value)) {
        return Some(format!("{value} is not {kinds:?}"));
    }
    let items = value.as_array().into_iter().flatten();
    let wrong = items.clone().find_map(|item| mismatch(description, &schema["items"], item));
    wrong.or_else(|| fields(description, schema, value))
}

fn fields(description: &Value, schema: &Value, value: &Value) -> Option<String> {
    let (Some(known), Some(fields)) = (schema["properties"].as_object(), value.as_object()) else {
        return None;
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required = required.filter_map(Value::as_str);
    if let Some(lacking) = required.find(|name| !fields.contains_key(*name)) {
        return Some(format!("{lacking} is not there"));
    }
    let wrong = |(name, schema)| {
        let value = fields.get(name)?;
        mismatch(description, schema, value).map(|problem| format!("{name}: {problem}"))
    };
    known.iter().find_map(wrong)
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is not a type"),
    }
}

#[tokio::test]
async fn every_operation_names_the_errors_of_the_layers_around_it() {
    let client = Client::new().await;
    let description = client.get("/api/openapi.json").await.json();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            for status in ["400", "403", "408", "413", "429", "500", "503", "507"] {
                let found = responses.get(status);
                let found = found.unwrap_or_else(|| panic!("{method} {path} lacks {status}"));
                let schema = &found["content"]["application/json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/ErrorBody", "{method} {path} {status}");
            }
        }
    }
}

#[tokio::test]
async fn errors_are_as_they_are_described() {
    let client = Client::new().await;
    let description = client.get("/api/openapi.json").await.json();
    let answer = client.get("/api/nothing").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let schema = json!({"$ref": "#/components/schemas/ErrorBody"});
    assert_eq!(mismatch(&description, &schema, &answer.json()), None);
    assert!(mismatch(&description, &schema, &json!({"error": {}})).is_some(), "the check checks");
}

/// Scripts of Swagger UI that its page does not read are empty files here: see `.cargo/config.toml`.
#[tokio::test]
async fn the_page_of_the_description_finds_its_scripts_and_styles() {
    let client = Client::new().await;
    let page = client.get("/api/docs/").await.text;
    let names: Vec<_> = page
        .split('"')
        .filter(|name| matches!(name.rsplit_once('.'), Some((_, "js" | "css"))))
        .collect();
    assert!(names.len() >= 5, "{page}");
    for name in names {
        let file = client.get(&format!("/api/docs/{}", name.trim_start_matches("./"))).await;
        assert_eq!(file.status, StatusCode::OK, "{name}");
        assert!(file.text.len() > 100, "{name} is empty");
    }
    let missing = client.get("/api/docs/nope.js").await;
    assert!(missing.error(StatusCode::NOT_FOUND).2.contains("its page"), "{}", missing.text);
}

#[tokio::test]
async fn the_description_s_files_are_compressed_for_who_accepts_it_and_for_nobody_else() {
    let client = Client::new().await;
    for path in ["/api/docs/", "/api/docs/swagger-ui.css"] {
        let ask = async |accepted: &str| {
            let ask = Request::get(path).header("host", "localhost");
            let ask = ask.header("accept-encoding", accepted).body(Body::empty()).unwrap();
            client.send(ask).await
        };
        let plain = client.get(path).await;
        for (accepted, encoding) in
            [("gzip, br", "gzip"), ("identity", ""), ("gzip;q=0", ""), ("br", "")]
        {
            let answer = ask(accepted).await;
            assert_eq!(answer.header("content-encoding"), encoding, "{path}: {accepted}");
            assert_eq!((answer.status, &answer.text), (plain.status, &plain.text));
        }
        assert_eq!(plain.header("content-encoding"), "");
    }
}
