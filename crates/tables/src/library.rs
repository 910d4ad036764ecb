//! From rules to a table file: lock, resume, solve, write, clean up; and from one table to a coarser one.

use std::path::Path;

use puabi_core::{Rules, TooManyPositions};

use crate::checkpoint::FileCheckpoint;
use crate::error::TableError;
use crate::lock::SolveLock;
use crate::precision::Precision;
use crate::read::Table;
use crate::write::TableWriter;
use puabi_solve::{Options, Report, SolveError, Solver, Watch};

/// Why a game was not solved into a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The solve has no result.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The table, or what is kept on the way to it, fails.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl From<TooManyPositions> for MakeError {
    fn from(error: TooManyPositions) -> Self {
        Self::Solve(error.into())
    }
}

/// Solves a game into the table file at `path`, going on where an earlier attempt ended.
///
/// The file has the same bytes however often it was interrupted and however many threads worked. What is kept on the
/// way lies beside it and is gone in the end.
///
/// # Errors
///
/// Where another process solves for the same file, where the disk has no room for the table and what is kept on the
/// way, where the system does not let us write, or where the watch asks for the end.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Unattended};
/// use puabi_tables::{Precision, Table, make_table};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("finkel-1.urt");
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let report = make_table(&path, &rules, Precision::F64, Options::default(), &Unattended)?;
/// assert_eq!(Table::open(&path)?.header().report(), &report);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_table(
    path: &Path,
    rules: &Rules,
    precision: Precision,
    options: Options,
    watch: &impl Watch,
) -> Result<Report, MakeError> {
    let solver = Solver::new(rules, options)?;
    let writer = TableWriter::new(rules, precision, options);
    let _lock = SolveLock::acquire(path)?;
    let checkpoint = FileCheckpoint::open(path, rules, solver.indexer(), options.tolerance)?;
    if precision != Precision::F64 {
        writer.ensure_space(path, solver.indexer())?;
    }
    let (values, report) = solver.solve(&checkpoint, watch)?;
    if !writer.complete(path, &values, &report, &checkpoint)? {
        writer.write(path, &values, &report)?;
    }
    checkpoint.remove().map_err(TableError::Unwritable)?;
    Ok(report)
}

/// Writes the values of a table to the file at `path` in another precision, where that needs no solve: the bytes are those
/// that [`make_table`] would write.
///
/// Progress is counted in blocks read.
///
/// # Errors
///
/// Where the table is damaged or not of exact values, where another process solves for the same file, where the disk is too
/// full, or where the system does not let us write.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Unattended};
/// use puabi_tables::{Precision, Table, make_table, rewrite_table};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = |name| directory.path().join(name);
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// make_table(&path("exact"), &rules, Precision::F64, Options::default(), &Unattended)?;
/// let exact = Table::open(&path("exact"))?;
/// rewrite_table(&exact, &path("small"), Precision::U16, 2, &Unattended)?;
/// make_table(&path("solved"), &rules, Precision::U16, Options::default(), &Unattended)?;
/// assert_eq!(Table::open(&path("small"))?.hash(), Table::open(&path("solved"))?.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite_table(
    table: &Table,
    path: &Path,
    precision: Precision,
    threads: usize,
    watch: &impl Watch,
) -> Result<(), TableError> {
    let header = table.header();
    if header.precision() != Precision::F64 {
        return Err(TableError::Coarse { found: header.precision() });
    }
    let options = Options { threads, tolerance: header.tolerance(), ..Options::default() };
    let writer = TableWriter::new(header.rules(), precision, options);
    let _lock = SolveLock::acquire(path)?;
    writer.ensure_space(path, header.indexer())?;
    let values = table.load(threads, watch)?;
    writer.write(path, &values, header.report())?;
    Ok(())
}
