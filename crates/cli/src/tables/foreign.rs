//! Tables of other programs: opened, loaded and streamed.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Result, bail};
use puabi_core::{Position, RuleSet};
use puabi_engine::SharedEvaluator;
use puabi_formats::{ForeignTableError, TableReader};
use puabi_solve::{Options, Values};
use puabi_tables::{Table, ensure_regular};

use crate::errors::Advise;
use crate::files::kinds;
use crate::output::text;
use crate::progress::Bar;
use crate::tables;

/// A table of another program in a file.
pub(crate) type ForeignTable = TableReader<BufReader<File>>;

/// Returns whether the name of the file at `path` is that of a table of another program.
pub(crate) fn is_foreign(path: &Path) -> bool {
    kinds::is_named(path, kinds::FOREIGN_TABLE)
}

/// Opens the table at `path`.
pub(crate) fn open(path: &Path) -> Result<ForeignTable> {
    ensure_regular(path).doing("opening", path.display())?;
    let file = File::open(path).doing("opening", path.display())?;
    TableReader::new(BufReader::new(file)).doing("opening", path.display())
}

/// Reads all values and returns them with the number of positions that the table does not have, whose values are NaN.
pub(crate) fn load(table: &mut ForeignTable, label: &str) -> Result<(Values, u64)> {
    let rules = table.rules().clone();
    let solver = tables::solver(&rules, Options::default(), tables::loading_memory)?;
    let indexer = solver.indexer();
    let blank = |sublayer: &puabi_core::Sublayer| {
        vec![f64::NAN; usize::try_from(sublayer.len()).unwrap_or(0)].into_boxed_slice()
    };
    let mut parts: Vec<Box<[f64]>> = indexer.sublayers().iter().map(blank).collect();
    let (bar, total) = (Bar::new(format!("reading {label}")), table.len());
    let mut done = 0;
    table.each_position(|position, value| {
        done += 1;
        watch(&bar, done, total)?;
        let index = indexer.rank(position);
        let at = indexer.sublayers().partition_point(|sublayer| sublayer.base <= index) - 1;
        let within = index - indexer.sublayers()[at].base;
        parts[at][usize::try_from(within).unwrap_or(0)] = value;
        Ok(())
    })?;
    let missing = parts.iter().flatten().filter(|value| value.is_nan()).count() as u64;
    Ok((Values::new(indexer.clone(), parts), missing))
}

/// Reads all values; returns an error if the table lacks any.
pub(crate) fn load_all(table: &mut ForeignTable, label: &str) -> Result<Values> {
    let (values, missing) = load(table, label)?;
    if missing > 0 {
        let missing = text::counted(missing, "position", "positions");
        bail!("the table has no value for {missing}: expected all");
    }
    Ok(values)
}

/// Shows progress now and then; returns an error if the user stopped the work.
pub(crate) fn watch(bar: &Bar, done: u64, total: u64) -> Result<(), ForeignTableError> {
    if done.is_multiple_of(1 << 16) && bar.step(done, total).is_break() {
        return Err(ForeignTableError::Stopped);
    }
    Ok(())
}

/// A table of ours or of another program.
#[derive(Debug)]
pub(crate) enum AnyTable {
    /// Mapped into memory.
    Ours(Box<Table>),
    /// Read as a stream.
    Foreign(Box<ForeignTable>),
}

impl AnyTable {
    /// Opens the table that `text` names, by its file or by its rules, and checks every block if it is ours.
    pub(crate) fn open(text: &str) -> Result<Self> {
        let path = tables::locate(text)?;
        if is_foreign(&path) {
            return Ok(Self::Foreign(Box::new(open(&path)?)));
        }
        let table = tables::open(&path)?;
        tables::check(&table)?;
        Ok(Self::Ours(Box::new(table)))
    }

    /// Returns the rules of the game.
    pub(crate) fn rule_set(&self) -> &RuleSet {
        match self {
            Self::Ours(table) => table.header().rules().rule_set(),
            Self::Foreign(table) => table.rules().rule_set(),
        }
    }

    /// Calls `visit` with every position and its value.
    pub(crate) fn each(&mut self, mut visit: impl FnMut(Position, f64)) -> Result<()> {
        let bar = Bar::new("comparing".to_owned());
        match self {
            Self::Ours(table) => {
                let indexer = table.header().indexer();
                for index in 0..indexer.len() {
                    watch(&bar, index, indexer.len())?;
                    if let Some(position) = indexer.position(index) {
                        visit(position, table.value_at(index)?);
                    }
                }
                Ok(())
            }
            Self::Foreign(table) => {
                let (total, mut done) = (table.len(), 0);
                Ok(table.each_position(|position, value| {
                    done += 1;
                    visit(position, value);
                    watch(&bar, done, total)
                })?)
            }
        }
    }

    /// Returns the result of `work` with the values, or an error if they are damaged.
    pub(crate) fn with_values<T>(
        &mut self,
        work: impl FnOnce(SharedEvaluator<'_>) -> T,
    ) -> Result<T> {
        match self {
            Self::Ours(table) => tables::with_values(table, work),
            Self::Foreign(table) => Ok(work(&load_all(table, "a table")?)),
        }
    }
}
