//! Tables: found in the data directory, or solved and kept there.

pub(crate) mod agents;
pub(crate) mod cube;
pub(crate) mod foreign;
pub(crate) mod judge;
pub(crate) mod pockets;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use puabi_core::{Indexer, RuleSet, Rules};
use puabi_engine::SharedEvaluator;
use puabi_server::Language;
use puabi_solve::{Bounds, Options, Report, SeeBounds, SolveError, Solver, Watch};
use puabi_tables::{
    Library, Precision, Source, StoredTable, Table, TableError, TableStore, available_memory,
};

use crate::errors::Advise;
use crate::files::kinds;
use crate::output::text::{self, t};
use crate::output::{Out, status};
use crate::progress::Bar;
use crate::{files, notation};

/// Returns the data directory: `UR_DATA_DIR`, or else that of the platform.
pub(crate) fn data_directory() -> Result<PathBuf> {
    require_data_directory(puabi_tables::data_directory())
}

/// Returns the library of solved games.
pub(crate) fn library() -> Result<Library> {
    require_data_directory(Library::of_user())
}

/// Returns a value that depends on the data directory, or an error if the system names no data directory.
fn require_data_directory<T>(found: Option<T>) -> Result<T> {
    found
        .ok_or_else(|| anyhow!("this system names no directory for data"))
        .hint(|| "set UR_DATA_DIR to a directory for tables and games")
}

/// Returns the file of the table that `text` names: the file itself, or that of a rule set.
pub(crate) fn locate(text: &str) -> Result<PathBuf> {
    if is_table_file(text) {
        return Ok(text.into());
    }
    let rule_set = notation::rule_set(text);
    if rule_set.is_err() && Path::new(text).is_dir() {
        bail!("{text} is a folder: expected the file of a table, or rules");
    }
    let rule_set = rule_set?;
    let found = library()?.find(&rule_set);
    let found = found
        .ok_or_else(|| anyhow!("there is no table of {rule_set}"))
        .hint(|| format!("`ur solve {text}` makes it; `ur table list` shows what is there"))?;
    match found.table {
        // The caller reports a damaged table.
        Err(error @ (TableError::OtherRules { .. } | TableError::Cube { .. })) => {
            Err(error).doing("opening", found.path.display())
        }
        _ => Ok(found.path),
    }
}

/// Returns whether `text` is a file and not the name of rules.
pub(crate) fn is_table_file(text: &str) -> bool {
    [TableStore::EXTENSION, kinds::FOREIGN_TABLE].iter().any(|end| kinds::is_named(text, end))
        || !notation::is_file(text) && Path::new(text).is_file()
}

/// Checks that a table may be written at `path`: that nothing but a table is there, and that the name is not that of another kind
/// of file.
///
/// # Errors
///
/// Returns an error if a table may not be written. For another kind of file, it says how such a file is made.
pub fn ensure_table_name(path: &Path) -> Result<()> {
    let place = path.display();
    if path == "-" {
        bail!(
            "a table cannot be written to stdout: expected the name of a file, such as finkel.urt"
        );
    }
    if path.metadata().is_ok_and(|data| !data.is_file()) {
        bail!("{place} is not a file: expected the name of one for the table, such as finkel.urt");
    }
    kinds::ensure_no_other(path, "the table, such as finkel.urt")?;
    // A file with the name of a table may be a damaged table.
    if kinds::is_named(path, TableStore::EXTENSION) {
        return Ok(());
    }
    files::ensure_replaceable(path, "table", Table::begins)
}

/// Opens the table at `path`, of a game without a cube.
pub(crate) fn open(path: &Path) -> Result<Table> {
    Table::open(path).doing("opening", path.display())
}

