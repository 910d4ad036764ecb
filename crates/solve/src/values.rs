//! The values of a whole game in index order, in memory or lent by a file.

use std::fmt;
use std::sync::Arc;

use puabi_core::{Evaluator, Indexer, Position};

/// Holds the values of one sublayer, in memory or in a file that is mapped.
pub trait Held<V = f64>: Send + Sync {
    /// Returns the values in index order.
    fn values(&self) -> &[V];

    /// Notes that the values are not read for a while, so that the pages of a mapped file need not stay in memory.
    fn release_pages(&self) {}

    /// Notes that the values are now read at random places, with little memory for them: the neighbours of a value would leave
    /// memory before they are needed, so they are not worth reading. This holds until [`Held::release_pages`] is called.
    fn expect_random_reads(&self) {}

    /// Returns whether the values are still those that were written, as far as the holder can tell. This may read all of them.
    fn is_undamaged(&self) -> bool {
        true
    }
}

impl<V: Send + Sync> Held<V> for Box<[V]> {
    fn values(&self) -> &[V] {
        self
    }
}

/// The chance (0..=1) that the player about to roll wins, for every position of a game.
#[derive(Clone)]
pub struct Values {
    indexer: Indexer,
    /// By sublayer, in index order.
    sublayers: Vec<Arc<dyn Held>>,
}

impl Values {
    /// Returns the values of a game, given its index and the values of each sublayer in index order.
    ///
    /// # Panics
    ///
    /// Panics if a sublayer has another number of values than positions.
    pub fn new(indexer: Indexer, sublayers: Vec<Box<[f64]>>) -> Self {
        let held = sublayers.into_iter().map(|values| Arc::new(values) as Arc<dyn Held>);
        Self::held_by(indexer, held.collect())
    }

    /// Returns the values of a game, given its index and the holder of each sublayer's values.
    ///
    /// # Panics
    ///
    /// As [`Values::new`].
    pub fn held_by(indexer: Indexer, sublayers: Vec<Arc<dyn Held>>) -> Self {
        let lengths = sublayers.iter().map(|held| held.values().len() as u64);
        assert!(lengths.eq(indexer.sublayers().iter().map(puabi_core::Sublayer::len)));
        Self { indexer, sublayers }
    }

    /// Returns the index of the game's positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns the values of the sublayer at `at` in [`Indexer::sublayers`], in index order.
    pub fn sublayer(&self, at: usize) -> &[f64] {
        self.sublayers[at].values()
    }

    /// Returns the holder of the values of the sublayer at `at`.
    pub fn held(&self, at: usize) -> &Arc<dyn Held> {
        &self.sublayers[at]
    }

    /// Returns all values in index order, one slice for each sublayer.
    pub fn chunks(&self) -> impl Iterator<Item = &[f64]> {
        self.sublayers.iter().map(|held| held.values())
    }

    /// Returns the chance that the player about to roll in `position` wins.
    #[expect(clippy::cast_possible_truncation, reason = "below the length of a slice")]
    pub fn value(&self, position: Position) -> f64 {
        let index = self.indexer.rank(position);
        let sublayers = self.indexer.sublayers();
        let at = sublayers.partition_point(|sublayer| sublayer.base <= index) - 1;
        self.sublayer(at)[(index - sublayers[at].base) as usize]
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").field("positions", &self.indexer.len()).finish_non_exhaustive()
    }
}

/// Returns whether all values are from 0 to 1. Comparisons alone would not find a NaN: it compares false with every backup.
pub(crate) fn are_chances(values: &[f64]) -> bool {
    values.iter().all(|value| (0.0..=1.0).contains(value))
}

impl Evaluator for Values {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.value(position);
        }
    }
}
