//! Threads that share a list of tasks.

use rayon::prelude::*;

use crate::error::TableError;
use puabi_solve::SolveError;

/// Does every task on `threads` threads; the first error ends it early.
pub(crate) fn share<T: Send>(
    threads: usize,
    tasks: impl ParallelIterator<Item = T>,
    work: impl Fn(T) -> Result<(), TableError> + Sync + Send,
) -> Result<(), TableError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(SolveError::from)?.install(|| tasks.try_for_each(work))
}
