//! Work on several threads; on the caller's own if the feature `threads` is off.
//!
//! This is the only file that names a thread library. Results come in the order of the work, so no value depends on the
//! number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "threads")]
use rayon::prelude::*;

#[cfg(feature = "threads")]
pub use rayon::ThreadPoolBuildError as PoolError;
#[cfg(feature = "threads")]
pub(crate) use rayon::{Scope, scope};
#[cfg(not(feature = "threads"))]
pub use single::PoolError;
#[cfg(not(feature = "threads"))]
pub(crate) use single::{Scope, scope};

/// The number of values that a thread takes at a time.
const PART: usize = 1 << 16;

/// Returns the number of threads that the processor runs at once.
pub(crate) fn available() -> usize {
    #[cfg(feature = "threads")]
    return std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(not(feature = "threads"))]
    1
}

/// Calls `work` on one of `threads` new threads; what it shares out is divided among all of them. All threads have ended when
/// this returns, so a process may fork, or count what it has allocated, between two calls.
///
/// # Errors
///
/// Returns an error if the system starts no more threads.
pub fn on_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, PoolError> {
    Ok(Pool::new(threads, None)?.install(work))
}

/// A pool of threads that work together. They have ended once it is dropped.
#[derive(Debug)]
pub(crate) struct Pool {
    #[cfg(feature = "threads")]
    pool: Option<rayon::ThreadPool>,
    #[cfg(feature = "threads")]
    running: Vec<std::thread::JoinHandle<()>>,
}

impl Pool {
    /// Starts threads with `stack` bytes of stack each, of which only the used part takes memory.
    #[cfg_attr(not(feature = "threads"), expect(clippy::unnecessary_wraps, unused_variables))]
    pub(crate) fn new(threads: usize, stack: Option<usize>) -> Result<Self, PoolError> {
        #[cfg(feature = "threads")]
        {
            let mut running = Vec::new();
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
            let pool = builder.spawn_handler(|thread| {
                let mut builder = std::thread::Builder::new();
                if let Some(stack) = stack {
                    builder = builder.stack_size(stack);
                }
                running.push(builder.spawn(|| thread.run())?);
                Ok(())
            });
            Ok(Self { pool: Some(pool.build()?), running })
        }
        #[cfg(not(feature = "threads"))]
        Ok(Self {})
    }

    #[cfg(feature = "threads")]
    fn pool(&self) -> &rayon::ThreadPool {
        self.pool.as_ref().expect("the threads run until the pool is dropped")
    }

    /// Returns the number of threads.
    #[cfg_attr(not(feature = "threads"), expect(clippy::unused_self))]
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "threads")]
        return self.pool().current_num_threads();
        #[cfg(not(feature = "threads"))]
        1
    }

    /// Calls `work` on one of the threads; what it shares out is divided among all of them.
    #[cfg_attr(not(feature = "threads"), expect(clippy::unused_self))]
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "threads")]
        return self.pool().install(work);
        #[cfg(not(feature = "threads"))]
        work()
    }
}

/// Waits for the threads to end. The library tells its threads to end, but does not wait for them; a leak checker that looks
/// meanwhile would see what they have not freed yet.
#[cfg(feature = "threads")]
impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.pool.take());
        for thread in self.running.drain(..) {
            // The library has caught any panic in the thread, and has raised it where the work was requested.
            let _ = thread.join();
        }
    }
}

/// Returns the number of threads of the pool that the caller runs in.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Calls `work` on every thread of the pool, as soon as the thread has nothing else to do.
pub(crate) fn on_all_threads<'s>(scope: &Scope<'s>, work: impl Fn() + Send + Sync + 's) {
    #[cfg(feature = "threads")]
    scope.spawn_broadcast(move |_, _| work());
    #[cfg(not(feature = "threads"))]
    scope.spawn(move |_| work());
}

/// Returns the number of the thread of the pool that the caller runs in.
pub(crate) fn thread() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_thread_index().unwrap_or(0);
    #[cfg(not(feature = "threads"))]
    0
}

/// Does a part of what another thread has shared out; returns whether there was any.
pub(crate) fn help() -> bool {
    #[cfg(feature = "threads")]
    return rayon::yield_now() == Some(rayon::Yield::Executed);
    #[cfg(not(feature = "threads"))]
    false
}

/// The threads with which a thread shares its work.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sharing<'a> {
    /// None: the thread works alone.
    NoThreads,
    /// All threads of the pool.
    All,
    /// The threads that have nothing else to do. The counter is their current number.
    Idle(&'a AtomicUsize),
}

impl Sharing<'_> {
    /// Returns whether there is a thread to share with.
    pub(crate) fn is_on(self) -> bool {
        match self {
            Self::NoThreads => false,
            Self::All => true,
            Self::Idle(threads) => threads.load(Ordering::Relaxed) > 0,
        }
    }
}

/// Sorts on all threads of the pool.
pub(crate) fn sort_unstable<T: Ord + Send>(values: &mut [T]) {
    #[cfg(feature = "threads")]
    values.par_sort_unstable();
    #[cfg(not(feature = "threads"))]
    values.sort_unstable();
}

/// Calls `work` with each number, on the threads that `sharing` names; the results come in order.
pub(crate) fn map<R: Send>(
    sharing: Sharing<'_>,
    numbers: Range<usize>,
    work: impl Fn(usize) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    if sharing.is_on() && numbers.len() > 1 {
        return numbers.into_par_iter().with_max_len(1).map(work).collect();
    }
    let _ = sharing;
    numbers.map(work).collect()
}

/// Calls `work` with parts of a slice and the place at which each begins, on the threads that `sharing` names.
pub(crate) fn each_part<T: Send>(
    sharing: Sharing<'_>,
    values: &mut [T],
    work: impl Fn(usize, &mut [T]) + Sync + Send,
) {
    #[cfg(feature = "threads")]
    if sharing.is_on() {
        let parts = values.par_chunks_mut(PART).enumerate();
        return parts.for_each(|(at, part)| work(at * PART, part));
    }
    let _ = sharing;
    values.chunks_mut(PART).enumerate().for_each(|(at, part)| work(at * PART, part));
}

/// Stand-ins that call everything on the caller's thread.
#[cfg(not(feature = "threads"))]
mod single {
    use std::cell::RefCell;

    /// No error can occur, since no thread is started.
    pub type PoolError = std::convert::Infallible;

    type Job<'s> = Box<dyn FnOnce(&Scope<'s>) + 's>;

    /// Work that is still to be done.
    pub(crate) struct Scope<'s>(RefCell<Vec<Job<'s>>>);

    impl<'s> Scope<'s> {
        /// Adds work that is done before [`scope`] returns.
        pub(crate) fn spawn(&self, work: impl FnOnce(&Self) + 's) {
            self.0.borrow_mut().push(Box::new(work));
        }
    }

    /// Calls `work`, then all jobs that it and the jobs themselves have spawned.
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
