//! Rule sets: the list, one of them, and rule files to keep.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::http::extract::{Path, Text};
use crate::rulesets::variant::{Room, ServedTable, TableState, Variant};
use crate::state::AppState;
use puabi_answers::{ApiResult, ErrorBody, RulesLine, RulesView};

fn line(state: &AppState, variant: &Variant, room: Room) -> RulesLine {
    RulesLine::new(variant.named(), state.tables.current_state(variant).view(variant, room))
}

/// Lists the rule sets: every preset, then every kept rule file.
#[utoipa::path(get, path = "/api/rules", tag = "rules", responses((status = OK, body = [RulesLine])))]
pub(crate) async fn list(State(state): State<AppState>) -> ApiResult<Json<Vec<RulesLine>>> {
    let here = state.clone();
    let lines = state.run_blocking(move || {
        let room = here.tables.room();
        Ok(here.catalog.list().iter().map(|variant| line(&here, variant, room)).collect())
    });
    lines.await.map(Json)
}

/// Keeps a rule file under a name made of the letters and digits of the rules' name.
#[utoipa::path(post, path = "/api/rules", tag = "rules",
    request_body(content = String, content_type = "application/toml", description = "a rule file, as docs/rules.md describes"),
    responses(
        (status = CREATED, body = RulesLine),
        (status = BAD_REQUEST, body = ErrorBody, description = "the text is not a rule file"),
        (status = CONFLICT, body = ErrorBody,
            description = "other rules have the name, or the data directory is read-only"),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "no more rule files may be kept"),
    ))]
pub(crate) async fn keep(
    State(state): State<AppState>,
    Text(text): Text,
) -> ApiResult<(StatusCode, Json<RulesLine>)> {
    let here = state.clone();
    let kept = state.run_blocking(move || {
        let variant = here.catalog.keep(&text)?;
        Ok(line(&here, &variant, here.tables.room()))
    });
    Ok((StatusCode::CREATED, Json(kept.await?)))
}

/// Describes the game of a rule file without keeping the file; the name is empty unless the rules are those of a preset.
#[utoipa::path(post, path = "/api/rules/try", tag = "rules",
    request_body(content = String, content_type = "application/toml", description = "a rule file, as docs/rules.md describes"),
    responses((status = OK, body = RulesView),
        (status = BAD_REQUEST, body = ErrorBody, description = "the text is not a rule file")))]
pub(crate) async fn attempt(
    State(state): State<AppState>,
    Text(text): Text,
) -> ApiResult<Json<RulesView>> {
    let here = state.clone();
    rules_view(&state, move || here.catalog.preview(&text)).await
}

/// Removes a kept rule file; its games and tables stay.
#[utoipa::path(delete, path = "/api/rules/{name}", tag = "rules",
    params(("name" = String, Path, description = "the name of a kept rule file")),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the data directory is read-only")))]
pub(crate) async fn remove(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<StatusCode> {
    let here = state.clone();
    state.run_blocking(move || here.catalog.remove(&name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Measures the mean length of games in the background.
fn measure(state: &AppState, solved: Arc<ServedTable>) {
    let state = state.clone();
    tokio::spawn(async move {
        if let Err(error) = state.run_blocking(move || solved.measure()).await {
            tracing::error!("measuring the length of games: {error}");
        }
    });
}

/// Returns all that is needed to draw and explain a rule set.
#[utoipa::path(get, path = "/api/{rules}", tag = "rules",
    params(("rules" = String, Path, description = "a preset, such as finkel or finkel:3, or a kept rule file")),
    responses((status = OK, body = RulesView), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Json<RulesView>> {
    let here = state.clone();
    rules_view(&state, move || here.catalog.find(&name)).await
}

/// Returns all that is needed to draw and explain the rules of a game of the archive, whatever is kept under their name. The
/// name is empty if these rules are not kept.
#[utoipa::path(get, path = "/api/games/{id}/rules", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = RulesView), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn of_game(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<RulesView>> {
    let game = state.archive.find(id).await?.record.game;
    let here = state.clone();
    rules_view(&state, move || Ok(here.catalog.of_game(game.rules()))).await
}

/// Returns the view of a rule set that `find` finds.
async fn rules_view(
    state: &AppState,
    find: impl FnOnce() -> ApiResult<Arc<Variant>> + Send + 'static,
) -> ApiResult<Json<RulesView>> {
    let here = state.clone();
    let view = state.run_blocking(move || {
        let variant = find()?;
        let table_state = here.tables.current_state(&variant);
        let table = table_state.view(&variant, here.tables.room());
        // A variant without a name is forgotten after this answer, so it is not measured.
        if let TableState::Ready(solved) = &table_state
            && !variant.name().is_empty()
            && solved.is_to_be_measured()
        {
            measure(&here, Arc::clone(solved));
        }
        Ok(RulesView::new(variant.named(), table_state.known(), table))
    });
    view.await.map(Json)
}
