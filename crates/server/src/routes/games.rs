//! Games as they are played. Every change is on disk before it is answered.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use puabi_answers::{
    AgentTask, AnswerView, ApiError, ApiResult, DoubleBody, ErrorBody, GameView, Marks, MoveBody,
    NewGame, Play, Question, ResignBody, RollBody, Seed, Undo,
};
use puabi_core::{Agent, Player, Record};
use puabi_engine::{AgentSpec, CubeJudge, Session};
use serde::Serialize;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::ToSchema;

use crate::archive::ArchiveError;
use crate::games::agents::think;
use crate::games::keys::{self, AllowedSeats, ShownKeys};
use crate::http::extract::{Body, Path};
use crate::mode::Mode;
use crate::rulesets::cubes::CubeValues;
use crate::rulesets::judge::Judge;
use crate::rulesets::variant::ServedTable;
use crate::state::AppState;

/// Begins a game.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = CREATED, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody, description = "no such rule set"),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "no more games may be kept")))]
pub(crate) async fn begin(
    State(state): State<AppState>,
    Body(body): Body<NewGame>,
) -> ApiResult<(StatusCode, Json<GameView>)> {
    if let Some(Seed(seed)) = body.seed.filter(|_| state.mode == Mode::Public) {
        let message = "the seed gives away the dice, so a public game takes none";
        return Err(ApiError::field("seed", &seed.to_string(), message).expected("no seed"));
    }
    let variant = state.variant(&body.rules).await?;
    let programs = state.hosted.specs().to_vec();
    let record = body.plan(Arc::clone(variant.rules()), rand::random(), programs).begin()?;
    state.ensure_room_for_game().await?;
    let keys = (state.mode == Mode::Public).then(keys::draw).transpose()?;
    let id = state.archive.insert(&record, keys.as_ref().map(keys::hashes)).await?;
    let mut view = view(&state, id, &Play::new(record)).await;
    view.keys = keys;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Returns a game and its present position.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<GameView>> {
    let play = Play::new(state.archive.find(id).await?.record);
    Ok(Json(view(&state, id, &play).await))
}

/// An event: a game has changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Changed {
    id: i64,
}

/// Sends an event for each change of a game and for its removal; request the game after each event.
#[utoipa::path(get, path = "/api/games/{id}/events", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = Changed, content_type = "text/event-stream"), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn watch(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let changes = BroadcastStream::new(state.changes.subscribe());
    state.archive.find(id).await?;
    // A client that is too far behind may have missed a change of this game.
    let of_game = changes.filter(move |changed| changed.as_ref().map_or(true, |&game| game == id));
    let events =
        of_game.map(move |_| Ok(Event::default().json_data(Changed { id }).unwrap_or_default()));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Removes a game for good.
#[utoipa::path(delete, path = "/api/games/{id}", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the data directory is read-only")))]
pub(crate) async fn remove(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<StatusCode> {
    state.archive.remove(id).await?;
    let _ = state.changes.send(id);
    Ok(StatusCode::NO_CONTENT)
}

/// A request to change a game.
struct Change<'s> {
    state: &'s AppState,
    id: i64,
    shown: ShownKeys,
}

impl Change<'_> {
    /// Returns the game with its version, and the seats that the request may act for.
    async fn load(&self) -> ApiResult<(i64, Play, AllowedSeats)> {
        let kept = self.state.archive.find(self.id).await?;
        let seated = match self.state.mode {
            Mode::Public => AllowedSeats::by(&self.shown, kept.key_hashes.as_ref()),
            Mode::Mine | Mode::ReadOnly => AllowedSeats::BOTH,
        };
        Ok((kept.version, Play::new(kept.record), seated))
    }

    /// Changes the game by `act`, which returns the player who acts, and keeps it. The answer comes when the change is on disk.
    async fn apply(
        self,
        act: impl FnOnce(&mut Play) -> ApiResult<Option<Player>>,
    ) -> ApiResult<Json<GameView>> {
        let (version, mut play, seated) = self.load().await?;
        let player = act(&mut play)?;
        seated.ensure(player)?;
        keep(self.state, self.id, version, &play).await
    }
}

async fn keep(state: &AppState, id: i64, version: i64, play: &Play) -> ApiResult<Json<GameView>> {
    state.archive.update(id, version, play.record()).await?;
    // It is no error if no client watches.
    let _ = state.changes.send(id);
    if play.record().game.is_over() {
        mark(state, id, play).await;
    }
    Ok(Json(view(state, id, play).await))
}

/// Returns the view of a game. A server for others leaves out the seed, from which the dice to come follow, after an undo too.
async fn view(state: &AppState, id: i64, play: &Play) -> GameView {
    let known = state.knows(play.session().rules().rule_set()).await;
    let view = play.view((id, known), undo_on(state));
    if state.mode.is_for_others() { view.without_seed() } else { view }
}

