//! Whether the server lives, who it is for, and what it has counted.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::metrics::Metrics;
use crate::mode::Mode;
use crate::state::AppState;

/// The status of a running server.
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

/// Who the server is for, and whether it keeps games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ServerView {
    mode: Mode,
    /// False if games are lost when the server ends, because its data directory is read-only; otherwise left out.
    #[schema(example = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps: Option<bool>,
    #[schema(example = "0.2.0")]
    version: &'static str,
}

/// Returns who the server is for, which decides what requests may do, and whether the server keeps games.
#[utoipa::path(get, path = "/api/server", tag = "server", responses((status = OK, body = ServerView)))]
pub(crate) async fn server(State(state): State<AppState>) -> Json<ServerView> {
    let keeps = (!state.archive.keeps()).then_some(false);
    Json(ServerView { mode: state.mode, keeps, version: env!("CARGO_PKG_VERSION") })
}

/// Returns the counts of answers, as text for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = OK, body = String, content_type = "application/openmetrics-text")))]
pub(crate) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(CONTENT_TYPE, Metrics::CONTENT_TYPE)], state.metrics.text())
}
