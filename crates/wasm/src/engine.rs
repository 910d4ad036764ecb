//! Everything that a request can use, and the work that takes a worker of its own.

use puabi_answers::{ApiError, ApiResult, SMALL, demonstrate};
use puabi_engine::Pocket;
use puabi_solve::Watch;
use puabi_tables::MemoryTable;
use serde::Serialize;

use crate::catalog::Catalog;
use crate::memory::notify_page;
use crate::request::solving_failed;
use crate::tables::Tables;

/// Everything that a request can use.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    pub(crate) catalog: Catalog,
    pub(crate) tables: Tables,
}

/// How far a solve is.
#[derive(Debug, Serialize)]
struct ProgressEvent {
    done: u64,
    total: u64,
}

/// Reports to the page how far a solve is.
#[derive(Debug)]
struct Reporter;

impl Watch for Reporter {
    fn progress(&self, done: u64, total: u64) {
        notify_page(&ProgressEvent { done, total });
    }

    fn stop(&self) -> bool {
        // A page that does not want the solve any more ends the worker.
        false
    }
}

impl Engine {
    /// Returns an engine that knows the presets.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Takes over a table, and returns the hash that names it; or `!` and the reason why it is refused.
    pub(crate) fn add_table(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        match MemoryTable::open(bytes) {
            Ok(table) => {
                let hash = table.hash().to_hex();
                self.tables.put(table);
                hash.as_bytes().to_vec()
            }
            Err(error) => format!("!{error}").into_bytes(),
        }
    }
}

/// Takes over a pocket, and returns nothing; or `!` and the reason why it is refused.
pub(crate) fn take_pocket(bytes: &[u8]) -> Vec<u8> {
    match Pocket::read(bytes) {
        Ok(pocket) => {
            pocket.register();
            Vec::new()
        }
        Err(error) => format!("!{error}").into_bytes(),
    }
}

/// Returns the trial of a pocket, a hash of the moves that it chooses in random decisions, for `NAME SEED COUNT`; or `!` and what
/// was expected.
pub(crate) fn trial(text: &str) -> Vec<u8> {
    let hash = (|| {
        let mut words = text.split(' ');
        let (_, rules) = named(words.next()?.as_bytes()).ok()?;
        let (seed, count) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Pocket::shipped(&rules)?.trial(seed, count))
    })();
    hash.unwrap_or_else(|| format!("!{text}: expected the rules of a pocket, a seed and a number"))
        .into_bytes()
}

/// Solves the rules of a file, or of a preset's name, and returns the table's bytes; or `!` and the reason why there is no table.
pub(crate) fn solve(text: &[u8]) -> Vec<u8> {
    let solved = named(text)
        .and_then(|(_, rules)| MemoryTable::solve(&rules, &Reporter).map_err(solving_failed));
    match solved {
        Ok(table) => table.into_bytes(),
        Err(error) => format!("!{error}").into_bytes(),
    }
}

/// Reports to the page how the values converge; returns `!` and the reason if it cannot.
pub(crate) fn converge(text: &[u8]) -> Vec<u8> {
    let shown = named(text).and_then(|(name, rules)| {
        let positions = puabi_core::Indexer::new(&rules).map(|indexer| indexer.len());
        if !positions.is_ok_and(|positions| positions <= SMALL) {
            return Err(ApiError::conflict(format!("{name} is too large to be shown")));
        }
        let show = |sweep| {
            notify_page(&sweep);
            true
        };
        demonstrate(&rules, || true, show).map_err(solving_failed)
    });
    shown.err().map(|error| format!("!{error}").into_bytes()).unwrap_or_default()
}

/// Reads a text, which is a preset's name or a rule file, and returns the rules with their name.
fn named(text: &[u8]) -> ApiResult<(String, puabi_core::Rules)> {
    let text = String::from_utf8_lossy(text);
    let preset = text.parse::<puabi_core::RuleSet>().ok();
    let compiled = preset.map_or_else(
        || puabi_answers::compile_rule_file(&text),
        |preset| preset.compile().map_err(|error| ApiError::field("rules", &text, error)),
    );
    compiled.map(|rules| (rules.rule_set().to_string(), rules))
}
