//! The one library of solved games: find a table, or make one (lock, resume, solve, write, clean up).

pub(crate) mod user;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use puabi_core::{Indexer, RuleSet, Rules};
use puabi_solve::{Options, Report, SolveError, Solver, Values, Watch};
use tempfile::TempDir;

use crate::checkpoint::FileCheckpoint;
use crate::disk::lock::SolveLock;
use crate::error::TableError;
use crate::format::Layout;
use crate::precision::Precision;
use crate::read::Table;
use crate::store::{StoredTable, TableStore};
use crate::write::TableWriter;

/// The solved games of a directory, and the means to solve more.
///
/// One rule set's values come from its table if there is one, else from a solve if memory suffices, else from a search by the
/// caller: [`Library::source`] says which.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::Unattended;
/// use puabi_tables::{Library, Source};
///
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let library = Library::new(directory, || None);
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// assert!(matches!(library.source(&rules), Source::Solve { is_small: true }));
/// let table = library.solve(&rules, &Unattended)?;
/// assert!(table.value(rules.start())? > 0.5);
/// assert!(matches!(library.source(&rules), Source::Table(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    store: TableStore,
    memory: fn() -> Option<u64>,
    /// A temporary directory for tables that are made while the directory of the library may only be read. It is removed with the
    /// last clone.
    scratch: Arc<OnceLock<TempDir>>,
}

/// Where the values of a rule set come from.
#[derive(Debug)]
pub enum Source {
    /// From the table at this path, see [`Library::find`].
    Table(PathBuf),
    /// From a solve, for which there is enough memory.
    Solve {
        /// Whether that takes only a moment, see [`GameSize::SMALL`].
        is_small: bool,
    },
    /// From a search: a solve needs more memory than there is.
    Search,
}

impl Library {
    /// Returns the library of the tables in `directory`, which need not exist yet; `memory` returns the bytes of memory
    /// available, if the system reports them.
    pub fn new(directory: impl Into<PathBuf>, memory: fn() -> Option<u64>) -> Self {
        Self { store: TableStore::new(directory), memory, scratch: Arc::default() }
    }

    /// Returns the store of the tables.
    pub fn store(&self) -> &TableStore {
        &self.store
    }

    /// Returns where the values of these rules come from.
    pub fn source(&self, rules: &Rules) -> Source {
        if let Some(path) = self.path(rules.rule_set()) {
            return Source::Table(path);
        }
        let size = GameSize::of(rules);
        if self.fits(&size) { Source::Solve { is_small: size.is_small() } } else { Source::Search }
    }

    /// Returns the finest table of these rules, if any is kept.
    pub fn find(&self, rule_set: &RuleSet) -> Option<StoredTable> {
        let path = self.path(rule_set)?;
        Some(StoredTable { table: Table::open_for(&path, rule_set), path })
    }

    /// Returns the bytes of memory available, if the system reports them.
    pub fn memory(&self) -> Option<u64> {
        (self.memory)()
    }

    /// Returns whether there is enough memory to solve a game of this size into a table.
    pub fn fits(&self, size: &GameSize) -> bool {
        size.fits(self.memory())
    }

    /// Returns whether there is enough memory to solve a game of this size and to hold all its values.
    pub fn holds(&self, size: &GameSize) -> bool {
        let values = size.positions.unwrap_or(0).saturating_mul(8);
        GameSize { memory: size.memory.saturating_add(values), ..*size }.fits(self.memory())
    }

    /// Solves the game, keeps its exact table and returns it. If the directory may only be read, the table is kept in a temporary
    /// one until the last clone of the library is dropped.
    ///
    /// # Errors
    ///
    /// As [`make_table`], and [`SolveError::Unbounded`] if a small game may go on for ever, so that its values may mean nothing:
    /// no table is kept then. The caller must make sure that there is enough memory for the solve.
    pub fn solve(&self, rules: &Rules, watch: &dyn Watch) -> Result<Table, TableError> {
        match self.solve_in(&self.store, rules, watch) {
            Err(TableError::Unwritable(error)) if may_only_be_read(&error) => {
                let made = tempfile::tempdir()?;
                let scratch = self.scratch.get_or_init(|| made);
                self.solve_in(&TableStore::new(scratch.path()), rules, watch)
            }
            solved => solved,
        }
    }

