//! Reviews of games in any notation.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use puabi_core::{Record, Setup};
use puabi_engine::Review;
use puabi_formats::Notation;
use puabi_report::Page;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::error::{ApiError, ApiResult, ErrorBody};
use crate::http::extract::Body;
use crate::rulesets::catalog::Catalog;
use crate::rulesets::judge::Judge;
use crate::state::AppState;
use crate::view::position::PositionView;

/// A game to review.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewBody {
    /// The game as text.
    #[schema(example = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\nL 1 4-5\n")]
    text: String,
    /// The notation: `urg`, `rgn`, `json` or `ur`; recognised from the text if it is not given.
    notation: Option<String>,
    /// The rules of a text that names none.
    rules: Option<String>,
}

/// A reviewed game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Reviewed {
    /// The game in our own notation.
    record: String,
    /// What was odd about the text, with its place.
    remarks: Vec<String>,
    /// The review, the same as `ur review --json` gives it.
    #[schema(value_type = Object)]
    review: Review,
    /// The board before every ply, with its roll, and at last how the game stands.
    frames: Vec<PositionView>,
}

/// Reviews a game: luck of the rolls, errors of the moves, the best moves.
#[utoipa::path(post, path = "/api/review", tag = "review", request_body = ReviewBody,
    responses((status = OK, body = Reviewed), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody, description = "no rule set has the name in `rules`"),
        (status = CONFLICT, body = ErrorBody, description = "the game's rules are not solved yet")))]
pub(crate) async fn review(
    State(state): State<AppState>,
    Body(body): Body<ReviewBody>,
) -> ApiResult<Response> {
    let (record, remarks) = read(&state, body).await?;
    reviewed(&state, record, remarks).await
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
    let (record, _) = read(&state, body).await?;
    let html = judged(&state, record, |record, review| {
        Page { review: &review, rules: record.game.rules() }.html()
    });
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"review.html\""),
        // The page carries its script and style; opened from here it may still touch nothing of ours.
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
    let most = state.limits.plies;
    state.run_blocking(move || parsed(&here.catalog, &body, most)).await
}

fn parsed(catalog: &Catalog, body: &ReviewBody, most: usize) -> ApiResult<(Record, Vec<String>)> {
    let notation = match &body.notation {
        None => Notation::of_text(&body.text),
        Some(name) => name.parse().map_err(|error| {
            ApiError::field("notation", name, error).expected("urg, rgn, json or ur")
        })?,
    };
    let rules = body.rules.as_deref().map(|name| catalog.find(name)).transpose()?;
    let rule_set = rules.as_ref().map(|variant| variant.rule_set());
    let reading = notation.read(&body.text, rule_set).map_err(|error| {
        let line = body.text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
        ApiError::field("text", line, &error).expected(format!("a game in the notation {notation}"))
    })?;
    let plies = reading.record.game.plies().len();
    if plies > most {
        let message = format!("the game has {plies} plies");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
            .expected(format!("at most {most} plies")));
    }
    let remarks = reading.remarks.iter().map(ToString::to_string).collect();
    Ok((reading.record, remarks))
}

/// Returns the result of `tell` on the review of a game.
async fn judged<T: Send + 'static>(
    state: &AppState,
    record: Record,
    tell: impl FnOnce(Record, Review) -> T + Send + 'static,
) -> ApiResult<T> {
    let variant = state.variant_of(record.game.rules().rule_set()).await?;
    let judge = state.tables.judge(&variant).await?;
    if matches!(judge, Judge::Search(_)) {
        ensure_short(record.game.plies().len())?;
    }
    let told = state.run_blocking(move || {
        let source = judge.source();
        let review = judge.with_values(|values| Review::by(source, &record, values))?;
        Ok(tell(record, review))
    });
    told.await
}

/// The most plies of a game that is judged by a search, which takes a fraction of a millisecond for each.
const MAX_SEARCHED: usize = 5_000;

/// Refuses to search a longer game.
fn ensure_short(found: usize) -> ApiResult<()> {
    if found <= MAX_SEARCHED {
        return Ok(());
    }
    let message = format!("{found} plies of a game that cannot be solved here");
    Err(ApiError::conflict(message)
        .expected(format!("at most {MAX_SEARCHED}, to be judged by a search")))
}

/// Returns the review of a game; `remarks` list what was odd about its text.
pub(crate) async fn reviewed(
    state: &AppState,
    record: Record,
    remarks: Vec<String>,
) -> ApiResult<Response> {
    // A long review is also written where it may take its time.
    let told = judged(state, record, |record, review| {
        let frames = frames(&record);
        let reviewed = Reviewed { record: record.to_string(), remarks, review, frames };
        Json(reviewed).into_response()
    });
    told.await
}

fn frames(record: &Record) -> Vec<PositionView> {
    let game = &record.game;
    let before = game
        .plies()
        .iter()
        .map(|ply| Setup { roll: Some(ply.roll), ..game.rules().setup(ply.before, ply.player) });
    let setups = before.chain(std::iter::once(game.setup()));
    setups.map(|setup| PositionView::new(game.rules(), &setup)).collect()
}
