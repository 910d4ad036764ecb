//! Agents: the list, and what one of them plays.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use puabi_core::{Agent, Decision, Player, Policy, Roll, Rules};
use puabi_engine::{AgentSpec, DiceRng};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::Question;
use crate::games::agents::{AgentView, Settled, named, roster, think};
use crate::http::error::{ApiError, ApiResult, ErrorBody};
use crate::http::extract::{Body, Path};
use crate::state::AppState;
use crate::view::game::Seed;

/// Lists the agents that play these rules.
///
/// Others can be asked for: any that `ur agents` lists, except those that read files or look far ahead.
#[utoipa::path(get, path = "/api/{rules}/agents", tag = "agents",
    params(("rules" = String, Path, description = "the rule set", example = "finkel")),
    responses((status = OK, body = [AgentView]), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Json<Vec<AgentView>>> {
    let variant = state.variant(&name).await?;
    let hosted = Arc::clone(&state.hosted);
    state.run_blocking(move || Ok(Json(roster(variant.rules(), &hosted)))).await
}

/// What an agent is to decide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChooseBody {
    /// The agent.
    #[schema(example = "greedy")]
    agent: String,
    /// The position.
    #[schema(example = "-:-:L")]
    position: String,
    /// The roll, if the position does not name it.
    #[schema(example = 1)]
    roll: Option<u8>,
    /// The seed of the draw if the agent plays several moves; 0 if it is not given.
    seed: Option<Seed>,
}

/// What an agent decides.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Choice {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "8-9")]
    action: String,
    /// The position that follows; absent if the game is won.
    after: Option<String>,
    /// How likely the agent plays each legal move.
    policy: Vec<MoveChance>,
}

/// A move and how likely it is played.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoveChance {
    #[serde(rename = "move")]
    action: String,
    /// The chance (0..=1).
    chance: f64,
}

/// Asks an agent for its move.
#[utoipa::path(post, path = "/api/{rules}/choose", tag = "agents",
    params(("rules" = String, Path, description = "the rule set", example = "finkel:1")),
    request_body = ChooseBody,
    responses(
        (status = OK, body = Choice),
        (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the agent plays by a table that is not there yet"),
        (status = BAD_GATEWAY, body = ErrorBody, description = "the agent is a program that fails"),
    ))]
pub(crate) async fn choose(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Body(body): Body<ChooseBody>,
) -> ApiResult<Json<Choice>> {
    let variant = state.variant(&name).await?;
    let question = Question::read(variant.rules(), &body.position)?;
    let spec = named("agent", &body.agent, &state.hosted)?;
    let roll = asked_roll(variant.rules(), &body, question)?;
    let solved =
        if spec.needs_values() { Some(state.tables.obtain(&variant).await?) } else { None };
    let (rules, seed) = (Arc::clone(variant.rules()), body.seed.map_or(0, |seed| seed.0));
    let hosted = Arc::clone(&state.hosted);
    let choice = state.run_blocking(move || {
        let decision = rules.decision(question.position, roll).by(question.turn);
        let ask = |agent: &dyn Agent| policy(&spec, agent, &decision);
        let policy = think(&spec, &rules, solved.as_ref(), &hosted, ask)??;
        Choice::drawn(&decision, question.turn, policy, seed)
    });
    choice.await.map(Json)
}

/// Returns how likely the agent plays each move; the move that a program plays now counts as certain.
fn policy(spec: &AgentSpec, agent: &dyn Agent, decision: &Decision<'_>) -> ApiResult<Policy> {
    if spec.command().is_none() {
        return Ok(agent.policy(decision));
    }
    let played = agent.play(decision, 0.0);
    let played = played.map_err(|reason| ApiError::new(StatusCode::BAD_GATEWAY, reason))?;
    Ok(decision.moves().iter().map(|&action| f64::from(u8::from(action == played))).collect())
}

/// Returns the roll that is asked about, which must be one that can be thrown.
fn asked_roll(rules: &Rules, body: &ChooseBody, question: Question) -> ApiResult<Roll> {
    let rolls =
        || rules.rolls().iter().map(|(roll, _)| roll.to_string()).collect::<Vec<_>>().join(", ");
    let roll = body.roll.map(Roll::new).or(question.roll).ok_or_else(|| {
        ApiError::field("roll", &body.position, "no roll is given")
            .expected(format!("one of {}", rolls()))
    })?;
    if rules.can_roll(roll) {
        return Ok(roll);
    }
    let message = format!("a roll of {roll} cannot be thrown");
    Err(ApiError::field("roll", &roll.to_string(), message).expected(format!("one of {}", rolls())))
}

impl Choice {
    /// Returns the move that is drawn from `policy` by the seed; `turn` is the player to move.
    fn drawn(decision: &Decision<'_>, turn: Player, policy: Policy, seed: u64) -> ApiResult<Self> {
        let mut thrower = DiceRng::new(seed);
        thrower.throw(decision.rules().rule_set().dice);
        let action = thrower.choose(decision, &Settled(policy.clone()));
        let after =
            decision.play(action).map_err(|error| ApiError::internal("choosing", &error))?;
        let next = if after.rolls_again() { turn } else { turn.opponent() };
        let setup = after.position().map(|position| decision.rules().setup(position, next));
        let chances = decision.moves().into_iter().zip(policy);
        Ok(Self {
            action: action.to_string(),
            after: setup.map(|setup| setup.to_string()),
            policy: chances
                .map(|(action, chance)| MoveChance { action: action.to_string(), chance })
                .collect(),
        })
    }
}
