//! Agents that think: ours on this thread, other programs at their own pace.

use std::sync::Arc;

use axum::http::StatusCode;
use puabi_answers::{ApiError, ApiResult, unfit};
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, SharedEvaluator};

use crate::games::hosted::Hosted;
use crate::rulesets::variant::Solved;

/// Returns what `ask` asks the agent, once it is ready to play these rules.
///
/// # Errors
///
/// Returns an error if the rules lack what the agent is about, or if the table is damaged.
pub(crate) fn think<T>(
    spec: &AgentSpec,
    rules: &Rules,
    solved: Option<&Arc<Solved>>,
    hosted: &Hosted,
    ask: impl FnOnce(&dyn Agent) -> T,
) -> ApiResult<T> {
    if let Some(agent) = hosted.agent(spec, rules) {
        let agent = agent.map_err(|error| ApiError::new(StatusCode::BAD_GATEWAY, error))?;
        return Ok(ask(&*agent));
    }
    let think = |values: Option<SharedEvaluator<'_>>| {
        let agent = spec.build(rules, values).map_err(|error| unfit("agent", spec, &error))?;
        Ok(ask(&*agent))
    };
    match solved {
        Some(solved) => solved.with_values(|values| think(Some(values)))?,
        None => think(None),
    }
}
