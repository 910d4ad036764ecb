//! Tables: found in the data directory, or solved and kept there.

use std::cell::RefCell;
use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use directories::ProjectDirs;
use puabi_core::{Evaluator, Position, RuleSet, Rules};
use puabi_solve::{Options, Precision, Solver, Table, TableError, TableStore, make_table};

use crate::complaint::Advise;
use crate::watch::Bar;
use crate::{machine, notation, talk, text};

/// Returns the directory of everything that is kept: `UR_DATA_DIR`, or where the platform keeps such things.
pub(crate) fn data_directory() -> Result<PathBuf> {
    if let Some(directory) = env::var_os("UR_DATA_DIR").filter(|path| !path.is_empty()) {
        return Ok(directory.into());
    }
    let directories = ProjectDirs::from("", "", "puabi");
    let directory = directories.map(|directories| directories.data_dir().to_owned());
    directory
        .ok_or_else(|| anyhow!("this system names no directory for data"))
        .hint(|| "set UR_DATA_DIR to a directory for tables and games")
}

/// Returns the store of tables.
pub(crate) fn store() -> Result<TableStore> {
    Ok(TableStore::new(data_directory()?.join("tables")))
}

/// Returns the file of the table that `text` names: by itself, or by its rules.
pub(crate) fn locate(text: &str) -> Result<PathBuf> {
    if is_table_file(text) {
        return Ok(text.into());
    }
    let rule_set = notation::rule_set(text)?;
    let found = store()?.find(&rule_set);
    found
        .ok_or_else(|| anyhow!("there is no table of {rule_set}"))
        .hint(|| format!("`ur solve {text}` makes it; `ur table list` shows what is there"))
}

/// Returns whether `text` is a file and not the name of rules.
pub(crate) fn is_table_file(text: &str) -> bool {
    let extension = Path::new(text).extension();
    extension.is_some_and(|end| end == TableStore::EXTENSION)
        || !notation::is_file(text) && Path::new(text).is_file()
}

/// Opens the table at `path`.
pub(crate) fn open(path: &Path) -> Result<Table> {
    Table::open(path).with_context(|| format!("opening {}", path.display()))
}

/// Writes what a table says of itself.
pub(crate) fn describe(table: &Table, path: &Path, out: &mut dyn Write) -> Result<()> {
    let (header, report) = (table.header(), table.header().report());
    let value = text::exact_percent(report.start_value);
    writeln!(out, "{}: the first player wins {value}", header.rules().rule_set())?;
    writeln!(
        out,
        "positions    {}, {} of them dead",
        text::count(report.positions),
        report.dead_positions
    )?;
    let (layers, sublayers, sweeps) = (report.layers, report.sublayers, report.sweeps_max);
    writeln!(out, "layers       {layers}, sublayers {sublayers}, at most {sweeps} sweeps in one")?;
    writeln!(
        out,
        "residual     {:.2e}, the largest difference of a value and its backup",
        report.residual
    )?;
    if header.precision() != Precision::F64 {
        writeln!(
            out,
            "as stored    {:.2e}, the same of the stored values",
            header.stored_residual()
        )?;
    }
    let (bytes, precision) = (text::bytes(header.bytes()), header.precision());
    writeln!(out, "table        {} ({bytes}, {precision})", path.display())?;
    writeln!(out, "hash         {}", table.hash().to_hex())?;
    Ok(())
}

/// A solve that is to be done and kept.
#[derive(Debug)]
pub(crate) struct Job<'r> {
    /// The rules of the game.
    pub(crate) rules: &'r Rules,
    /// How to solve.
    pub(crate) options: Options,
    /// How the table stores its values.
    pub(crate) precision: Precision,
    /// Where the table goes.
    pub(crate) path: PathBuf,
}

