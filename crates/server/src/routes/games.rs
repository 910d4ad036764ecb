//! Games as they are played. Every change is on disk before it is answered.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use puabi_engine::{Review, Session};
use serde::Deserialize;
use utoipa::ToSchema;

use super::positions::Question;
use crate::archive::Marks;
use crate::games::agents::think;
use crate::games::play::{Plan, Play};
use crate::http::error::{ApiError, ApiResult, ErrorBody};
use crate::http::extract::{Body, Path};
use crate::rulesets::variant::Solved;
use crate::state::AppState;
use crate::view::answer::AnswerView;
use crate::view::game::{GameView, SeatView, Seed};

/// A game to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The rule set.
    #[schema(example = "finkel:1")]
    rules: String,
    /// Who plays light.
    light: SeatView,
    /// Who plays dark.
    dark: SeatView,
    /// The seed of the dice; the same seed, the same dice. A random one if it is not given.
    seed: Option<Seed>,
    /// The position to start from; the usual start with light to roll if it is not given.
    #[schema(example = "-:-:L")]
    start: Option<String>,
    /// Whether people throw real dice and enter the rolls.
    #[serde(default)]
    manual: bool,
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = CREATED, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody, description = "no such rule set")))]
pub(crate) async fn begin(
    State(state): State<AppState>,
    Body(body): Body<NewGame>,
) -> ApiResult<(StatusCode, Json<GameView>)> {
    let variant = state.variant(&body.rules).await?;
    let plan = Plan {
        rules: Arc::clone(variant.rules()),
        light: body.light,
        dark: body.dark,
        seed: body.seed.map_or_else(rand::random, |seed| seed.0),
        start: body.start,
        is_manual: body.manual,
    };
    let record = plan.begin()?;
    let id = state.archive.insert(&record).await?;
    Ok((StatusCode::CREATED, Json(Play::new(record).view(id))))
}

/// Returns a game and its present position.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<GameView>> {
    Ok(Json(Play::new(state.archive.find(id).await?.record).view(id)))
}

/// Removes a game for good.
#[utoipa::path(delete, path = "/api/games/{id}", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn remove(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<StatusCode> {
    state.archive.remove(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes a game and keeps it; the answer comes when it is on disk.
async fn change(
    state: &AppState,
    id: i64,
    act: impl FnOnce(&mut Play) -> ApiResult<()>,
) -> ApiResult<Json<GameView>> {
    let kept = state.archive.find(id).await?;
    let mut play = Play::new(kept.record);
    act(&mut play)?;
    keep(state, id, kept.version, &play).await
}

async fn keep(state: &AppState, id: i64, version: i64, play: &Play) -> ApiResult<Json<GameView>> {
    state.archive.update(id, version, play.record()).await?;
    if play.record().game.is_over() {
        mark(state, id, play).await;
    }
    Ok(Json(play.view(id)))
}

/// Keeps the results of a finished game's review, if its rules are solved; a player's progress is made of them.
async fn mark(state: &AppState, id: i64, play: &Play) {
    let Ok(variant) = state.variant_of(play.sitting().rules().rule_set()).await else { return };
    let Some(solved) = state.tables.ready(&variant) else { return };
    let record = play.record().clone();
    let marks = state.run_blocking(move || marks(&record, &solved)).await;
    if let Ok(marks) = marks
        && let Err(error) = state.archive.mark(id, marks).await
    {
        tracing::error!("keeping the review of game {id} failed: {error}");
    }
}

/// Returns what the review of a game says of its players.
///
/// # Errors
///
/// Returns an error if the table is damaged.
pub(crate) fn marks(record: &puabi_core::Record, solved: &Solved) -> ApiResult<Marks> {
    let totals = solved.with_values(|values| Review::new(record, values).totals)?;
    Ok(Marks {
        light_accuracy: totals.light.accuracy,
        dark_accuracy: totals.dark.accuracy,
        light_luck: Some(totals.light.luck),
        dark_luck: Some(totals.dark.luck),
    })
}

/// A roll, if people throw the dice.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RollBody {
    /// What the dice show; only if people throw them.
    #[schema(example = json!(null))]
    roll: Option<u8>,
}

/// Throws the dice, or takes the roll of real ones.
#[utoipa::path(post, path = "/api/games/{id}/roll", tag = "games", request_body = RollBody,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game waits for something else")))]
pub(crate) async fn roll(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    Body(body): Body<RollBody>,
) -> ApiResult<Json<GameView>> {
    change(&state, id, |play| play.roll(body.roll)).await
}

/// A move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveBody {
    /// The move, as the game's `moves` have it.
    #[serde(rename = "move")]
    #[schema(example = "0-4")]
    action: String,
}

/// Plays a person's move.
#[utoipa::path(post, path = "/api/games/{id}/move", tag = "games", request_body = MoveBody,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game waits for something else")))]
pub(crate) async fn play(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    Body(body): Body<MoveBody>,
) -> ApiResult<Json<GameView>> {
    change(&state, id, |play| play.play(&body.action)).await
}

/// Lets the agent whose turn it is roll, or move: one of both.
#[utoipa::path(post, path = "/api/games/{id}/step", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "it is a person's turn, or the table is not there yet")))]
pub(crate) async fn step(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<GameView>> {
    let kept = state.archive.find(id).await?;
    let mut play = Play::new(kept.record);
    let Some(spec) = play.mover()? else {
        play.roll(None)?;
        return keep(&state, id, kept.version, &play).await;
    };
    let solved =
        if spec.needs_values() { Some(solved(&state, play.sitting()).await?) } else { None };
    let play = state.run_blocking(move || {
        play.reply(|sitting| {
            think(&spec, sitting.rules(), solved.as_ref(), |agent| sitting.reply(agent))
        })?;
        Ok(play)
    });
    keep(&state, id, kept.version, &play.await?).await
}

/// Returns the table of a game's rules.
async fn solved(state: &AppState, sitting: &Session) -> ApiResult<Arc<Solved>> {
    let variant = state.variant_of(sitting.rules().rule_set()).await?;
    state.tables.obtain(&variant).await
}

/// Goes back to the last choice of a person, with the same roll; a game that was given up goes on.
#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "there is nothing to take back")))]
pub(crate) async fn undo(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<GameView>> {
    change(&state, id, Play::undo).await
}

/// Who gives up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResignBody {
    /// `light` or `dark`.
    #[schema(example = "dark")]
    player: String,
}

/// Gives a game up.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", request_body = ResignBody,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is over")))]
pub(crate) async fn resign(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    Body(body): Body<ResignBody>,
) -> ApiResult<Json<GameView>> {
    change(&state, id, |play| play.resign(&body.player)).await
}

/// Returns all that is known of a game's present position.
#[utoipa::path(get, path = "/api/games/{id}/hint", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = AnswerView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is over or its rules are not solved yet")))]
pub(crate) async fn hint(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<AnswerView>> {
    let play = Play::new(state.archive.find(id).await?.record);
    let game = play.sitting().game();
    let over = || ApiError::conflict("the game is over");
    let (position, turn) = game.position().zip(game.turn()).ok_or_else(over)?;
    let solved = solved(&state, play.sitting()).await?;
    let question = Question { position, turn, roll: game.pending() };
    question.answer(play.sitting().rules(), &solved).map(Json)
}
