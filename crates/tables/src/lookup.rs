//! Values looked up in a mapped table as they are asked for.

use std::borrow::Borrow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use puabi_core::{Evaluator, Position};

use crate::error::TableError;
use crate::read::Table;

/// Values that are looked up at once.
const AT_ONCE: usize = 64;

/// A table that judges positions as they are asked for, and remembers the first damage it met.
///
/// Where [`CheckedTable`](crate::CheckedTable) reads every block first, this reads only those that are asked for; so
/// [`Lookup::check`] must follow, which tells whether all values given so far are sound.
///
/// ```
/// use puabi_core::{Evaluator, RuleSet};
/// use puabi_solve::{Options, Unattended};
/// use puabi_tables::{Lookup, Precision, Table, make_table};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("finkel-1.urt");
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let report = make_table(&path, &rules, Precision::F64, Options::default(), &Unattended)?;
/// let table = Table::open(&path)?;
/// let lookup = Lookup::new(&table);
/// let mut value = [0.0];
/// lookup.evaluate(&[rules.start()], &mut value);
/// lookup.check()?;
/// assert_eq!(value, [report.start_value]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lookup<T> {
    table: T,
    error: Mutex<Option<TableError>>,
}

impl<T: Borrow<Table>> Lookup<T> {
    /// Returns the table as what judges positions.
    pub const fn new(table: T) -> Self {
        Self { table, error: Mutex::new(None) }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        self.table.borrow()
    }

    /// Returns the table, and forgets what was met.
    pub fn into_table(self) -> T {
        self.table
    }

    /// Finds that every value given since the last check is sound.
    ///
    /// # Errors
    ///
    /// The first damage that was met; what was judged before it is sound.
    pub fn check(&self) -> Result<(), TableError> {
        self.error().take().map_or(Ok(()), Err)
    }

    fn error(&self) -> MutexGuard<'_, Option<TableError>> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Borrow<Table>> Evaluator for Lookup<T> {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        let table = self.table();
        let found = |rank| {
            table.value_at(rank).unwrap_or_else(|error| {
                self.error().get_or_insert(error);
                f64::NAN
            })
        };
        look_up(table, positions, values, found);
    }
}

/// Writes the value of each position of a table by its rank, some ranks at a time before their values.
///
/// All of these are asked for at once in a loop with nothing else in it: a processor goes on only so far beyond an
/// instruction that still waits for where a page lies, and that is most of what a look-up waits for.
pub(crate) fn look_up(
    table: &Table,
    positions: &[Position],
    values: &mut [f64],
    value: impl Fn(u64) -> f64,
) {
    let (indexer, mut ranks) = (table.header().indexer(), [0; AT_ONCE]);
    for (positions, values) in positions.chunks(AT_ONCE).zip(values.chunks_mut(AT_ONCE)) {
        let ranks = &mut ranks[..positions.len()];
        for (rank, &position) in ranks.iter_mut().zip(positions) {
            *rank = indexer.rank(position);
        }
        table.ask(ranks);
        for (found, &rank) in values.iter_mut().zip(&*ranks) {
            *found = value(rank);
        }
    }
}