    fn solve_in(
        &self,
        store: &TableStore,
        rules: &Rules,
        watch: &dyn Watch,
    ) -> Result<Table, TableError> {
        store.create()?;
        let path = store.path(rules.rule_set(), Precision::F64);
        make_table(&path, rules, Precision::F64, Options::default(), watch)?;
        let table = Table::open_for(&path, rules.rule_set())?;
        if !self.bounds(rules) {
            return Ok(table);
        }
        match table.bound(Options::default().threads, watch, &|_, _, _| ()) {
            Err(endless @ TableError::Solve(SolveError::Unbounded { .. })) => {
                drop(table);
                std::fs::remove_file(&path)?;
                Err(endless)
            }
            bounds => bounds.map(|_| table),
        }
    }

    /// Returns whether values that were solved are bounded, too: the game is small, and memory suffices.
    pub fn bounds(&self, rules: &Rules) -> bool {
        let fits = |solver: Solver| {
            let memory = self.memory();
            memory.is_none_or(|memory| solver.bounding_memory() <= memory)
        };
        GameSize::of(rules).is_small() && Solver::new(rules, Options::default()).is_ok_and(fits)
    }

    /// Returns the path of the finest table of these rules.
    fn path(&self, rule_set: &RuleSet) -> Option<PathBuf> {
        let scratch = self.scratch.get().map(|scratch| TableStore::new(scratch.path()));
        let stores = std::iter::once(&self.store).chain(&scratch);
        stores.flat_map(|store| store.paths(rule_set)).next()
    }
}

fn may_only_be_read(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

/// How large a game is, which decides whether it is solved in passing, on demand or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameSize {
    positions: Option<u64>,
    /// The bytes of memory that a solve into a table takes; `u64::MAX` if the game cannot be solved.
    memory: u64,
}

impl GameSize {
    /// The most positions of a small game: one that a program solves when it needs a value, without being told to.
    ///
    /// A solve of this size takes a few seconds on two processors.
    pub const SMALL: u64 = 5_000_000;

    /// Returns the size of the game with these rules.
    pub fn of(rules: &Rules) -> Self {
        let solver = Solver::new(rules, Options::default()).ok();
        let positions = solver.as_ref().map(|solver| solver.indexer().len());
        let solvable = solver.filter(|solver| solver.ensure_places().is_ok());
        Self { positions, memory: solvable.map_or(u64::MAX, |solver| solver.memory()) }
    }

    /// Returns the number of positions, unless there are too many to be counted.
    pub fn positions(&self) -> Option<u64> {
        self.positions
    }

    /// Returns whether a solve into a table is possible and takes at most `memory` bytes of memory; `None` sets no limit.
    pub fn fits(&self, memory: Option<u64>) -> bool {
        self.positions.is_some() && memory.is_none_or(|limit| self.memory <= limit)
    }

    /// Returns whether a solve takes only a moment, see [`GameSize::SMALL`].
    pub fn is_small(&self) -> bool {
        self.positions.is_some_and(|positions| positions <= Self::SMALL)
    }
}

/// Solves a game into the table file at `path`, going on where an earlier attempt ended.
///
/// The bytes of the file do not depend on the number of interruptions and of threads. Solved sublayers are kept in files beside
/// it until the table is complete.
///
/// # Errors
///
/// Returns an error if another process solves the game into the same file, if the disk has no room for the table and the
/// kept sublayers, if the system does not let us write, or if the watch ends it.
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
/// assert_eq!(Table::open(&path)?.header().report(), report);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn make_table(
    path: &Path,
    rules: &Rules,
    precision: Precision,
    options: Options,
    watch: &dyn Watch,
) -> Result<Report, TableError> {
    let solver = Solver::new(rules, options)?;
    make_table_by(path, &solver, precision, |kept| solver.solve(kept, watch))
}

/// Makes a table as [`make_table`] does, with the caller's own solver and solve: the solver may spill, and the solve may be
/// shared with other processes, as by [`Solver::solve_among`].
///
/// # Errors
///
/// As [`make_table`], and the error of the solve.
pub fn make_table_by(
    path: &Path,
    solver: &Solver,
    precision: Precision,
    solve: impl FnOnce(&FileCheckpoint) -> Result<(Values, Report), SolveError>,
) -> Result<Report, TableError> {
    solver.ensure_places()?;
    let (rules, options) = (solver.rules(), solver.options());
    let writer = TableWriter::new(rules, precision, options).measured_by(solver);
    let _lock = SolveLock::acquire(path)?;
    let checkpoint = FileCheckpoint::open_for(path, solver)?;
    // The checkpoint already takes the room of a table of f64, which it becomes.
    if precision != Precision::F64 {
        writer.ensure_space(path, solver.indexer())?;
    }
    let (values, report) = solve(&checkpoint)?;
    writer.finish(path, &values, &report, checkpoint)?;
    Ok(report)
}

