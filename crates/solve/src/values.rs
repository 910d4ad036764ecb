//! The values of a whole game in memory, in index order.

use puabi_core::{Evaluator, Indexer, Position};

/// The chance (0..=1) that the player about to roll wins, for every position of a game.
#[derive(Debug, Clone)]
pub struct Values {
    indexer: Indexer,
    /// By sublayer, in index order.
    sublayers: Vec<Box<[f64]>>,
}

impl Values {
    /// Returns the values of a game, given its index and the values of each sublayer in index order.
    ///
    /// # Panics
    ///
    /// Panics if a sublayer has another number of values than positions.
    pub fn new(indexer: Indexer, sublayers: Vec<Box<[f64]>>) -> Self {
        let lengths = sublayers.iter().map(|values| values.len() as u64);
        assert!(lengths.eq(indexer.sublayers().iter().map(puabi_core::Sublayer::len)));
        Self { indexer, sublayers }
    }

    /// Returns the index of the game's positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns the values of the sublayer at `at` in [`Indexer::sublayers`], in index order.
    pub fn sublayer(&self, at: usize) -> &[f64] {
        &self.sublayers[at]
    }

    /// Returns all values in index order, one slice for each sublayer.
    pub fn chunks(&self) -> impl Iterator<Item = &[f64]> {
        self.sublayers.iter().map(|values| &**values)
    }

    /// Returns whether all values lie from 0 to 1. Comparisons of a backup with what is no number find nothing.
    pub(crate) fn are_chances(&self) -> bool {
        self.chunks().flatten().all(|value| (0.0..=1.0).contains(value))
    }

    /// Returns the chance that the player about to roll in `position` wins.
    #[expect(clippy::cast_possible_truncation, reason = "below the length of a slice")]
    pub fn value(&self, position: Position) -> f64 {
        let index = self.indexer.rank(position);
        let sublayers = self.indexer.sublayers();
        let at = sublayers.partition_point(|sublayer| sublayer.base <= index) - 1;
        self.sublayers[at][(index - sublayers[at].base) as usize]
    }
}

impl Evaluator for Values {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.value(position);
        }
    }
}
