//! Values of a mapped table for players and judges, who ask for many and cannot stop at an error.

use std::sync::OnceLock;

use puabi_core::{Evaluator, Position};

use crate::error::TableError;
use crate::read::Table;

/// The number of positions whose values are fetched together.
const AT_ONCE: usize = 64;

impl Table {
    /// Lends the table's values to `work` and returns its result if all values that it asked for are sound.
    ///
    /// An [`Evaluator`] returns no errors, so `work` goes on with a NaN if it meets a damaged block. Its result is then
    /// dropped, and no caller can forget to ask whether there was damage. Values are read and checked only as `work`
    /// asks for them.
    ///
    /// # Errors
    ///
    /// Returns the first damage that `work` met, or an error if another program has changed the file.
    ///
    /// ```
    /// use puabi_core::{Evaluator, RuleSet};
    /// use puabi_solve::{Options, Unattended};
    /// use puabi_tables::{Precision, Table, make_table};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("finkel-1.urt");
    /// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
    /// let report = make_table(&path, &rules, Precision::F64, Options::default(), &Unattended)?;
    /// let start = Table::open(&path)?.with_values(|values| {
    ///     let mut value = [0.0];
    ///     values.evaluate(&[rules.start()], &mut value);
    ///     value[0]
    /// })?;
    /// assert_eq!(start, report.start_value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_values<T>(
        &self,
        work: impl FnOnce(&(dyn Evaluator + Sync)) -> T,
    ) -> Result<T, TableError> {
        self.ensure_unchanged()?;
        let lookup = Lookup { table: self, damage: OnceLock::new() };
        let found = work(&lookup);
        self.ensure_unchanged()?;
        lookup.damage.into_inner().map_or(Ok(found), Err)
    }
}

impl Table {
    /// Writes, for the position of each index, the chance that the player about to roll wins.
    ///
    /// Both slices must have the same length.
    ///
    /// # Errors
    ///
    /// Returns an error if a block is damaged, or if another program has changed the file.
    ///
    /// # Panics
    ///
    /// Panics if there is no position with one of the indices.
    pub fn values_at(&self, indices: &[u64], values: &mut [f64]) -> Result<(), TableError> {
        self.ensure_unchanged()?;
        for (indices, values) in indices.chunks(AT_ONCE).zip(values.chunks_mut(AT_ONCE)) {
            self.prefetch(indices);
            for (value, &index) in values.iter_mut().zip(indices) {
                *value = self.value_at(index)?;
            }
        }
        self.ensure_unchanged()
    }
}

/// The values of a table during one piece of work, with the first damage that it met.
struct Lookup<'a> {
    table: &'a Table,
    damage: OnceLock<TableError>,
}

impl Evaluator for Lookup<'_> {
    /// Writes the value of each position, batch by batch: first it finds all addresses of a batch, then it reads the values.
    ///
    /// The addresses of a batch are prefetched in a loop with nothing else in it: a processor runs only so far ahead of
    /// a load that waits for its page's address, and a look-up spends most of its time in such loads.
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        let (indexer, mut ranks) = (self.table.header().indexer(), [0; AT_ONCE]);
        for (positions, values) in positions.chunks(AT_ONCE).zip(values.chunks_mut(AT_ONCE)) {
            let ranks = &mut ranks[..positions.len()];
            for (rank, &position) in ranks.iter_mut().zip(positions) {
                *rank = indexer.rank(position);
            }
            self.table.prefetch(ranks);
            for (value, &rank) in values.iter_mut().zip(&*ranks) {
                *value = self.table.value_at(rank).unwrap_or_else(|error| {
                    // If an earlier damage is recorded, it stays.
                    let _ = self.damage.set(error);
                    f64::NAN
                });
            }
        }
    }
}