/// The bytes of disk that a solve into a table takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// The table.
    pub table: u64,
    /// The most that is in use at a time, with the files that a killed solve goes on from.
    pub most: u64,
    /// The bytes of `most` that an earlier solve takes already.
    pub taken: u64,
    /// The bytes that the values of solved sublayers still take.
    part: u64,
}

impl DiskUse {
    /// Returns what [`make_table`] takes at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the table would be longer than a file can be.
    ///
    /// ```
    /// use std::path::Path;
    /// use puabi_core::{Indexer, RuleSet};
    /// use puabi_tables::{DiskUse, Precision};
    ///
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let indexer = Indexer::new(&rules)?;
    /// let disk = DiskUse::new(Path::new("no-such.urt"), &rules, &indexer, Precision::U16)?;
    /// // A table of f64 is kept while the game is solved, whatever the precision of the table.
    /// assert!(disk.table > 2 * indexer.len() && disk.most > (2 + 8) * indexer.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        path: &Path,
        rules: &Rules,
        indexer: &Indexer,
        precision: Precision,
    ) -> Result<Self, TableError> {
        let bytes =
            |precision| Ok::<_, TableError>(Layout::expected(rules, indexer, precision)?.end);
        let (table, kept) = (bytes(precision)?, bytes(Precision::F64)?);
        let beside = if precision == Precision::F64 { 0 } else { table };
        let journal = FileCheckpoint::journal_bytes(indexer.sublayers().len());
        let taken = FileCheckpoint::taken(path);
        let part = kept.saturating_sub(taken);
        Ok(Self { table, most: kept + beside + journal, taken, part })
    }

    /// Returns how many of the bytes that are not taken yet can wait until the last sublayer is settled: as many as the solver,
    /// which spills to the same disk, has there until then and no longer. They wait if the disk is too full otherwise.
    pub fn later(&self, solver: &Solver) -> u64 {
        FileCheckpoint::later(solver, self.part)
    }

    /// Returns what [`rewrite_table`] takes.
    ///
    /// # Errors
    ///
    /// As [`DiskUse::new`].
    pub fn rewritten(
        rules: &Rules,
        indexer: &Indexer,
        precision: Precision,
    ) -> Result<Self, TableError> {
        let table = Layout::expected(rules, indexer, precision)?.end;
        Ok(Self { table, most: table, taken: 0, part: 0 })
    }
}

/// Removes what a solve left beside its finished table if it was killed after the table was in place: a checkpoint of 8 bytes a
/// position, files that were being written, a lock. It leaves files from which a later solve can go on, and all files if another
/// process is at work there.
///
/// # Errors
///
/// Returns an error if the system does not let us read or remove the files.
pub fn remove_leftovers(table: &Table) -> Result<(), TableError> {
    let path = table.path();
    let _lock = match SolveLock::acquire(path) {
        Err(TableError::Locked { .. }) => return Ok(()),
        lock => lock?,
    };
    FileCheckpoint::remove_finished(path, table.header()).map_err(TableError::Unremovable)
}

/// Writes the exact values of a table to the file at `path` in another precision: the bytes that [`make_table`] would write,
/// without a solve. `solver`, a solver of the same game, finds the residual of the values as stored; it may spill.
///
/// Progress is counted in blocks read.
///
/// # Errors
///
/// Returns an error if the table is damaged or has no exact values, if another process solves the game into the same file,
/// if the disk is too full, or if the system does not let us write.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_tables::{Precision, Table, make_table, rewrite_table};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = |name| directory.path().join(name);
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// make_table(&path("exact"), &rules, Precision::F64, Options::default(), &Unattended)?;
/// let exact = Table::open(&path("exact"))?;
/// let solver = Solver::new(&rules, Options::default())?;
/// rewrite_table(&exact, &path("small"), Precision::U16, &solver, &Unattended)?;
/// make_table(&path("solved"), &rules, Precision::U16, Options::default(), &Unattended)?;
/// assert_eq!(Table::open(&path("small"))?.hash(), Table::open(&path("solved"))?.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rewrite_table(
    table: &Table,
    path: &Path,
    precision: Precision,
    solver: &Solver,
    watch: &dyn Watch,
) -> Result<(), TableError> {
    let header = table.header();
    if header.precision() != Precision::F64 {
        return Err(TableError::Coarse { found: header.precision() });
    }
    let options = Options { tolerance: header.tolerance(), ..solver.options() };
    let writer = TableWriter::new(header.rules(), precision, options).measured_by(solver);
    let _lock = SolveLock::acquire(path)?;
    writer.ensure_space(path, header.indexer())?;
    let values = table.lend(options.threads, watch)?;
    writer.write_if(path, &values, &header.report(), || table.ensure_unchanged())?;
    Ok(())
}
