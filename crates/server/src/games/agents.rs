//! Asking agents: our own agents think on this thread, other programs in their own processes.

use std::sync::Arc;

use axum::http::StatusCode;
use puabi_answers::{ApiError, ApiResult, unsuitable_agent_error};
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, SharedEvaluator};

use crate::games::hosted::HostedPrograms;
use crate::rulesets::variant::ServedTable;

/// Makes an agent ready to play these rules, and returns the result of `ask` on it.
///
/// # Errors
///
/// Returns an error if the agent cannot play these rules, if its program fails, or if the table is damaged.
pub(crate) fn think<T>(
    spec: &AgentSpec,
    rules: &Rules,
    solved: Option<&Arc<ServedTable>>,
    hosted: &HostedPrograms,
    ask: impl FnOnce(&dyn Agent) -> T,
) -> ApiResult<T> {
    if let Some(agent) = hosted.agent(spec, rules) {
        let agent = agent.map_err(|error| ApiError::new(StatusCode::BAD_GATEWAY, error))?;
        return Ok(ask(&*agent));
    }
    let think = |values: Option<SharedEvaluator<'_>>| {
        let agent = spec
            .build(rules, values)
            .map_err(|error| unsuitable_agent_error("agent", spec, &error))?;
        Ok(ask(&*agent))
    };
    match solved {
        Some(solved) => solved.with_values(|values| think(Some(values)))?,
        None => think(None),
    }
}
