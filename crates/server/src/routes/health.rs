//! Whether the server lives, and what it has counted.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::metrics::Metrics;
use crate::state::AppState;

/// That the server lives.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    #[schema(example = "ok")]
    status: &'static str,
    version: &'static str,
}

/// Reports that the server is running.
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = OK, body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Returns the counts of answers, as text for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = OK, body = String, content_type = "application/openmetrics-text")))]
pub(crate) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, Metrics::CONTENT_TYPE)], state.metrics.text())
}
