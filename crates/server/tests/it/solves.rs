//! Solves in the background, and how values converge.

use axum::http::StatusCode;
use serde_json::json;

use crate::Client;

#[tokio::test(flavor = "multi_thread")]
async fn a_solve_tells_how_far_it_is_and_ends_with_a_table() {
    let client = Client::new().await;
    assert_eq!(client.get("/api/finkel:2").await.json()["table"]["state"], "missing");
    let nothing = client.get("/api/finkel:2/solve").await.events();
    assert_eq!(nothing.last().unwrap()["state"], "missing");
    let started = client.post("/api/finkel:2/solve", &json!({})).await;
    assert_eq!(
        (started.status, &started.json()["state"]),
        (StatusCode::ACCEPTED, &json!("solving"))
    );
    let events = client.get("/api/finkel:2/solve").await.events();
    let (last, steps) = events.split_last().unwrap();
    assert_eq!(last["state"], "ready");
    assert!(
        steps
            .iter()
            .all(|step| step["state"] == "solving"
                && step["done"].as_u64() <= step["total"].as_u64())
    );
    client.post("/api/finkel:2/solve", &json!({})).await.error(StatusCode::CONFLICT);
    let facts = &client.get("/api/finkel:2").await.json()["facts"];
    assert!((facts["first_player"].as_f64().unwrap() - 0.518_572_907_495).abs() < 1e-9);
    // The length of games is measured after the first request for it.
    let length = loop {
        if let Some(length) = client.get("/api/finkel:2").await.json()["facts"]["length"].as_f64() {
            break length;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert!((25.0..60.0).contains(&length), "{length}");
}

#[tokio::test]
async fn values_converge_to_those_of_the_solved_game() {
    let client = Client::new().await;
    let sweeps = client.get("/api/finkel:1/convergence").await.events();
    let (first, last) = (&sweeps[0], sweeps.last().unwrap());
    let (names, values) =
        (first["positions"].as_array().unwrap(), last["values"].as_array().unwrap());
    assert_eq!((names.len(), &last["settled"]), (values.len(), &json!(true)));
    for (name, value) in names.iter().zip(values).step_by(7) {
        let path = format!("/api/finkel:1/positions/{}", name.as_str().unwrap());
        let exact = client.get(&path).await.json()["value"].as_f64().unwrap();
        assert!((exact - value.as_f64().unwrap()).abs() < 1e-7, "{name}");
    }
    let client = Client::with_little_memory().await;
    client.get("/api/finkel/convergence").await.error(StatusCode::CONFLICT);
}

#[tokio::test]
async fn what_does_not_fit_into_memory_is_not_begun() {
    let client = Client::with_little_memory().await;
    assert_eq!(client.get("/api/finkel").await.json()["table"]["state"], "too-large");
    client.post("/api/finkel/solve", &json!({})).await.error(StatusCode::CONFLICT);
}
