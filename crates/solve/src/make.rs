//! From rules to a table file: lock, resume, solve, write, clean up.

use std::path::Path;

use puabi_core::{Rules, TooManyPositions};

use crate::checkpoint::FileCheckpoint;
use crate::lock::SolveLock;
use crate::precision::Precision;
use crate::solver::{Options, Report, SolveError, Solver, Watch};
use crate::table_error::TableError;
use crate::writer::TableWriter;

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
/// use puabi_solve::{Options, Precision, Table, Unattended, make_table};
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
    writer.ensure_space(path, solver.indexer())?;
    let (values, report) = solver.solve(&checkpoint, watch)?;
    writer.write(path, &values, &report)?;
    checkpoint.remove().map_err(TableError::Unwritable)?;
    Ok(report)
}
