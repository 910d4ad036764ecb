//! Tables for Python: solved games, found, made and asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1, PyArrayMethods};
use puabi_core::{Indexer, Player, Setup};
use puabi_engine::Answer;
use puabi_solve::{Options, Watch};
use puabi_tables::{GameSize, Library, Source, StoredTable, StoredValues, TableError};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::arrays::{load, shaped};
use crate::batch::Batch;
use crate::errors::{OrRaise, of_table};
use crate::rules::Rules;
use crate::running::{LOOK, Work, run};

/// A solved game on disk, mapped into memory.
///
/// A value is the chance (0..=1) that the player about to roll wins under best play. A position is a number, its index.
#[pyclass(frozen, module = "puabi")]
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) table: Arc<puabi_tables::Table>,
}

/// A roll, and the value of each legal move.
type RollMoves = (u8, Vec<(String, f64)>);

#[pymethods]
impl Table {
    /// Opens the table in a file; reads its header alone.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "the form in which Python gives paths")]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let table = py.detach(|| puabi_tables::Table::open(&path));
        let table = table.or_raise(of_table).map_err(|error| at(&path, &error));
        Ok(Self { table: Arc::new(table?) })
    }

    /// Returns the most precise table of these rules in the user's library, or None. `rules` are as for `Rules`.
    #[staticmethod]
    fn find(rules: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let (py, rules) = (rules.py(), Rules::of(rules)?);
        py.detach(|| found(&library()?, &rules))
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.table.path().to_owned()
    }

    /// The rules of the game.
    #[getter]
    pub(crate) fn rules(&self) -> Rules {
        Rules { rules: self.table.header().rules().clone() }
    }

    /// How values are stored: `"f64"` (the solver's own), `"f32"`, or `"u16"` (in units of 1/65535).
    #[getter]
    fn precision(&self) -> &'static str {
        self.table.header().precision().name()
    }

    /// The chance (0..=1) that the player who begins a game wins; after the first roll, if the rules give it.
    #[getter]
    fn start_value(&self) -> f64 {
        self.table.header().report().start_value
    }

    /// The largest difference between a value and its backup that the solve left.
    #[getter]
    fn residual(&self) -> f64 {
        self.table.header().report().residual
    }

    /// The hash that names the table; tables of equal hash have equal rules and values.
    #[getter]
    fn hash(&self) -> String {
        self.table.hash().to_hex().to_string()
    }

    /// Whether the file is unchanged since it was opened, and its path still leads to it.
    #[getter]
    fn is_current(&self) -> bool {
        self.table.is_current()
    }

    /// All values in the order of their indices: a read-only view of the mapped file, shape (len(table),), of
    /// float64, float32 or uint16 as `precision` says.
    ///
    /// Nothing is copied or checked; see `check`. If another program changes the file, the view changes too, and
    /// `value` raises `TableError`. Pages that it cuts off read as zeros.
    #[getter]
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        match slf.get().table.stored_values() {
            StoredValues::F64(values) => Ok(view(values, slf)?.into_any()),
            StoredValues::F32(values) => Ok(view(values, slf)?.into_any()),
            StoredValues::U16(values) => Ok(view(values, slf)?.into_any()),
        }
    }

    /// Returns the chance that the player about to roll wins: a float for one position, float64 of the same shape for
    /// many.
    ///
    /// `positions` is a text or an index, or an array or sequence of either. Each block is compared with its checksum
    /// when one of its values is first read.
    fn value<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, table) = (positions.py(), &self.table);
        let batch = Batch::read(positions, &self.rules(), self.indexer())?;
        let mut values = vec![0.0; batch.indices.len()];
        py.detach(|| table.values_at(&batch.indices, &mut values)).or_raise(of_table)?;
        batch.answer(py, values)
    }

    /// Returns the index of each position: an int for one text, uint64 of the same shape for many. Which colour is
    /// about to roll makes no difference.
    fn rank<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let batch = Batch::read(positions, &self.rules(), self.indexer())?;
        batch.answer(positions.py(), batch.indices.clone())
    }

    /// Returns the text of each index, light about to roll: a str for one, a list for many.
    fn position<'py>(&self, indices: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rules) = (indices.py(), self.rules());
        let batch = Batch::read(indices, &rules, self.indexer())?;
        let text = |&index: &u64| {
            // An index is below the number of positions: the batch has been checked.
            self.indexer()
                .position(index)
                .map_or_else(String::new, |it| rules.text(it, Player::Light))
        };
        let texts: Vec<_> = py.detach(|| batch.indices.iter().map(text).collect());
        if batch.is_one() {
            texts[0].clone().into_bound_py_any(py)
        } else {
            texts.into_bound_py_any(py)
        }
    }

    /// Returns the columns of each position as `VecEnv.obs` has them, without the roll: uint8, shape (..., 2 * length
    /// + 4), seen by the player about to roll.
    fn obs<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rules) = (positions.py(), self.rules());
        let batch = Batch::read(positions, &rules, self.indexer())?;
        let columns = crate::features::columns(&rules.rules);
        let mut rows = vec![0; batch.indices.len() * columns];
        py.detach(|| {
            for (row, &index) in rows.chunks_mut(columns).zip(&batch.indices) {
                if let Some(position) = self.indexer().position(index) {
                    crate::features::write(&rules.rules, position, row);
                }
            }
        });
        Ok(shaped(py, rows, [batch.shape(), &[columns]].concat())?.into_any())
    }

    /// Returns `(roll, [(move, value), ...])`, best moves first: the chance that the player to move wins after each
    /// legal move, for the roll that the text names or for every roll.
    fn moves(&self, position: &str) -> PyResult<Vec<RollMoves>> {
        let rules = self.rules();
        let (at, Setup { turn, roll, .. }) = rules.read(position)?;
        let answer = self
            .table
            .with_values(|values| Answer::new(&rules.rules, (at, turn), roll, &values))
            .or_raise(of_table)?;
        let moves = |moves: Vec<puabi_engine::MoveAnswer>| {
            moves.into_iter().map(|it| (it.action.to_string(), it.value)).collect()
        };
        Ok(answer.rolls.into_iter().map(|it| (it.roll.steps(), moves(it.moves))).collect())
    }

    /// Compares every block with its checksum; raises `TableError` if one is damaged.
    #[pyo3(signature = (progress=None))]
    fn check(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let table = self.table.clone();
        run(py, progress, |work| table.check(Options::default().threads, work).or_raise(of_table))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.indexer().len())?)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Table of {}: {} positions, {}>",
            self.rules().rules.rule_set(),
            self.indexer().len(),
            self.precision()
        )
    }

    /// Opens the table in a file again, which must be the one with this hash.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "the form in which Python gives paths")]
    fn _reopen(py: Python<'_>, path: PathBuf, hash: &str) -> PyResult<Self> {
        let table = Self::open(py, path.clone())?;
        if table.hash() != hash {
            let found = table.__repr__();
            let message = format!("{found} found: expected the table that was pickled, {hash}");
            return Err(at(&path, &of_table(message)));
        }
        Ok(table)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (PathBuf, String))> {
        let table = slf.get();
        Ok((slf.get_type().getattr("_reopen")?.unbind(), (table.path(), table.hash())))
    }
}

