//! Solves in the background and how far they are, and how values converge.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio_stream::wrappers::{ReceiverStream, WatchStream};
use tokio_stream::{Stream, StreamExt};

use crate::http::extract::Path;
use crate::rulesets::variant::{TableState, Variant};
use crate::state::AppState;
use puabi_answers::{
    ApiError, ApiResult, ErrorBody, ProgressView, SMALL, SolveProgress, TableView, demonstrate,
};

fn event(value: &impl Serialize) -> Event {
    Event::default().json_data(value).unwrap_or_default()
}

/// Starts to solve a game in the background; returns the progress of a solve that is already running.
#[utoipa::path(post, path = "/api/{rules}/solve", tag = "solve",
    params(("rules" = String, Path, description = "the rule set", example = "finkel:1")),
    responses((status = ACCEPTED, body = ProgressView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is solved already, or takes more memory than there is"),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "all tables together would take more of the disk than they may")))]
pub(crate) async fn start(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<(StatusCode, Json<ProgressView>)> {
    let variant = state.variant(&name).await?;
    let here = state.clone();
    let begun = state.run_blocking(move || {
        here.tables.current_state(&variant);
        Ok(*here.tables.solve(&variant)?.borrow())
    });
    Ok((StatusCode::ACCEPTED, Json(begun.await?.into())))
}

/// Sends events with the progress of a solve; the last one has the state of the table.
#[utoipa::path(get, path = "/api/{rules}/solve", tag = "solve",
    params(("rules" = String, Path, description = "the rule set", example = "finkel:1")),
    responses((status = OK, body = ProgressView, content_type = "text/event-stream"), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn watch(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let variant = state.variant(&name).await?;
    let (here, of) = (state.clone(), Arc::clone(&variant));
    let steps = match state.run_blocking(move || Ok(here.tables.current_state(&of))).await? {
        TableState::Solving(progress) => WatchStream::new(progress),
        // This channel has no sender, so the stream is empty.
        _ => WatchStream::from_changes(tokio::sync::watch::channel(SolveProgress::WAITING).1),
    };
    let steps = steps.map(|step| event(&ProgressView::from(step)));
    let last = tokio_stream::once(()).map(move |()| event(&table(&state, &variant)));
    Ok(Sse::new(steps.chain(last).map(Ok)).keep_alive(KeepAlive::default()))
}

/// Returns the state of a table as it is now.
fn table(state: &AppState, variant: &Variant) -> TableView {
    let table_state = state.tables.current_state(variant);
    table_state.view(variant, state.tables.room())
}

/// The shortest time between two sweeps of a game that is not small, unless the scores change.
const PAUSE: Duration = Duration::from_millis(50);

/// Shows how the values of a game converge, with an event for each sweep of the solver; each value begins as one half.
#[utoipa::path(get, path = "/api/{rules}/convergence", tag = "solve",
    params(("rules" = String, Path, description = "the rule set", example = "finkel:1")),
    responses((status = OK, body = puabi_answers::Sweep, content_type = "text/event-stream"),
        (status = NOT_FOUND, body = ErrorBody), (status = CONFLICT, body = ErrorBody, description = "the game is too large"),
        (status = SERVICE_UNAVAILABLE, body = ErrorBody, description = "too many others are watching this")))]
pub(crate) async fn convergence(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let variant = state.variant(&name).await?;
    let is_small = variant.size().positions().is_some_and(|positions| positions <= SMALL);
    if !is_small && !state.tables.may_show(&variant) {
        let message = format!("{name} is too large to be shown");
        return Err(ApiError::conflict(message)
            .expected(format!("at most {SMALL} positions, as finkel:2 has")));
    }
    let turn = Arc::clone(&state.demonstrations).try_acquire_owned().map_err(|_| {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too many others are watching this")
            .expected("to ask again later")
    })?;
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    let rules = Arc::clone(variant.rules());
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let next = Mutex::new(Instant::now());
        let is_due = || {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let is_due = now >= *next;
            if is_due {
                *next = now + PAUSE;
            }
            is_due
        };
        // If no client listens any more, it ends early; that is no error here.
        let _ = demonstrate(&rules, is_due, |sweep| sender.blocking_send(sweep).is_ok());
    });
    let events = ReceiverStream::new(receiver).map(|sweep| event(&sweep));
    Ok(Sse::new(events.map(Ok)).keep_alive(KeepAlive::default()))
}
