//! Threads that share a list of tasks.

use puabi_solve::{SolveError, on_threads};
use rayon::prelude::*;

use crate::error::TableError;

/// Does all tasks on `threads` threads. The first error ends the work early and is returned.
pub(crate) fn run_tasks<T: Send>(
    threads: usize,
    tasks: impl ParallelIterator<Item = T>,
    work: impl Fn(T) -> Result<(), TableError> + Sync + Send,
) -> Result<(), TableError> {
    on_threads(threads, || tasks.try_for_each(work)).map_err(SolveError::from)?
}