/// Returns how far back games on this server may go.
fn undo_on(state: &AppState) -> Undo {
    if state.mode == Mode::Public { Undo::BeforeRoll } else { Undo::ToChoice }
}

/// Keeps the results of a finished game's review, if its rules are solved; a player's progress is made of them.
async fn mark(state: &AppState, id: i64, play: &Play) {
    if let Some(marks) = marks(state, play.record().clone()).await {
        keep_marks(state, id, marks).await;
    }
}

/// Keeps the results of a review; if that fails, they are found anew the next time.
pub(crate) async fn keep_marks(state: &AppState, id: i64, marks: Marks) {
    if let Err(error) = state.archive.mark(id, marks).await {
        tracing::error!("keeping the review of game {id} failed: {error}");
    }
}

/// Returns the results of a finished game's review, if its rules are solved.
pub(crate) async fn marks(state: &AppState, record: Record) -> Option<Marks> {
    let variant = state.variant_of(record.game.rules().rule_set()).await.ok()?;
    let here = state.clone();
    let found = state.run_blocking(move || {
        let solved = here.tables.ready(&variant);
        solved.map(|it| it.with_values(|values| Marks::of(&record, values))).transpose()
    });
    // A table that is damaged has been reported where it was read.
    found.await.ok().flatten()
}

/// Throws the dice, or enters the roll of real dice.
#[utoipa::path(post, path = "/api/games/{id}/roll", tag = "games", request_body = Option<RollBody>,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game waits for something else")))]
pub(crate) async fn roll(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
    Body(body): Body<RollBody>,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(|play| play.roll(body.roll)).await
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
    shown: ShownKeys,
    Body(body): Body<MoveBody>,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(|play| play.play(&body.action)).await
}

/// Lets the agent whose turn it is do one thing: roll, move, double, or answer a double. An agent that is another program may
/// give the game up.
#[utoipa::path(post, path = "/api/games/{id}/step", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "it is a person's turn, or the agent needs a table that does not exist yet")))]
pub(crate) async fn step(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
) -> ApiResult<Json<GameView>> {
    let (version, mut play, seated) = Change { state: &state, id, shown }.load().await?;
    let task = play.agent_task(state.hosted.specs())?;
    seated.ensure(None)?;
    let spec = match task {
        AgentTask::Roll => {
            play.roll(None)?;
            return keep(&state, id, version, &play).await;
        }
        AgentTask::RollOrDouble | AgentTask::Answer => {
            let play = play_cube_decision(&state, play).await?;
            return keep(&state, id, version, &play).await;
        }
        AgentTask::Move(spec) => spec,
    };
    let exact =
        if spec == AgentSpec::PERFECT { cube_of(&state, play.session()).await? } else { None };
    let solved =
        if spec.needs_values() { Some(solved(&state, play.session()).await?) } else { None };
    let (hosted, asked) = (Arc::clone(&state.hosted), spec.clone());
    let play = state.run_asking(&spec, move || {
        play.reply(|session| {
            if let Some(exact) = exact {
                return exact.with(|values| session.best_with_cube(values).map(Ok));
            }
            let ask = |agent: &dyn Agent| session.reply(agent);
            think(&asked, session.rules(), solved.as_ref(), &hosted, ask)
        })?;
        Ok(play)
    });
    keep(&state, id, version, &play.await?).await
}

/// Lets an agent double, answer a double, or roll: by the values of the game with its cube, or else by its chance to win, which
/// comes from a search if there is no table.
async fn play_cube_decision(state: &AppState, mut play: Play) -> ApiResult<Play> {
    let variant = state.variant_of(play.session().rules().rule_set()).await?;
    let judge = state.tables.judge(&variant).await.unwrap_or_else(|_| Judge::search(&variant));
    if matches!(judge, Judge::Table(_))
        && let Some(exact) = cube_of(state, play.session()).await?
    {
        let decide = move || {
            exact.with(|values| play.play_cube_decision(CubeJudge::Exact(values)))??;
            Ok(play)
        };
        return state.run_blocking(decide).await;
    }
    let decide = move || {
        let position = play.session().game().position();
        let chance = position.map(|position| judge.with_values(|values| values.value(position)));
        play.play_cube_decision(CubeJudge::Chance(chance.transpose()?.unwrap_or(0.5)))?;
        Ok(play)
    };
    state.run_blocking(decide).await
}

/// Returns the values of a game with its cube, if it has one and there are values.
pub(crate) async fn cube_of(
    state: &AppState,
    session: &Session,
) -> ApiResult<Option<Arc<CubeValues>>> {
    let Some(stakes) = session.stakes() else { return Ok(None) };
    let variant = state.variant_of(session.rules().rule_set()).await?;
    state.tables.cube(&variant, stakes).await
}

