//! Threads that share a list of tasks.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does every task on `threads` threads, handed out in order; the first error ends it early.
pub(crate) fn share<T: Send, E: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let tasks = Mutex::new(Some(tasks));
    let lock = || tasks.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || lock().as_mut().and_then(Iterator::next);
    let worker = || {
        while let Some(task) = next() {
            work(task).inspect_err(|_| *lock() = None)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
        let mine = worker();
        others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .fold(mine, Result::and)
    })
}
