//! Agents as the user names them, ready to play.

use std::cell::RefCell;
use std::io;
use std::sync::Once;

use anyhow::{Result, anyhow};
use puabi_core::{Agent, Rules};
use puabi_engine::{AgentSpec, BoxedAgent, SharedEvaluator};
use puabi_server::Language;
use puabi_solve::Exchange;
use puabi_study::Engines;
use puabi_tables::Table;

use crate::errors::Advise;
use crate::output::status;
use crate::ranks::{self, one_by_one};
use crate::{files, tables};

const HINT: &str = "`ur agents` lists them, and how they think";
/// The hint for a program that does not start as an engine.
pub(crate) const ENGINE_HINT: &str =
    "`ur help protocol` describes how a program plays as an engine";

/// Reads the file of a model; prints a note if another program seems to have written it.
pub(crate) fn read_model(file: &str) -> io::Result<Vec<u8>> {
    static ONCE: Once = Once::new();
    let text = files::text_at(file.as_ref())?;
    // A linear model has keys, and a brain of ours names its rules.
    let is_grid = text.bytes().any(|byte| byte.is_ascii_digit()) && !text.contains('=');
    if is_grid && !text.contains("# rules:") {
        ONCE.call_once(|| {
            status(format_args!(
                "{file} names no rules: a brain of RoyalGameOfUrReloaded plays as another bot here, where the board is \
                 seen by the player about to roll and not by light; brain-absolute:{file} plays as it does there (`ur help \
                 brains`)"
            ));
        });
    }
    Ok(text.into_bytes())
}

/// Returns an agent that is ready to play; an agent that is another program comes from `engines`.
pub(crate) fn build<'a>(
    spec: &AgentSpec,
    rules: &'a Rules,
    values: Option<SharedEvaluator<'a>>,
    engines: &Engines,
) -> Result<BoxedAgent<'a>> {
    match spec.command() {
        Some(command) => engines.agent(command, rules).hint(|| ENGINE_HINT),
        None => build_own(spec, rules, values),
    }
}

/// Returns an agent that is ready to play and is not another program.
pub(crate) fn build_own<'a>(
    spec: &AgentSpec,
    rules: &'a Rules,
    values: Option<SharedEvaluator<'a>>,
) -> Result<BoxedAgent<'a>> {
    spec.build_reading(rules, values, &|file| read(spec, file)).hint(|| HINT)
}

/// Reads the file that an agent plays by.
fn read(spec: &AgentSpec, file: &str) -> io::Result<Vec<u8>> {
    if spec.pocket_file().is_some() {
        super::pockets::bytes(file.as_ref())
    } else if spec.sees_colours() {
        files::text_at(file.as_ref()).map(String::into_bytes)
    } else {
        read_model(file)
    }
}

/// Checks that the agents can play these rules, before anything is solved for them.
pub(crate) fn ensure<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
) -> Result<()> {
    let check = |spec: &'s AgentSpec| spec.check(rules, &|file| read(spec, file));
    let mut checks = specs.into_iter().map(check);
    checks.try_for_each(|check| check).hint(|| HINT)
}

/// Checks that all ranks read the same files of agents, and that the same agents can play on each rank.
pub(crate) fn ensure_alike<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
    ranks: &dyn Exchange,
) -> Result<()> {
    if ranks.ranks() == 1 {
        return Ok(());
    }
    let found = RefCell::new(blake3::Hasher::new());
    let add = |bytes: &[u8]| {
        found.borrow_mut().update(bytes);
    };
    for spec in specs {
        let is_known = spec.check(rules, &|file| read(spec, file).inspect(|bytes| add(bytes)));
        add(&[u8::from(is_known.is_ok())]);
    }
    ranks::ensure_alike("files of agents", found.into_inner().finalize().as_bytes(), ranks)
}

/// Checks that the results of the agents can be computed exactly. If not, the error has `hint`, which says what can be done
/// instead.
pub(crate) fn ensure_exact<'s>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    hint: &str,
) -> Result<()> {
    let Some(spec) = specs.into_iter().find(|spec| spec.sees_colours()) else { return Ok(()) };
    let reason = "plays light otherwise than dark: what it wins cannot be computed, only played";
    Err(anyhow!("{spec} {reason}")).hint(|| hint)
}

/// Returns the result of `work` with the values of the game, if one of the agents plays by them.
///
/// Solves the game first if there is no table. Among several ranks, each does so in turn, and afterwards all must have the same
/// table.
pub(crate) fn with_values<'s, T>(
    specs: impl IntoIterator<Item = &'s AgentSpec>,
    rules: &Rules,
    ranks: &dyn Exchange,
    work: impl FnOnce(Option<SharedEvaluator<'_>>) -> Result<T>,
) -> Result<T> {
    if specs.into_iter().any(AgentSpec::needs_values) {
        let table = one_by_one(ranks, || tables::obtain(rules, Language::English))?;
        ranks::ensure_alike("values of the game", table.hash().as_bytes(), ranks)?;
        tables::tell_rounded(&table);
        tables::with_values(&table, |values| work(Some(values)))?
    } else {
        work(None)
    }
}

/// Returns the result of `work` with the agent, which plays by the values of `table` if it needs any.
pub(crate) fn with_agent<T>(
    spec: &AgentSpec,
    rules: &Rules,
    table: Option<&Table>,
    engines: &Engines,
    work: impl FnOnce(&dyn Agent) -> T,
) -> Result<T> {
    let play = |values: Option<SharedEvaluator<'_>>| {
        let agent = build(spec, rules, values, engines)?;
        Ok(work(&*agent))
    };
    match table {
        Some(table) => tables::with_values(table, |values| play(Some(values)))?,
        None => play(None),
    }
}
