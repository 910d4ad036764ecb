//! What an agent plays in a position.

use puabi_core::{Decision, Player, Policy, Roll, Rules};
use puabi_engine::DiceRng;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::agents::FixedPolicy;
use crate::body::roll;
use crate::error::{ApiError, ApiResult};
use crate::question::Question;
use crate::view::game::Seed;

/// What an agent is to decide.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseBody {
    /// The agent.
    #[schema(example = "greedy")]
    pub agent: String,
    /// The position.
    #[schema(example = "-:-:L")]
    pub position: String,
    /// The roll, if the position does not name it.
    #[serde(default, deserialize_with = "roll")]
    #[schema(example = 1)]
    pub roll: Option<u8>,
    /// The seed of the draw if the agent plays several moves; 0 if it is not given.
    pub seed: Option<Seed>,
}

/// What an agent decides.
#[derive(Debug, Serialize, ToSchema)]
pub struct Choice {
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

impl ChooseBody {
    /// Returns the roll that the request asks about, if the dice can show it.
    ///
    /// # Errors
    ///
    /// Returns an error if no roll is given, if two different rolls are given, or if the dice cannot show the roll.
    pub fn asked_roll(&self, rules: &Rules, question: Question) -> ApiResult<Roll> {
        let apart = self.roll.map(Roll::new);
        if let (Some(apart), Some(named)) = (apart, question.roll)
            && apart != named
        {
            let message =
                format!("the position names a roll of {named}, but the request gives {apart}");
            return Err(ApiError::field("roll", &apart.to_string(), message)
                .expected(format!("{named}, or a position that names no roll")));
        }
        let roll = apart.or(question.roll).ok_or_else(|| {
            ApiError::field("roll", &self.position, "no roll is given")
                .expected(format!("one of {}", rules.roll_list()))
        })?;
        if rules.can_roll(roll) {
            return Ok(roll);
        }
        let message = format!("a roll of {roll} cannot be thrown");
        Err(ApiError::field("roll", &roll.to_string(), message)
            .expected(format!("one of {}", rules.roll_list())))
    }
}

impl Choice {
    /// Draws a move from `policy` by the seed; `turn` is the player to move.
    ///
    /// # Errors
    ///
    /// Returns an error if the move is not legal, which an agent of ours never plays.
    pub fn drawn(
        decision: &Decision<'_>,
        turn: Player,
        policy: Policy,
        seed: u64,
    ) -> ApiResult<Self> {
        let mut thrower = DiceRng::new(seed);
        thrower.throw(decision.rules().rule_set().dice);
        let action = thrower.choose(decision, &FixedPolicy(policy.clone()));
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
