//! Agents: the list, and what one of them plays.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use puabi_core::Roll;
use puabi_engine::Thrower;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::Question;
use crate::agents::{AgentView, Settled, named, roster, think};
use crate::error::{Answered, ApiError, ErrorBody};
use crate::extract::{Body, Segments};
use crate::house::House;
use crate::view::game::Seed;

/// Lists the agents that play these rules.
///
/// Others can be asked for: any that `ur agents` tells of, save those that read files or look far ahead.
#[utoipa::path(get, path = "/api/{rules}/agents", tag = "agents",
    params(("rules" = String, Path, description = "the rule set", example = "finkel")),
    responses((status = OK, body = [AgentView]), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn list(
    State(house): State<House>,
    Segments(name): Segments<String>,
) -> Answered<Json<Vec<AgentView>>> {
    let variant = house.library.find(&name)?;
    house.think(move || Ok(Json(roster(variant.rules())))).await
}

/// What an agent is to decide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChooseBody {
    /// The agent.
    #[schema(example = "greedy")]
    agent: String,
    /// The position.
    #[schema(example = "4,8:5,9:L")]
    position: String,
    /// The roll, where the position does not name it.
    #[schema(example = 1)]
    roll: Option<u8>,
    /// The seed of the draw where the agent plays several moves; 0 where it is not given.
    seed: Option<Seed>,
}

/// What an agent decides.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Choice {
    /// The move.
    #[serde(rename = "move")]
    #[schema(example = "8-9")]
    action: String,
    /// The position that follows; none where the game is won.
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
    ))]
pub(crate) async fn choose(
    State(house): State<House>,
    Segments(name): Segments<String>,
    Body(body): Body<ChooseBody>,
) -> Answered<Json<Choice>> {
    let variant = house.library.find(&name)?;
    let question = Question::read(variant.rules(), &body.position)?;
    let spec = named("agent", &body.agent)?;
    let roll = body.roll.map(Roll::new).or(question.roll).ok_or_else(|| {
        ApiError::field("roll", &body.position, "no roll is given").expected("a roll, as in 3")
    })?;
    if !variant.rules().can_roll(roll) {
        let rolls: Vec<_> =
            variant.rules().rolls().iter().map(|(roll, _)| roll.to_string()).collect();
        let message = format!("a roll of {roll} cannot be thrown");
        return Err(ApiError::field("roll", &roll.to_string(), message)
            .expected(format!("one of {}", rolls.join(", "))));
    }
    let solved =
        if spec.needs_values() { Some(house.tables.obtain(&variant).await?) } else { None };
    let rules = Arc::clone(variant.rules());
    let choice = house.think(move || {
        let decision = rules.decision(question.position, roll);
        let mut thrower = Thrower::new(body.seed.map_or(0, |seed| seed.0));
        thrower.throw(rules.rule_set().dice);
        let policy = think(&spec, &rules, solved.as_ref(), |agent| agent.policy(&decision))?;
        let action = thrower.choose(&decision, &Settled(policy.clone()));
        let after =
            decision.play(action).map_err(|error| ApiError::internal("choosing", &error))?;
        let next = if after.rolls_again() { question.turn } else { question.turn.opponent() };
        let chances = decision.moves().into_iter().zip(policy);
        Ok(Choice {
            action: action.to_string(),
            after: after.position().map(|position| rules.setup(position, next).to_string()),
            policy: chances
                .map(|(action, chance)| MoveChance { action: action.to_string(), chance })
                .collect(),
        })
    });
    choice.await.map(Json)
}
