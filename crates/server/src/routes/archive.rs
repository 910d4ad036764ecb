//! What is kept of games: lists, records, reviews, a player's progress.

use std::collections::HashSet;
use std::sync::PoisonError;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use puabi_answers::{
    ApiError, ApiResult, ErrorBody, Filter, GameList, Marks, PlayedEntry, Progress, Reviewed, Whose,
};
use puabi_core::Record;
use puabi_formats::Notation;

use super::games::{keep_marks, marks};
use super::review::reviewed;
use crate::archive::ArchiveError;
use crate::http::extract::{Path, Query};
use crate::mode::Mode;
use crate::state::AppState;

/// Lists games, the newest first, fifty at a time.
#[utoipa::path(get, path = "/api/games", tag = "archive", params(Filter),
    responses((status = OK, body = GameList), (status = BAD_REQUEST, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    Query(mut filter): Query<Filter>,
) -> ApiResult<Json<GameList>> {
    // Games give the name that their rules have inside the rule file.
    if !filter.rules.is_empty()
        && let Ok(variant) = state.variant(&filter.rules).await
    {
        filter.rules = variant.rule_set().to_string();
    }
    let (games, total) = state.archive.list(&filter).await?;
    Ok(Json(GameList { total, games }))
}

/// The header that says which parts of a record its notation cannot hold.
const LEFT_OUT: &str = "left-out";

/// Returns the record of a game as a file: `record.urg`, `record.rgn`, `record.json` or `record.ur`. The header `Left-Out` says
/// which parts of the record its notation cannot hold.
#[utoipa::path(get, path = "/api/games/{id}/{file}", tag = "archive",
    params(
        ("id" = i64, Path, description = "the number of the game"),
        ("file" = String, Path, description = "record.urg, record.rgn, record.json or record.ur", example = "record.urg"),
    ),
    responses((status = OK, content((String = "text/plain"), (serde_json::Value = "application/json")),
            headers(("left-out" = String, description = "the parts of the record that the notation cannot hold, if any"))),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the notation cannot hold the game's rules")))]
pub(crate) async fn record(
    State(state): State<AppState>,
    Path((id, file)): Path<(i64, String)>,
) -> ApiResult<Response> {
    let wrong = || {
        ApiError::missing("file", &file, "that is not a file of a game")
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
    let lost = (!written.lost.is_empty()).then(|| [(LEFT_OUT, written.lost.join("; "))]);
    Ok((headers, lost, written.text).into_response())
}

/// Returns the record of a game. A server for others leaves out the seed, from which the dice to come follow.
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
    let turn = state.turn_to_review(record.game.plies().len()).await;
    reviewed(&state, turn, record, Vec::new()).await
}

/// The most games that are reviewed for one answer; the others are reviewed for the next answers.
const REVIEWS: usize = 50;

/// Returns a player's results over time.
#[utoipa::path(get, path = "/api/progress", tag = "archive", params(Whose),
    responses((status = OK, body = Progress), (status = BAD_REQUEST, body = ErrorBody)))]
pub(crate) async fn progress(
    State(state): State<AppState>,
    Query(Whose { player }): Query<Whose>,
) -> ApiResult<Json<Progress>> {
    let mut played = state.archive.played(&player).await?;
    recall(&state, &mut played);
    let solved = solved_rules(&state, &played).await?;
    let mut left = REVIEWS;
    let unmarked = played.iter_mut().filter(|game| is_unmarked(game));
    for game in unmarked.filter(|game| solved.contains(&game.rules)) {
        if let Some(marks) = review_later(&state, game).await? {
            game.marks = marks;
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    Ok(Json(Progress::new(player, played)))
}

/// Adds the results of reviews that a read-only server has only in memory.
fn recall(state: &AppState, played: &mut [PlayedEntry]) {
    let found = state.reviewed.lock().unwrap_or_else(PoisonError::into_inner);
    for game in played.iter_mut().filter(|game| is_unmarked(game)) {
        game.marks = found.get(&(game.id, game.changed)).copied().unwrap_or_default();
    }
}

fn is_unmarked(game: &PlayedEntry) -> bool {
    game.marks.light_luck.is_none()
}

/// Returns the rules of unmarked games that are solved, as the games name them.
async fn solved_rules(state: &AppState, played: &[PlayedEntry]) -> ApiResult<HashSet<String>> {
    let unmarked = played.iter().filter(|game| is_unmarked(game));
    let mut rules: HashSet<_> = unmarked.map(|game| game.rules.clone()).collect();
    let here = state.clone();
    let solved = state.run_blocking(move || {
        rules.retain(|name| {
            here.catalog.find(name).is_ok_and(|variant| here.tables.ready(&variant).is_some())
        });
        Ok(rules)
    });
    solved.await
}

/// Reviews a game that ended before its rules were solved, if they are solved now. Returns `None` for a game that is damaged or
/// was removed in between, so that the other games are reviewed all the same.
async fn review_later(state: &AppState, game: &PlayedEntry) -> ApiResult<Option<Marks>> {
    let record = match state.archive.find(game.id).await {
        Ok(found) => found.record,
        // Another request or program has removed it in between.
        Err(ArchiveError::Missing { .. }) => return Ok(None),
        Err(error @ ArchiveError::Damaged { .. }) => {
            tracing::warn!("{error}, and is not reviewed");
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    let Some(found) = marks(state, record).await else { return Ok(None) };
    if state.mode == Mode::ReadOnly {
        let mut reviewed = state.reviewed.lock().unwrap_or_else(PoisonError::into_inner);
        reviewed.insert((game.id, game.changed), found);
    } else {
        keep_marks(state, game.id, found).await;
    }
    Ok(Some(found))
}