impl Job<'_> {
    /// Solves the game, or goes on where an earlier solve ended, and keeps the table.
    pub(crate) fn run(&self) -> Result<()> {
        let name = self.rules.rule_set();
        let solver = Solver::new(self.rules, self.options).hint(|| smaller(name, u64::MAX))?;
        ensure_memory(name, solver.indexer().len(), solver.memory())?;
        if let Some(directory) = self.path.parent() {
            let creating = || format!("creating {}", directory.display());
            std::fs::create_dir_all(directory).with_context(creating)?;
        }
        let bar = Bar::new(format!("solving {name}"));
        make_table(&self.path, self.rules, self.precision, self.options, &bar)
            .with_context(|| format!("solving {name}"))?;
        Ok(())
    }
}

/// Returns the table of these rules, solving the game first where there is none.
pub(crate) fn obtain(rules: &Rules) -> Result<Lookup> {
    let (store, rule_set) = (store()?, rules.rule_set());
    let path = match store.find(rule_set) {
        Some(path) => path,
        None => solve_and_keep(rules, &store)?,
    };
    let table = Table::open_for(&path, rule_set)
        .with_context(|| format!("opening {}", path.display()))
        .hint(|| {
            format!("`ur table rm {}` removes it, and the same command solves anew", path.display())
        })?;
    Ok(Lookup { table, path, error: RefCell::default() })
}

fn solve_and_keep(rules: &Rules, store: &TableStore) -> Result<PathBuf> {
    let (options, precision) = (Options::default(), Precision::F64);
    let path = store.path(rules.rule_set(), precision);
    talk(&format!("{} is not solved yet: solving it once", rules.rule_set()));
    let job = Job { rules, options, precision, path };
    job.run()?;
    talk(&format!("the table is kept in {}", job.path.display()));
    Ok(job.path)
}

/// Refuses what takes more memory than there is.
pub(crate) fn ensure_memory(rule_set: &RuleSet, positions: u64, needed: u64) -> Result<()> {
    let limit = machine::available_memory().unwrap_or(u64::MAX);
    if needed <= limit {
        return Ok(());
    }
    let (positions, needed) = (text::count(positions), text::bytes(needed));
    let available = text::bytes(limit);
    let refusal = anyhow!(
        "{rule_set} has {positions} positions and needs {needed} of memory, {available} are available"
    );
    Err(refusal).hint(|| smaller(rule_set, limit))
}

/// Returns advice on the most pieces that can be solved in `limit` bytes.
fn smaller(rule_set: &RuleSet, limit: u64) -> String {
    let memory = |pieces| {
        let rules = rule_set.clone().with_pieces(pieces).compile().ok()?;
        let solver = Solver::new(&rules, Options::default()).ok()?;
        Some((rules.rule_set().to_string(), solver.memory())).filter(|(_, bytes)| *bytes <= limit)
    };
    match (1..rule_set.pieces).rev().find_map(memory) {
        Some((name, bytes)) if rule_set.preset().is_some() => {
            format!("`{name}` needs {}", text::bytes(bytes))
        }
        _ => "fewer pieces need less".to_owned(),
    }
}

/// A table that judges positions as they are asked for, and remembers the first damage it met.
#[derive(Debug)]
pub(crate) struct Lookup {
    table: Table,
    path: PathBuf,
    error: RefCell<Option<TableError>>,
}

impl Lookup {
    /// Returns the table.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the damage that was met; what was judged before it is sound.
    pub(crate) fn check(&self) -> Result<()> {
        match self.error.take() {
            None => Ok(()),
            Some(error) => {
                let path = self.path.display();
                let hint =
                    || format!("`ur table rm {path}` removes it, and the same command solves anew");
                Err(error).with_context(|| format!("reading {path}")).hint(hint)
            }
        }
    }
}

impl Evaluator for Lookup {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.table.value(position).unwrap_or_else(|error| {
                self.error.borrow_mut().get_or_insert(error);
                f64::NAN
            });
        }
    }
}

impl Evaluator for &Lookup {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        Lookup::evaluate(self, positions, values);
    }
}
