//! Tables: found in the data directory, or solved and kept there.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use directories::ProjectDirs;
use puabi_core::{Evaluator, Indexer, Position, RuleSet, Rules};
use puabi_solve::{Options, Solver, Watch};
use puabi_tables::{CheckedTable, Precision, Table, TableStore, make_table, rewrite_table};

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
    /// Solves the game, or goes on where an earlier solve ended, and keeps the table; shows a bar meanwhile.
    pub(crate) fn run(&self) -> Result<()> {
        let bar = || Bar::new(format!("solving {}", self.rules.rule_set()));
        self.run_watched(bar)
    }

    /// Returns the table of the store with the exact values that this solve would find, where a coarser one is wanted.
    pub(crate) fn exact(&self) -> Option<Table> {
        let rule_set = self.rules.rule_set();
        let path = store().ok()?.path(rule_set, Precision::F64);
        let is_other = self.precision != Precision::F64 && path.is_file();
        let exact = is_other.then(|| Table::open_for(&path, rule_set).ok()).flatten();
        exact.filter(|table| {
            table.header().tolerance().to_bits() == self.options.tolerance.to_bits()
        })
    }

    /// Makes the table from one with exact values instead of solving.
    pub(crate) fn rewrite(&self, exact: &Table) -> Result<()> {
        let rule_set = self.rules.rule_set();
        talk(&format!("{rule_set} is solved: its exact values are stored as {}", self.precision));
        solver(self.rules, self.options, Work::Load)?;
        self.make_directory()?;
        let bar = Bar::new(format!("reading the table of {rule_set}"));
        rewrite_table(exact, &self.path, self.precision, self.options.threads, &bar)
            .with_context(|| format!("storing {rule_set} as {}", self.precision))
            .hint(|| "--force solves the game again")
    }

    fn make_directory(&self) -> Result<()> {
        let Some(directory) = self.path.parent() else { return Ok(()) };
        let creating = || format!("creating {}", directory.display());
        std::fs::create_dir_all(directory).with_context(creating)
    }

    /// Does the same under the watch that `begin` returns once the solve is known to fit the memory.
    fn run_watched<W: Watch>(&self, begin: impl FnOnce() -> W) -> Result<()> {
        let name = self.rules.rule_set();
        solver(self.rules, self.options, Work::Solve)?;
        self.make_directory()?;
        make_table(&self.path, self.rules, self.precision, self.options, &begin())
            .with_context(|| format!("solving {name}"))?;
        Ok(())
    }
}

/// Returns the table of these rules, solving the game first where there is none.
pub(crate) fn obtain(rules: &Rules) -> Result<Lookup> {
    let store = store()?;
    match store.find(rules.rule_set()) {
        Some(path) => look_up(rules, path),
        None => look_up(rules, solve_and_keep(rules, &store)?),
    }
}

/// Returns whether there is a table of these rules, or the memory to make one.
pub(crate) fn can_be_had(rules: &Rules) -> bool {
    store().is_ok_and(|store| store.find(rules.rule_set()).is_some())
        || solver(rules, Options::default(), Work::Solve).is_ok()
}

/// Returns the table of these rules where there is one.
pub(crate) fn find(rules: &Rules) -> Result<Option<Lookup>> {
    store()?.find(rules.rule_set()).map(|path| look_up(rules, path)).transpose()
}

/// Solves the game, keeps the table and returns it; nothing is printed, `watch` is told the progress.
pub(crate) fn make(rules: &Rules, watch: impl Watch) -> Result<Lookup> {
    let (options, precision) = (Options::default(), Precision::F64);
    let path = store()?.path(rules.rule_set(), precision);
    let job = Job { rules, options, precision, path };
    job.run_watched(|| watch)?;
    look_up(rules, job.path)
}

fn look_up(rules: &Rules, path: PathBuf) -> Result<Lookup> {
    let rule_set = rules.rule_set();
    let table = Table::open_for(&path, rule_set)
        .with_context(|| format!("opening {}", path.display()))
        .hint(|| {
            format!("`ur table rm {}` removes it, and the same command solves anew", path.display())
        })?;
    Ok(Lookup::new(table, path))
}

