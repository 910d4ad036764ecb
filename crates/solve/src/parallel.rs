//! Work on several threads; on the caller's own if the feature `threads` is off.
//!
//! This is the only file that names a thread library. Results come in the order of the work, so no value depends on the
//! number of threads.

use std::ops::Range;

#[cfg(feature = "threads")]
use rayon::prelude::*;

#[cfg(feature = "threads")]
pub(crate) use rayon::{Scope, ThreadPoolBuildError as PoolError, scope};
#[cfg(not(feature = "threads"))]
pub(crate) use single::{PoolError, Scope, scope};

/// Values that a thread takes at a time.
const PART: usize = 1 << 16;

/// Returns the number of threads that the processor runs at once.
pub(crate) fn available() -> usize {
    #[cfg(feature = "threads")]
    return std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(not(feature = "threads"))]
    1
}

/// Threads that work together.
#[derive(Debug)]
pub(crate) struct Pool(#[cfg(feature = "threads")] rayon::ThreadPool);

impl Pool {
    /// Starts threads with `stack` bytes of stack each, of which only what is used takes memory.
    #[cfg_attr(not(feature = "threads"), expect(clippy::unnecessary_wraps, unused_variables))]
    pub(crate) fn new(threads: usize, stack: usize) -> Result<Self, PoolError> {
        #[cfg(feature = "threads")]
        {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
            builder.stack_size(stack).build().map(Self)
        }
        #[cfg(not(feature = "threads"))]
        Ok(Self())
    }

    /// Returns the number of threads.
    #[cfg_attr(not(feature = "threads"), expect(clippy::unused_self))]
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "threads")]
        return self.0.current_num_threads();
        #[cfg(not(feature = "threads"))]
        1
    }

    /// Calls `work` on one of the threads; what it shares out goes to all of them.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "threads")]
        return self.0.install(work);
        #[cfg(not(feature = "threads"))]
        work()
    }
}

/// Returns the number of threads of the pool that the caller runs in.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Sorts on all threads of the pool.
pub(crate) fn sort_unstable<T: Ord + Send>(values: &mut [T]) {
    #[cfg(feature = "threads")]
    values.par_sort_unstable();
    #[cfg(not(feature = "threads"))]
    values.sort_unstable();
}

/// Calls `work` with each number, on all threads of the pool if `is_shared`; the results come in order.
pub(crate) fn map<R: Send>(
    is_shared: bool,
    numbers: Range<usize>,
    work: impl Fn(usize) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    if is_shared && numbers.len() > 1 {
        return numbers.into_par_iter().with_max_len(1).map(work).collect();
    }
    let _ = is_shared;
    numbers.map(work).collect()
}

/// Calls `work` with parts of a slice and the place at which each begins, on all threads of the pool if `is_shared`.
pub(crate) fn each_part<T: Send>(
    is_shared: bool,
    values: &mut [T],
    work: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    #[cfg(feature = "threads")]
    if is_shared {
        let parts = values.par_chunks_mut(PART).enumerate();
        return parts.for_each(|(at, part)| work(at * PART, part));
    }
    let _ = is_shared;
    values.chunks_mut(PART).enumerate().for_each(|(at, part)| work(at * PART, part));
}

/// Stand-ins that call everything on the caller's thread.
#[cfg(not(feature = "threads"))]
mod single {
    use std::cell::RefCell;

    /// Nothing is started that may fail.
    pub(crate) type PoolError = std::convert::Infallible;

    type Job<'s> = Box<dyn FnOnce(&Scope<'s>) + 's>;

    /// Work that is still to be done.
    pub(crate) struct Scope<'s>(RefCell<Vec<Job<'s>>>);

    impl<'s> Scope<'s> {
        /// Adds work that is done before [`scope`] returns.
        pub(crate) fn spawn(&self, work: impl FnOnce(&Self) + 's) {
            self.0.borrow_mut().push(Box::new(work));
        }
    }

    /// Calls `work`, then all that it and its like have spawned.
    pub(crate) fn scope<'s, R>(work: impl FnOnce(&Scope<'s>) -> R) -> R {
        let scope = Scope(RefCell::new(Vec::new()));
        let result = work(&scope);
        loop {
            let job = scope.0.borrow_mut().pop();
            let Some(job) = job else { return result };
            job(&scope);
        }
    }
}