impl Table {
    fn indexer(&self) -> &Indexer {
        self.table.header().indexer()
    }
}

/// Returns a read-only array of values that are stored in a mapped table.
fn view<'py, T: Element>(
    values: &[T],
    table: &Bound<'py, Table>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    load(table.py())?;
    let container = table.clone().into_any();
    // SAFETY: the array holds the table, which is frozen and keeps the file mapped for as long as it lives. The pages
    // are read-only, and so is the array: numpy makes one writeable only if what it holds is.
    #[expect(
        unsafe_code,
        reason = "the one way to an array of memory that is not the interpreter's"
    )]
    let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(values), container) };
    array.readwrite().make_nonwriteable();
    Ok(array)
}

/// Returns the library of the user.
pub(crate) fn library() -> PyResult<Library> {
    require_data_directory(Library::of_user())
}

/// Returns a value that depends on the data directory, or an error if the system names no data directory.
pub(crate) fn require_data_directory<T>(found: Option<T>) -> PyResult<T> {
    let none = || of_table("this system names no directory for data: set UR_DATA_DIR to one");
    found.ok_or_else(none)
}

fn at(path: &std::path::Path, error: &PyErr) -> PyErr {
    Python::attach(|py| of_table(format!("{}: {}", path.display(), error.value(py))))
}

fn found(library: &Library, rules: &Rules) -> PyResult<Option<Table>> {
    let Some(StoredTable { path, table }) = library.find(rules.rules.rule_set()) else {
        return Ok(None);
    };
    let table = table.or_raise(of_table).map_err(|error| at(&path, &error))?;
    Ok(Some(Table { table: Arc::new(table) }))
}

/// Returns the table of these rules. Solves the game first if there is no table, or waits for another thread or process that
/// solves it already.
pub(crate) fn obtain(rules: &Rules, work: &Work) -> PyResult<Table> {
    let library = library()?;
    if let Some(table) = found(&library, rules)? {
        return Ok(table);
    }
    if matches!(library.source(&rules.rules), Source::Search) {
        let (name, size) = (rules.rules.rule_set(), GameSize::of(&rules.rules));
        let positions = size.positions().map_or_else(|| "too many".to_owned(), |it| it.to_string());
        return Err(of_table(format!(
            "{name} has {positions} positions: expected a game that this machine has the memory to solve"
        )));
    }
    loop {
        match library.solve(&rules.rules, work) {
            // Another thread or process solves it.
            Err(TableError::Locked { .. }) if !work.stop() => {
                thread::sleep(LOOK);
                if let Some(table) = found(&library, rules)? {
                    return Ok(table);
                }
            }
            solved => return Ok(Table { table: Arc::new(solved.or_raise(of_table)?) }),
        }
    }
}

/// Returns the table of these rules in the user's library; solves the game first if there is none, or waits for another
/// thread or process that solves it already.
///
/// `progress` is called several times a second with the work that is done and the whole work. Ctrl-C ends the solve; a
/// later call continues from there.
#[pyfunction]
#[pyo3(signature = (rules, progress=None))]
pub(crate) fn solve(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let rules = Rules::of(rules)?;
    run(py, progress, |work| obtain(&rules, work))
}