/// Writes the facts in the header of a table.
pub(crate) fn describe(table: &Table, path: &Path, out: &mut Out) -> Result<()> {
    let (header, precision) = (table.header(), table.header().precision());
    let Report { layers, sublayers, sweeps_max: sweeps, .. } = header.report();
    let (name, value) = (header.rules().rule_set(), header.report().start_value);
    match header.cube() {
        None => {
            writeln!(out, "{name}: the first player wins {}", text::percent_as(value, precision))
        }
        Some(cube) => {
            let equity = 2.0 * value - 1.0;
            writeln!(out, "{name} with {cube}: the first player has an equity of {equity:+.10}")
        }
    }?;
    let Report { residual, positions, dead_positions: dead, .. } = header.report();
    // Tables of a cube do not count dead positions.
    let dead = header.cube().map_or_else(|| format!(", {dead} of them dead"), |_| String::new());
    writeln!(out, "positions    {}{dead}", text::count(positions))?;
    let sweeps = text::counted(sweeps.into(), "sweep", "sweeps");
    writeln!(out, "layers       {layers}, sublayers {sublayers}, at most {sweeps} in one")?;
    writeln!(out, "residual     {residual:.2e}, the largest difference of a value and its backup")?;
    if precision != Precision::F64 {
        let stored = header.stored_residual();
        writeln!(out, "as stored    {stored:.2e}, the same of the stored values")?;
    }
    let bytes = text::bytes(header.bytes());
    writeln!(out, "table        {} ({bytes}, {precision})", path.display())?;
    writeln!(out, "hash         {}", table.hash().to_hex())
}

/// Returns the table of these rules; solves the game first if there is no table.
pub(crate) fn obtain(rules: &Rules, language: Language) -> Result<Table> {
    find(rules)?.map_or_else(|| solve_once(rules, language), Ok)
}

/// Returns the table of these rules with exact values. Solves the game first if there is no such table, even if there is one with
/// rounded values.
pub(crate) fn exact(rules: &Rules) -> Result<Table> {
    let found = find(rules)?;
    if let Some(rounded) = found.as_ref().and_then(rounded) {
        let name = rules.rule_set();
        status(format_args!("the table of {name} has values as {rounded}: exact ones are needed"));
    }
    let exact = found.filter(|table| rounded(table).is_none());
    exact.map_or_else(|| solve_once(rules, Language::English), Ok)
}

/// Returns how the table stores values, if they are rounded.
pub(crate) fn rounded(table: &Table) -> Option<Precision> {
    table.header().rounded()
}

/// Returns whether the values are those of a solve without options, bit for bit.
pub(crate) fn is_as_solved(table: &Table) -> bool {
    let tolerance = table.header().tolerance().to_bits();
    rounded(table).is_none() && tolerance == Options::default().tolerance.to_bits()
}

/// Solves the game, and prints that it does so.
fn solve_once(rules: &Rules, language: Language) -> Result<Table> {
    let directory = library()?.store().directory().to_owned();
    // A game that is too large is refused before a solve is announced.
    solver(rules, Options::default(), Solver::memory)?;
    let name = rules.rule_set();
    let size = Indexer::new(rules).map_or(0, |indexer| indexer.len().saturating_mul(8));
    status(t!(
        language,
        "{rules} is not solved yet: solving it once, for a table of {size}",
        rules = name,
        size = language.number(text::bytes(size))
    ));
    let table = make(rules, &Bar::new(t!(language, "solving {rules}", rules = name)))?;
    status(if table.path().starts_with(&directory) {
        t!(language, "the table is kept in {path}", path = table.path().display())
    } else {
        t!(
            language,
            "the table is not kept: {folder} may only be read",
            folder = directory.display()
        )
    });
    Ok(table)
}

/// Returns whether there is a table of these rules, or enough memory to make one.
pub(crate) fn can_obtain(rules: &Rules) -> bool {
    library().is_ok_and(|library| !matches!(library.source(rules), Source::Search))
}