/// Returns the table of these rules with every block checked, solving the game first where there is none.
pub(crate) fn checked(rules: &Rules) -> Result<CheckedTable> {
    let Lookup { lookup, path } = obtain(rules)?;
    let bar = Bar::new(format!("checking the table of {}", rules.rule_set()));
    let checked = lookup.into_table().checked(Options::default().threads, &bar);
    checked.with_context(|| format!("reading {}", path.display()))
}

/// Positions up to which a game is solved in passing.
const SMALL: u64 = 1_000_000;

/// Returns the checked table of these rules where there is one, or where solving takes a moment only.
pub(crate) fn solved(rules: &Rules) -> Result<Option<CheckedTable>> {
    let is_small = || Indexer::new(rules).is_ok_and(|indexer| indexer.len() <= SMALL);
    if store()?.find(rules.rule_set()).is_some() || is_small() {
        return checked(rules).map(Some);
    }
    Ok(None)
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

/// What a solver is for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    /// Solving the game.
    Solve,
    /// Finding a best response.
    Response,
    /// A match by so many measures.
    Match(usize),
    /// Reading all values.
    Load,
}

impl Work {
    /// Returns the bytes of memory that this work needs.
    fn memory(self, solver: &Solver) -> u64 {
        match self {
            Self::Solve => solver.memory(),
            Self::Response => solver.evaluation_memory(),
            Self::Match(measures) => solver.meeting_memory(measures),
            Self::Load => solver.indexer().len().saturating_mul(8),
        }
    }
}

/// Returns a solver of the game; refuses what takes more memory than there is.
pub(crate) fn solver(rules: &Rules, options: Options, work: Work) -> Result<Solver> {
    let rule_set = rules.rule_set();
    let solver = Solver::new(rules, options).hint(|| smaller(rule_set, u64::MAX, work))?;
    let limit = machine::available_memory().unwrap_or(u64::MAX);
    let needed = work.memory(&solver);
    if needed <= limit {
        return Ok(solver);
    }
    let (positions, needed) = (text::count(solver.indexer().len()), text::bytes(needed));
    let available = text::bytes(limit);
    let refusal = anyhow!(
        "{rule_set} has {positions} positions and needs {needed} of memory, {available} are available"
    );
    Err(refusal).hint(|| smaller(rule_set, limit, work))
}

/// Returns advice on the most pieces that can be done in `limit` bytes.
fn smaller(rule_set: &RuleSet, limit: u64, work: Work) -> String {
    let memory = |pieces| {
        let rules = rule_set.clone().with_pieces(pieces).compile().ok()?;
        let needed = work.memory(&Solver::new(&rules, Options::default()).ok()?);
        Some((rules.rule_set().to_string(), needed)).filter(|(_, bytes)| *bytes <= limit)
    };
    match (1..rule_set.pieces).rev().find_map(memory) {
        Some((name, bytes)) if rule_set.preset().is_some() => {
            format!("`{name}` needs {}", text::bytes(bytes))
        }
        _ => "fewer pieces need less".to_owned(),
    }
}

/// A table of the store that judges positions as they are asked for.
#[derive(Debug)]
pub(crate) struct Lookup {
    lookup: puabi_tables::Lookup<Table>,
    path: PathBuf,
}

impl Lookup {
    /// Returns the table at `path` as what judges positions.
    pub(crate) fn new(table: Table, path: PathBuf) -> Self {
        Self { lookup: puabi_tables::Lookup::new(table), path }
    }

    /// Returns the table.
    pub(crate) fn table(&self) -> &Table {
        self.lookup.table()
    }

    /// Returns the damage that was met; what was judged before it is sound.
    pub(crate) fn check(&self) -> Result<()> {
        let path = self.path.display();
        let checked = self.lookup.check().with_context(|| format!("reading {path}"));
        checked
            .hint(|| format!("`ur table rm {path}` removes it, and the same command solves anew"))
    }
}

impl Evaluator for Lookup {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        self.lookup.evaluate(positions, values);
    }
}
