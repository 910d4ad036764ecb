//! What a position is worth.

use axum::Json;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use puabi_answers::{
    AnswerView, ApiError, ApiResult, CubeView, ErrorBody, NoQuery, Question, StakesQuery,
};

use crate::http::extract::{Path, Query};
use crate::state::AppState;

/// A client may keep an answer but has to ask again. Since then there may be another table, a table instead of a search, or other
/// rules of the same name, and then the tag is different.
const CACHING: &str = "no-cache";

/// Returns the value of a position and of every move in it.
///
/// A small game that is not solved is solved first. A game that is too large for the server is judged by a search; `judge` and
/// `caveat` then say so.
#[utoipa::path(get, path = "/api/{rules}/positions/{position}", tag = "positions",
    params(
        ("rules" = String, Path, description = "the rule set", example = "finkel:1"),
        ("position" = String, Path, description = "the position, with the roll if it is known", example = "-:-:L"),
    ),
    responses(
        (status = OK, body = AnswerView),
        (status = NOT_MODIFIED, description = "the answer is still the one with the tag in If-None-Match"),
        (status = BAD_REQUEST, body = ErrorBody, description = "no such position"),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is not solved yet"),
    ))]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path((name, text)): Path<(String, String)>,
    Query(NoQuery {}): Query<NoQuery>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let variant = state.variant(&name).await?;
    let question = Question::read(variant.rules(), &text)?;
    let judge = state.tables.judge(&variant).await?;
    let tag = judge.tag(variant.rule_set()).into_owned();
    let cached = [(ETAG, tag.as_str()), (CACHE_CONTROL, CACHING)];
    if is_known(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    let answer = state.run_blocking(move || judge.answer(question, variant.rules())).await?;
    Ok((cached, Json(answer)).into_response())
}

/// Returns whether the client already has the answer with this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let asked = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = asked.flat_map(|value| value.split(',').map(str::trim));
    tags.any(|asked| asked == "*" || asked.trim_start_matches("W/") == tag)
}

/// Returns the value of a position in a game with a doubling cube: whether to double, whether to take, what each choice and
/// every move is worth. Without a score the game is played for money.
///
/// The values are there if `ur cube` has made the tables of the cube, or if the game is small enough to be solved with it in
/// some seconds.
#[utoipa::path(get, path = "/api/{rules}/positions/{position}/cube", tag = "positions",
    params(
        ("rules" = String, Path, description = "the rule set", example = "finkel:1"),
        ("position" = String, Path, description = "the position, with the roll if it is known", example = "-:-:L"),
        StakesQuery,
    ),
    responses(
        (status = OK, body = CubeView),
        (status = BAD_REQUEST, body = ErrorBody, description = "no such position, or no such cube"),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is not solved with this cube"),
    ))]
pub(crate) async fn cube(
    State(state): State<AppState>,
    Path((name, text)): Path<(String, String)>,
    Query(stakes): Query<StakesQuery>,
) -> ApiResult<Json<CubeView>> {
    let stakes = stakes.read()?;
    let variant = state.variant(&name).await?;
    let question = Question::read(variant.rules(), &text)?;
    let values = state.tables.cube(&variant, stakes).await?.ok_or_else(|| {
        let message = format!("{} is not solved with {stakes}, which takes long", variant.name());
        ApiError::conflict(message).expected(match stakes.score {
            _ if state.mode.is_for_others() => {
                "a server of your own, as `ur serve` starts one".to_owned()
            }
            Some(_) => "fewer pieces, or a shorter match".to_owned(),
            None => format!("tables by `ur cube {} --cap {}`", variant.name(), stakes.cube.cap()),
        })
    })?;
    let work = move || values.with(|values| question.with_cube(variant.rules(), stakes, values));
    state.run_blocking(work).await.map(Json)
}