/// Returns the table of these rules, if there is one.
pub(crate) fn find(rules: &Rules) -> Result<Option<Table>> {
    // There is no table without a directory of tables.
    let found = library().ok().and_then(|library| library.find(rules.rule_set()));
    let Some(StoredTable { path, table }) = found else { return Ok(None) };
    // A table that cannot be read may be undamaged.
    let is_unknown = matches!(table, Err(TableError::Unreadable(_)));
    let table = table.doing("opening", path.display());
    if is_unknown { table.map(Some) } else { table.hint(|| remedy(&path)).map(Some) }
}

/// Tells it if the values of a table are rounded, since results from them are, too.
pub(crate) fn tell_rounded(table: &Table) {
    if let Some(rounded) = rounded(table) {
        let name = table.header().rules().rule_set();
        let given = notation::word(name);
        status(format_args!(
            "the values of {name} are kept as {rounded}, and no result is more exact: `ur solve {given}` finds exact ones"
        ));
    }
}

/// Solves the game, keeps the table and returns it; prints nothing.
pub(crate) fn make(rules: &Rules, watch: &dyn Watch) -> Result<Table> {
    solver(rules, Options::default(), Solver::memory)?;
    let (library, name) = (library()?, rules.rule_set());
    let path = library.store().path(name, Precision::F64);
    let solved = library.solve(rules, watch);
    let solved = solved.doing("solving", format_args!("{name} into {}", path.display()));
    match solved {
        Err(error) if has_no_end(&error) => Err(error.context(ENDLESS)).hint(|| {
            format!("{ENDING}; `ur solve {} --no-bounds` keeps a table", notation::word(name))
        }),
        solved => solved,
    }
}

/// What is said of a game without bounds.
pub(crate) const ENDLESS: &str =
    "by these rules a game may go on for ever, so its values may mean nothing";
/// Where it is said which games have an end.
pub(crate) const ENDING: &str = "`ur help rules` says which games end";

/// Returns whether the error says that the game has no bounds.
pub(crate) fn has_no_end(error: &anyhow::Error) -> bool {
    let is_one = |it: &TableError| matches!(it, TableError::Solve(SolveError::Unbounded { .. }));
    error.downcast_ref().is_some_and(is_one)
}