/// Doubles for the person about to roll, in a game with a cube.
#[utoipa::path(post, path = "/api/games/{id}/double", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the player may not double")))]
pub(crate) async fn double(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(Play::double).await
}

/// Takes or passes the double that waits for a person's answer; a player who passes loses what the cube showed.
#[utoipa::path(post, path = "/api/games/{id}/answer", tag = "games", request_body = DoubleBody,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "no double waits for a person's answer")))]
pub(crate) async fn answer(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
    Body(body): Body<DoubleBody>,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(|play| play.answer_double(body.take)).await
}

/// Begins the next game of a match, with the same players; the seats keep their keys. A second request returns the game that
/// the first has begun.
#[utoipa::path(post, path = "/api/games/{id}/next", tag = "games",
    params(("id" = i64, Path, description = "the number of a game that is over")),
    responses((status = CREATED, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "no game of a match follows this one"),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "no more games may be kept")))]
pub(crate) async fn next(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
) -> ApiResult<(StatusCode, Json<GameView>)> {
    let kept = state.archive.find(id).await?;
    if state.mode == Mode::Public {
        AllowedSeats::by(&shown, kept.key_hashes.as_ref()).ensure(None)?;
    }
    if let Some(begun) = begun(&state, &kept.record).await? {
        return Ok((StatusCode::CREATED, Json(begun)));
    }
    let next = Play::new(kept.record.clone()).next()?;
    state.ensure_room_for_game().await?;
    let new = (next.record(), kept.key_hashes);
    match state.archive.follow((id, kept.version), &kept.record, new).await {
        Ok(number) => {
            let _ = state.changes.send(id);
            Ok((StatusCode::CREATED, Json(view(&state, number, &next).await)))
        }
        // If another request was faster, its game stays and this one is not begun.
        Err(error @ ArchiveError::Changed { .. }) => {
            let now = state.archive.find(id).await?.record;
            let begun = begun(&state, &now).await?.ok_or(error)?;
            Ok((StatusCode::CREATED, Json(begun)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the next game of the match of `record`, if it has begun.
async fn begun(state: &AppState, record: &Record) -> ApiResult<Option<GameView>> {
    let Some(next) = record.next_game() else { return Ok(None) };
    let begun = Play::new(state.archive.find(next).await?.record);
    Ok(Some(view(state, next, &begun).await))
}

/// Returns the table of a game's rules.
async fn solved(state: &AppState, session: &Session) -> ApiResult<Arc<ServedTable>> {
    let variant = state.variant_of(session.rules().rule_set()).await?;
    state.tables.obtain(&variant).await
}

/// Goes back to the last choice of a person, with the same roll; a game that was given up goes on. A public server allows this
/// only until the next roll is thrown.
#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "there is nothing to take back, or a roll has been thrown since")))]
pub(crate) async fn undo(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(|play| play.undo(undo_on(&state))).await
}

/// Gives a game up.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", request_body = ResignBody,
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = GameView), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is over, or an agent plays that player")))]
pub(crate) async fn resign(
    State(state): State<AppState>,
    Path(id): Path<i64>,
    shown: ShownKeys,
    Body(body): Body<ResignBody>,
) -> ApiResult<Json<GameView>> {
    Change { state: &state, id, shown }.apply(|play| play.resign(&body.player)).await
}

/// Returns the value of a game's present position and of every move in it.
#[utoipa::path(get, path = "/api/games/{id}/hint", tag = "games",
    params(("id" = i64, Path, description = "the number of the game")),
    responses((status = OK, body = AnswerView), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the game is over or its rules are not solved yet")))]
pub(crate) async fn hint(
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> ApiResult<Json<AnswerView>> {
    let play = Play::new(state.archive.find(id).await?.record);
    let game = play.session().game();
    let over = || ApiError::conflict("the game is over");
    let (position, turn) = game.position().zip(play.session().turn()).ok_or_else(over)?;
    let variant = state.variant_of(play.session().rules().rule_set()).await?;
    let judge = state.tables.judge(&variant).await?;
    let question = Question { position, turn, roll: game.pending() };
    let cube = if game.pending().is_none() { cube_of(&state, play.session()).await? } else { None };
    let answer = state.run_blocking(move || {
        let answer = judge.answer(question, variant.rules())?;
        let (Some(values), Some(stakes)) = (cube, play.session().stakes()) else {
            return Ok(answer);
        };
        let choice = values.with(|values| play.session().cube_choice(values))?;
        Ok(match choice {
            Some(choice) => answer.with_cube(choice, stakes, turn),
            None => answer,
        })
    });
    answer.await.map(Json)
}
