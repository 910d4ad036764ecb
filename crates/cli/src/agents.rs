//! Agents as the user names them, made ready to play.

use anyhow::Result;
use puabi_core::Rules;
use puabi_engine::{AgentSpec, BoxedAgent, SharedEvaluator};

use crate::complaint::Advise;
use crate::tables::{self, Lookup};

/// Returns the agent, ready to play.
pub(crate) fn build<'a>(
    spec: &AgentSpec,
    rules: &'a Rules,
    values: Option<&'a Lookup>,
) -> Result<BoxedAgent<'a>> {
    let values = values.map(|lookup| lookup as SharedEvaluator<'a>);
    spec.build(rules, values).hint(|| "`ur agents` lists them and tells how they think")
}

/// Returns the table of the game where one of the agents plays by it, solving the game first where there is none.
pub(crate) fn values<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
) -> Result<Option<Lookup>> {
    let needed = specs.into_iter().any(AgentSpec::needs_values);
    needed.then(|| tables::obtain(rules)).transpose()
}
