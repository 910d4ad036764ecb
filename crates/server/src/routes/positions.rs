//! What a position is worth.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use puabi_core::{Player, Position, Roll, Rules, Setup};
use puabi_engine::Answer;

use crate::http::error::{ApiError, ApiResult, ErrorBody};
use crate::http::extract::Path;
use crate::rulesets::judge::Judge;
use crate::state::AppState;
use crate::view::answer::AnswerView;

/// A position that a request asks about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// The position, seen by the player to roll or move.
    pub(crate) position: Position,
    /// Who that is.
    pub(crate) turn: Player,
    /// The roll, if one is given.
    pub(crate) roll: Option<Roll>,
}

impl Question {
    /// Reads a position under these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no position, or breaks the rules.
    pub(crate) fn read(rules: &Rules, text: &str) -> ApiResult<Self> {
        let wrong = |error: &dyn std::fmt::Display| {
            ApiError::field("position", text, error)
                .expected("LIGHT:DARK:TURN, as in `-:-:L` or `4,8,12+2:1,5:D3`")
        };
        let setup: Setup = text.parse().map_err(|error| wrong(&error))?;
        let position = rules.position(&setup).map_err(|error| wrong(&error))?;
        Ok(Self { position, turn: setup.turn, roll: setup.roll })
    }

    /// Returns the answer of the judge; a search takes some milliseconds for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is damaged.
    pub(crate) fn answer(self, rules: &Rules, judge: &Judge) -> ApiResult<AnswerView> {
        let (asked, source) = ((self.position, self.turn), judge.source());
        let answer =
            judge.with_values(|values| Answer::by(source, rules, asked, self.roll, values))?;
        Ok(AnswerView::new(rules, &answer))
    }
}

/// How long an answer may be kept: it changes only with the table, and then its tag does.
const CACHING: &str = "public, max-age=3600";

/// Returns the value of a position and of every move in it.
///
/// A small game that is not solved is solved first; one that is too large for the server is judged by a search, which `judge`
/// and `caveat` then say.
#[utoipa::path(get, path = "/api/{rules}/positions/{position}", tag = "positions",
    params(
        ("rules" = String, Path, description = "the rule set", example = "finkel:1"),
        ("position" = String, Path, description = "the position, with the roll where it is known", example = "-:-:L"),
    ),
    responses(
        (status = OK, body = AnswerView),
        (status = NOT_MODIFIED, description = "the answer is the one of the tag in If-None-Match"),
        (status = BAD_REQUEST, body = ErrorBody, description = "no such position"),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is not solved yet"),
    ))]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path((name, text)): Path<(String, String)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let variant = state.variant(&name).await?;
    let question = Question::read(variant.rules(), &text)?;
    let judge = state.tables.judge(&variant).await?;
    let tag = judge.tag().into_owned();
    let cached = [(ETAG, tag.as_str()), (CACHE_CONTROL, CACHING)];
    if is_known(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    let answer = state.run_blocking(move || question.answer(variant.rules(), &judge)).await?;
    Ok((cached, Json(answer)).into_response())
}

/// Returns whether the asker has the answer of this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let asked = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = asked.flat_map(|value| value.split(',').map(str::trim));
    tags.any(|asked| asked == "*" || asked.trim_start_matches("W/") == tag)
}
