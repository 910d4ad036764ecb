//! Reviews of games in any notation.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use puabi_answers::{
    ApiError, ApiResult, ErrorBody, ReviewBody, Reviewed, ensure_plies, ensure_short,
};
use puabi_core::Record;
use puabi_engine::{CubeReview, Review};
use puabi_report::Page;
use tokio::sync::OwnedSemaphorePermit;

use crate::http::extract::Body;
use crate::rulesets::judge::Judge;
use crate::state::AppState;

/// Reviews a game: luck of the rolls, errors of the moves, the best moves.
#[utoipa::path(post, path = "/api/review", tag = "review", request_body = ReviewBody,
    responses((status = OK, body = Reviewed), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody, description = "no rule set has the name in `rules`"),
        (status = CONFLICT, body = ErrorBody, description = "the game's rules are not solved yet")))]
pub(crate) async fn review(
    State(state): State<AppState>,
    Body(body): Body<ReviewBody>,
) -> ApiResult<Response> {
    let turn = state.turn_to_review(body.about_plies()).await;
    let (record, remarks) = read(&state, body).await?;
    reviewed(&state, turn, record, remarks).await
}

/// Reviews a game as one HTML page that needs nothing else.
#[utoipa::path(post, path = "/api/review.html", tag = "review", request_body = ReviewBody,
    responses((status = OK, body = String, content_type = "text/html"), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody, description = "no rule set has the name in `rules`"),
        (status = CONFLICT, body = ErrorBody, description = "the game's rules are not solved yet")))]
pub(crate) async fn page(
    State(state): State<AppState>,
    Body(body): Body<ReviewBody>,
) -> ApiResult<Response> {
    let turn = state.turn_to_review(body.about_plies()).await;
    let (record, _) = read(&state, body).await?;
    let html = judged(&state, turn, record, |record, review, cube| {
        let rules = record.game.rules();
        Ok(Page { review: &review, cube: cube.as_ref(), rules }.html().into_bytes())
    });
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"review.html\""),
        // The page carries its own script and style. Even if it is opened from this server, it may not touch anything else here.
        (
            CONTENT_SECURITY_POLICY,
            "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
        ),
    ];
    Ok((headers, html.await?).into_response())
}

/// Reads the game that is to be reviewed, with what was odd about its text.
async fn read(state: &AppState, body: ReviewBody) -> ApiResult<(Record, Vec<String>)> {
    let here = state.clone();
    let find = move |name: &str| Ok(Arc::clone(here.catalog.find(name)?.rules()));
    state.run_blocking(move || body.read(find)).await
}

/// Returns the text that `render` makes of the review of a game; `turn` ends when it is made.
async fn judged(
    state: &AppState,
    turn: Option<OwnedSemaphorePermit>,
    record: Record,
    render: impl FnOnce(Record, Review, Option<CubeReview>) -> ApiResult<Vec<u8>> + Send + 'static,
) -> ApiResult<Bytes> {
    ensure_plies(&record, state.limits.plies)?;
    let variant = state.variant_of(record.game.rules().rule_set()).await?;
    let judge = state.tables.judge(&variant).await?;
    let cube = match record.stakes_at_start() {
        Some(stakes) => state.tables.cube(&variant, stakes).await?,
        None => None,
    };
    if matches!(judge, Judge::Search(_)) {
        ensure_short(record.game.plies().len())?;
    }
    let answer = state.run_blocking(move || {
        let _turn = turn;
        let source = judge.source();
        let review = judge.with_values(|values| Review::by(source, &record, values))?;
        let cube = cube.map(|it| it.with(|values| CubeReview::new(&record, values))).transpose()?;
        // A vector that grew may have room for twice its text, and the answer may wait long until it is taken.
        Ok(Bytes::from(render(record, review, cube.flatten())?.into_boxed_slice()))
    });
    answer.await
}

/// Returns the review of a game; `remarks` list what was odd about its text.
pub(crate) async fn reviewed(
    state: &AppState,
    turn: Option<OwnedSemaphorePermit>,
    record: Record,
    remarks: Vec<String>,
) -> ApiResult<Response> {
    // A long review takes a while to write as JSON, so that happens on the thread that made it.
    let answer = judged(state, turn, record, |record, review, cube| {
        let answer = Reviewed::new(&record, remarks, review).with_cube(cube);
        serde_json::to_vec(&answer).map_err(|error| ApiError::internal("a review", &error))
    });
    Ok(([(CONTENT_TYPE, "application/json")], answer.await?).into_response())
}
