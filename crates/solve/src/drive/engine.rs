//! What the driver asks of an engine: to settle one sublayer, and to certify it.

use puabi_core::Indexer;

use crate::drive::iterate::{Course, Stopped};
use crate::drive::statistics::Tally;

/// Finished values, by sublayer.
pub(crate) trait Finished: Sync {
    fn sublayer(&self, at: usize) -> &[f64];
}

/// Settles sublayers of one game.
pub(crate) trait Engine: Sync {
    /// Buffers that one sublayer leaves to the next.
    type Space: Default + Send + std::fmt::Debug;

    /// The index of the game's positions.
    fn indexer(&self) -> &Indexer;

    /// Sweeps the sublayer at `at` to its fixed point; returns its values in index order and the sweeps made.
    fn settle<F: Finished + Sync>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Self::Space,
        course: Course<'_>,
    ) -> Result<(Box<[f64]>, u32), Stopped>;

    /// Measures how far the finished values of the sublayer at `at` are from their backups.
    fn certify<F: Finished + Sync>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Self::Space,
        shared: bool,
    ) -> Tally;
}
