//! Agents as the user names them, ready to play.

use std::io;
use std::sync::Once;

use anyhow::Result;
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, BoxedAgent, SharedEvaluator};
use puabi_tables::Table;

use crate::errors::Advise;
use crate::output::status;
use crate::{files, tables};

const HINT: &str = "`ur agents` lists them and tells how they think";

/// Reads the file of a model; says so if another program seems to have written it.
pub(crate) fn read_model(file: &str) -> io::Result<String> {
    static ONCE: Once = Once::new();
    let text = files::text_at(file.as_ref())?;
    // A linear model has keys, and a brain of ours names its rules.
    if !text.contains('=') && !text.contains("# rules:") {
        ONCE.call_once(|| {
            status(format_args!(
                "{file} names no rules: a brain of RoyalGameOfUrReloaded plays as another bot here, where the board is \
                 seen by the player about to roll and not by light (`ur help brains`)"
            ));
        });
    }
    Ok(text)
}

/// Returns an agent that is ready to play.
pub(crate) fn build<'a>(
    spec: &AgentSpec,
    rules: &'a Rules,
    values: Option<SharedEvaluator<'a>>,
) -> Result<BoxedAgent<'a>> {
    spec.build_reading(rules, values, &read_model).hint(|| HINT)
}

/// Checks that the agents can play these rules, before anything is solved for them.
pub(crate) fn ensure<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
) -> Result<()> {
    let mut checks = specs.into_iter().map(|spec| spec.check(rules, &read_model));
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
