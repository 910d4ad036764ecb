//! Agents as the user names them, ready to play.

use anyhow::Result;
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, BoxedAgent, SharedEvaluator};
use puabi_tables::Table;

use crate::errors::Advise;
use crate::{files, tables};

const HINT: &str = "`ur agents` lists them and tells how they think";

/// Returns an agent that is ready to play.
pub(crate) fn build<'a>(
    spec: &AgentSpec,
    rules: &'a Rules,
    values: Option<SharedEvaluator<'a>>,
) -> Result<BoxedAgent<'a>> {
    let read = |file: &str| files::text_at(file.as_ref());
    spec.build_reading(rules, values, &read).hint(|| HINT)
}

/// Checks that the agents can play these rules, before anything is solved for them.
pub(crate) fn ensure<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
) -> Result<()> {
    let read = |file: &str| files::text_at(file.as_ref());
    let mut checks = specs.into_iter().map(|spec| spec.check(rules, &read));
    checks.try_for_each(|check| check).hint(|| HINT)
}

/// Returns the result of `work` with the values of the game, if one of the agents plays by them.
///
/// Solves the game first if there is no table.
pub(crate) fn with_values<'s, T>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
    work: impl FnOnce(Option<SharedEvaluator<'_>>) -> Result<T>,
) -> Result<T> {
    if specs.into_iter().any(AgentSpec::needs_values) {
        tables::with_values(&tables::obtain(rules)?, |values| work(Some(values)))?
    } else {
        work(None)
    }
}

/// Returns the result of `work` with the agent, which plays by the values of `table` if it needs any.
pub(crate) fn with_agent<T>(
    spec: &AgentSpec,
    rules: &Rules,
    table: Option<&Table>,
    work: impl FnOnce(&dyn Agent) -> T,
) -> Result<T> {
    let play = |values: Option<SharedEvaluator<'_>>| Ok(work(&*build(spec, rules, values)?));
    match table {
        Some(table) => tables::with_values(table, |values| play(Some(values)))?,
        None => play(None),
    }
}