/// Returns the result of `work` with the table's values, or an error if they are damaged.
pub(crate) fn with_values<T>(
    table: &Table,
    work: impl FnOnce(SharedEvaluator<'_>) -> T,
) -> Result<T> {
    let found = table.with_values(work).doing("reading", table.path().display());
    found.hint(|| remedy(table.path()))
}

fn remedy(path: &Path) -> String {
    format!("`ur table rm {}` removes it, and the same command solves anew", path.display())
}

/// Returns the table of these rules with every block checked; solves the game first if there is no table.
pub(crate) fn checked(rules: &Rules) -> Result<Table> {
    let table = obtain(rules, Language::English)?;
    check(&table).map(|()| table)
}

/// Checks every block of a table, so that work on the whole table does not begin if a block is damaged.
pub(crate) fn check(table: &Table) -> Result<()> {
    let bar = Bar::new(format!("checking the table of {}", table.header().rules().rule_set()));
    let checked = table.check(Options::default().threads, &bar);
    checked.doing("reading", table.path().display())
}

/// Bounds the exact values of a table's game, and measures how far the table's values are from them.
pub(crate) fn bound(table: &Table, threads: usize, see: SeeBounds<'_>) -> Result<Bounds> {
    room_to_bound(table)?;
    let bar = Bar::new(format!("bounding {}", table.header().rules().rule_set()));
    table.bound(threads, &bar, see).doing("bounding", table.path().display())
}

/// Returns an error if there is too little memory for the bounds.
pub(crate) fn room_to_bound(table: &Table) -> Result<()> {
    let is_mapped = table.header().precision() == Precision::F64;
    let loaded = |solver: &Solver| solver.bounding_memory().saturating_add(loading_memory(solver));
    let memory: Memory = if is_mapped { Solver::bounding_memory } else { loaded };
    solver(table.header().rules(), Options::default(), memory).map(drop)
}

/// Returns a line that describes bounds.
pub(crate) fn bounds_text(Bounds { width, error }: Bounds) -> String {
    format!("bounds       {width:.2e} apart at most; no value is off by more than {error:.2e}")
}

/// Returns the checked table of these rules, if there is one or if solving takes only a moment.
pub(crate) fn solved(rules: &Rules) -> Result<Option<Table>> {
    match library()?.source(rules) {
        Source::Table(_) | Source::Solve { is_small: true } => checked(rules).map(Some),
        Source::Solve { is_small: false } | Source::Search => Ok(None),
    }
}

/// Returns the bytes of memory that some work of a solver needs.
pub(crate) type Memory = fn(&Solver) -> u64;

/// Returns the bytes of memory that all values need.
pub(crate) fn loading_memory(solver: &Solver) -> u64 {
    solver.indexer().len().saturating_mul(8)
}

/// Returns a solver of the game, or an error if its work needs more memory than there is: the bytes that `memory` returns.
pub(crate) fn solver(rules: &Rules, options: Options, memory: Memory) -> Result<Solver> {
    solver_or(rules, options, in_all(memory), |_, _| None)
}

/// Returns the memory of some work with the limit of a process that may take all free memory.
pub(crate) fn in_all(memory: Memory) -> (Memory, u64) {
    (memory, available_memory().unwrap_or(u64::MAX))
}

/// Returns a solver as [`solver`] does, which may take `limit` bytes of memory. If that is too little, `instead` returns what else
/// can be done, for the hint of the error; it gets the solver and the limit.
pub(crate) fn solver_or(
    rules: &Rules,
    options: Options,
    (memory, limit): (Memory, u64),
    instead: impl FnOnce(&Solver, u64) -> Option<String>,
) -> Result<Solver> {
    let solver = unlimited_solver(rules, options)?;
    let name = rules.rule_set();
    ensure_memory(&solver, name, (memory, limit), || {
        let smaller = smaller(&solver, limit, memory);
        instead(&solver, limit).into_iter().chain([smaller]).collect::<Vec<_>>().join("; ")
    })?;
    Ok(solver)
}

/// Returns a solver of the game, however much memory the game needs.
pub(crate) fn unlimited_solver(rules: &Rules, options: Options) -> Result<Solver> {
    Solver::new(rules, options).hint(|| "fewer pieces need less")
}

/// Returns an error with a hint if the work of a solver needs more than `limit` bytes of memory.
pub(crate) fn ensure_memory(
    solver: &Solver,
    rule_set: &RuleSet,
    (memory, limit): (Memory, u64),
    hint: impl FnOnce() -> String,
) -> Result<()> {
    let needed = memory(solver);
    if needed <= limit {
        return Ok(());
    }
    let positions = text::count(solver.indexer().len());
    let [needed, available, missing] = [needed, limit, needed - limit].map(text::bytes);
    let needs = if needed == available {
        format!("needs {missing} more than the {available} of memory that are available")
    } else {
        format!("needs {needed} of memory, {available} are available")
    };
    Err(anyhow!("{rule_set} has {positions} positions and {needs}")).hint(hint)
}

/// Returns a hint with the largest number of pieces for which `limit` bytes suffice.
///
/// `memory` returns the bytes that the work of a solver needs; it is called with solvers that have the options of `solver`.
pub fn smaller(solver: &Solver, limit: u64, memory: impl Fn(&Solver) -> u64) -> String {
    let rule_set = solver.rules().rule_set();
    let fitting = |pieces| {
        let rules = rule_set.clone().with_pieces(pieces).compile().ok()?;
        let needed = memory(&Solver::new(&rules, solver.options()).ok()?);
        Some((rules.rule_set().to_string(), needed)).filter(|(_, bytes)| *bytes <= limit)
    };
    match (1..rule_set.pieces).rev().find_map(fitting) {
        Some((name, bytes)) if rule_set.preset().is_some() => {
            format!("`{name}` needs {}", text::bytes(bytes))
        }
        _ => "fewer pieces need less".to_owned(),
    }
}
