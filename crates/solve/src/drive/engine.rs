//! What the driver asks of an engine: to settle one sublayer, and to certify it.

use std::sync::Arc;

use puabi_core::Indexer;

use crate::drive::divided::WantedPages;
use crate::drive::iterate::Course;
use crate::drive::statistics::Tally;
use crate::memory::buffer::Buffer;
use crate::plan::dependencies;
use crate::types::SolveError;
use crate::values::Held;

/// Settled values, by sublayer.
pub(crate) trait Finished<V = f64>: Sync {
    /// Returns the values of a settled sublayer in index order: all of them, or those that were fetched.
    fn sublayer(&self, at: usize) -> &[V];

    /// Fetches the wanted pages of sublayers whose values are divided among ranks. All ranks that sweep a sublayer together call
    /// this at the same time.
    fn fetch(&self, wanted: &WantedPages) -> Result<(), SolveError> {
        let _ = wanted;
        Ok(())
    }

    /// Returns the place in [`Finished::sublayer`] of the value with this index. Values that follow each other in index order do
    /// so there too, if all of them are there.
    fn place(&self, at: usize, index: usize) -> usize {
        let _ = at;
        index
    }

    /// Returns the values of a sublayer for a reader whose senior is the senior there, or the junior. The two differ for bounds,
    /// since the upper bound of one side's chance is the lower one of the other's, and if each player has an offer of their own.
    fn seen(&self, at: usize, is_senior: bool) -> &[V] {
        let _ = is_senior;
        self.sublayer(at)
    }
}

impl<V, F: Finished<V>> Finished<V> for &F {
    fn sublayer(&self, at: usize) -> &[V] {
        (**self).sublayer(at)
    }

    fn fetch(&self, wanted: &WantedPages) -> Result<(), SolveError> {
        (**self).fetch(wanted)
    }

    fn place(&self, at: usize, index: usize) -> usize {
        (**self).place(at, index)
    }

    fn seen(&self, at: usize, is_senior: bool) -> &[V] {
        (**self).seen(at, is_senior)
    }
}

/// Settles sublayers of one game.
///
/// An engine may work on other units than the sublayers of the index. What is said of sublayers here then holds for these units.
pub(crate) trait Engine: Sync {
    /// Buffers that one sublayer leaves to the next.
    type Space: Default + Send + std::fmt::Debug;

    /// What the engine finds for each position.
    type Value: Send + Sync + 'static;

    /// The most positions of a sublayer that is at work beside others.
    const MOST_BESIDE: u64 = dependencies::MOST_BESIDE;

    /// The number of positions up to which one rank sweeps a sublayer alone. In smaller sublayers, waiting for other ranks at the
    /// end of each level would take longer than the level.
    const MOST_BY_ONE_RANK: u64 = 1 << 16;

    /// Returns the index of the game's positions.
    fn indexer(&self) -> &Indexer;

    /// Returns empty buffers.
    fn space(&self) -> Self::Space {
        Self::Space::default()
    }

    /// Returns whether a large sublayer must be in its file before the next one takes memory, and must not be written while the
    /// next one is swept.
    fn is_short_of_memory(&self) -> bool {
        false
    }

    /// Returns whether there is little memory for the values of finished sublayers while they are read.
    fn has_little_for_finished(&self) -> bool {
        false
    }

    /// Returns the number of sublayers.
    fn sublayers(&self) -> usize {
        self.indexer().sublayers().len()
    }

    /// Returns the number of positions of a sublayer.
    fn positions(&self, at: usize) -> u64 {
        self.indexer().sublayers()[at].len()
    }

    /// Returns the sublayers that moves lead to from the one at `at`. They have larger numbers.
    fn leads_to(&self, at: usize) -> Vec<usize> {
        dependencies::leads_to(self.indexer(), at)
    }

    /// Sweeps the sublayer at `at` to its fixed point. Returns its values in index order and the number of sweeps made; if
    /// several ranks sweep it, each returns its [part](crate::drive::divided::Division) of the values. An engine may drop
    /// `finished` as soon as it has read it.
    fn settle<F: Finished<Self::Value>>(
        &self,
        at: usize,
        finished: F,
        space: &mut Self::Space,
        course: Course<'_>,
    ) -> SettledBy<Self>;
}

/// The values of a sublayer in index order and the number of sweeps made.
pub(crate) type SettledBy<E> = Result<(Arc<dyn Held<<E as Engine>::Value>>, u32), SolveError>;

/// An engine that also certifies what it has settled.
pub(crate) trait Certify: Engine<Value = f64> {
    /// Returns room for `values` values in index order.
    fn room(&self, values: u64) -> Result<Buffer<f64>, SolveError>;

    /// Measures how far the settled values of the sublayer at `at` that this rank holds are from their backups.
    fn certify<F: Finished<Self::Value>>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Self::Space,
        course: Course<'_>,
    ) -> Result<Tally, SolveError>;

    /// Sweeps the sublayer at `at` once for each of two sides. `start` has its values, and how far from these the bounds may be;
    /// sweeps begin there. Each side has finished bounds and a slack. Its sweeps end when each value is above its backup by the
    /// slack, within the tolerance of the course, or below it if the slack is negative. The second side's slack is the negative of
    /// the first one's. Returns the bounds of the senior's chance of the first side and then those of the second, in index order
    /// and as the chance of the player about to roll.
    fn bound<F: Finished<Self::Value>>(
        &self,
        at: usize,
        start: (&dyn Held, f64),
        sides: [(F, f64); 2],
        space: &mut Self::Space,
        course: Course<'_>,
    ) -> SettledBy<Self>;
}
