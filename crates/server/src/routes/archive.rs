//! What is kept of games: lists, records, reviews, a player's progress.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use puabi_answers::{
    ApiError, ApiResult, ErrorBody, Filter, GameList, Marks, PlayedEntry, Progress, Reviewed, Whose,
};
use puabi_core::Record;
use puabi_formats::Notation;

use super::review::reviewed;
use crate::http::extract::{Path, Query};
use crate::mode::Mode;
use crate::state::AppState;

/// Lists games, the newest first, fifty at a time.
#[utoipa::path(get, path = "/api/games", tag = "archive", params(Filter),
    responses((status = OK, body = GameList), (status = BAD_REQUEST, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    Query(filter): Query<Filter>,
) -> ApiResult<Json<GameList>> {
    let (games, total) = state.archive.list(&filter).await?;
    Ok(Json(GameList { total, games }))
}

/// Returns the record of a game as a file: `record.urg`, `record.rgn`, `record.json` or `record.ur`.
#[utoipa::path(get, path = "/api/games/{id}/{file}", tag = "archive",
    params(
        ("id" = i64, Path, description = "the number of the game"),
        ("file" = String, Path, description = "record.urg, record.rgn, record.json or record.ur", example = "record.urg"),
    ),
    responses((status = OK, body = String, content_type = "text/plain"), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the notation cannot hold the game's rules")))]
pub(crate) async fn record(
    State(state): State<AppState>,
    Path((id, file)): Path<(i64, String)>,
) -> ApiResult<Response> {
    let wrong = || {
        ApiError::missing("file", &file, "that is no file of a game")
            .expected("record.urg, record.rgn, record.json or record.ur")
    };
    let extension = file.strip_prefix("record.").ok_or_else(wrong)?;
    let notation: Notation = extension.parse().map_err(|_| wrong())?;
    let record = read(&state, id).await?;
    let written = notation.write(&record).map_err(ApiError::conflict)?;
    let content_type = match notation {
        Notation::Json => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let disposition = format!("attachment; filename=\"game-{id}.{extension}\"");
    let headers = [(CONTENT_TYPE, content_type), (CONTENT_DISPOSITION, &disposition)];
    Ok((headers, written.text).into_response())
}

/// Returns the record of a game, on a server for others without the seed, which tells the dice to come.
async fn read(state: &AppState, id: i64) -> ApiResult<Record> {
    let mut record = state.archive.find(id).await?.record;
    if state.mode.is_for_others() {
        record.remove_header("seed");
    }
    Ok(record)
}

/// Reviews a game of the archive.
#[utoipa::path(get, path = "/api/games/{id}/review", tag = "archive",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = Reviewed), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game's rules are not solved yet")))]
pub(crate) async fn review(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Response> {
    let record = read(&state, id).await?;
    reviewed(&state, record, Vec::new()).await
}

/// Games that are reviewed for one answer, at most; the others follow with the next.
const REVIEWS: usize = 50;

/// Returns a player's results over time.
#[utoipa::path(get, path = "/api/progress", tag = "archive", params(Whose),
    responses((status = OK, body = Progress), (status = BAD_REQUEST, body = ErrorBody)))]
pub(crate) async fn progress(
    State(state): State<AppState>,
    Query(Whose { player }): Query<Whose>,
) -> ApiResult<Json<Progress>> {
    let mut played = state.archive.played(&player).await?;
    let unmarked = played.iter_mut().filter(|game| game.marks.light_luck.is_none());
    for game in unmarked.take(REVIEWS) {
        game.marks = review_later(&state, game).await?.unwrap_or_default();
    }
    Ok(Json(Progress::new(player, played)))
}

/// Reviews a game that ended before its rules were solved, if they are solved now.
async fn review_later(state: &AppState, game: &PlayedEntry) -> ApiResult<Option<Marks>> {
    let record = state.archive.find(game.id).await?.record;
    let Ok(variant) = state.variant_of(record.game.rules().rule_set()).await else {
        return Ok(None);
    };
    let Some(solved) = state.tables.ready(&variant) else { return Ok(None) };
    let found =
        state.run_blocking(move || solved.with_values(|values| Marks::of(&record, values))).await?;
    if state.mode != Mode::ReadOnly {
        state.archive.mark(game.id, found).await?;
    }
    Ok(Some(found))
}
