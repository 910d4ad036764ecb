//! Agents: the list, and what one of them plays.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use puabi_answers::{
    AgentView, ApiError, ApiResult, Choice, ChooseBody, ErrorBody, Question, parse_agent, roster,
};
use puabi_core::Agent;

use crate::games::agents::think;
use crate::http::extract::{Body, Path};
use crate::state::AppState;

/// Lists the agents that play these rules.
///
/// Requests may also name any other agent that `ur agents` lists, except those that read files or look far ahead.
#[utoipa::path(get, path = "/api/{rules}/agents", tag = "agents",
    params(("rules" = String, Path, description = "the rule set", example = "finkel")),
    responses((status = OK, body = [AgentView]), (status = NOT_FOUND, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    Path(name): Path<String>,
) -> ApiResult<Json<Vec<AgentView>>> {
    let variant = state.variant(&name).await?;
    let hosted = Arc::clone(&state.hosted);
    state.run_blocking(move || Ok(Json(roster(variant.rules(), hosted.specs())))).await
}

/// Asks an agent for its move.
#[utoipa::path(post, path = "/api/{rules}/choose", tag = "agents",
    params(("rules" = String, Path, description = "the rule set", example = "finkel:1")),
    request_body = ChooseBody,
    responses(
        (status = OK, body = Choice),
        (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody, description = "the agent needs a table that does not exist yet"),
        (status = BAD_GATEWAY, body = ErrorBody, description = "the agent is a program, and it failed"),
    ))]
pub(crate) async fn choose(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Body(body): Body<ChooseBody>,
) -> ApiResult<Json<Choice>> {
    let variant = state.variant(&name).await?;
    let question = Question::read(variant.rules(), &body.position)?;
    let spec = parse_agent("agent", &body.agent, state.hosted.specs())?;
    let roll = body.asked_roll(variant.rules(), question)?;
    let solved =
        if spec.needs_values() { Some(state.tables.obtain(&variant).await?) } else { None };
    let (rules, seed) = (Arc::clone(variant.rules()), body.seed.map_or(0, |seed| seed.0));
    let (hosted, asked) = (Arc::clone(&state.hosted), spec.clone());
    let choice = state.run_asking(&spec, move || {
        let decision = rules.decision(question.position, roll).by(question.turn);
        let ask = |agent: &dyn Agent| agent.try_policy(&decision);
        let policy = think(&asked, &rules, solved.as_ref(), &hosted, ask)?;
        let policy = policy.map_err(|reason| ApiError::new(StatusCode::BAD_GATEWAY, reason))?;
        Choice::drawn(&decision, question.turn, policy, seed)
    });
    choice.await.map(Json)
}
