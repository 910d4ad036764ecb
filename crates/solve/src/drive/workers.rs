//! Threads that work on sublayers side by side, and help each other when there is no sublayer to take.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::parallel::{self, Sharing, scope};

/// What the threads of a pool know of each other while each works on sublayers of its own.
#[derive(Debug)]
pub(crate) struct Workers {
    /// By thread: whether it has joined the others.
    joined: Box<[AtomicBool]>,
    /// The number of threads that have a sublayer, or are about to look for one.
    busy: AtomicUsize,
    /// The number of threads that help these.
    idle: AtomicUsize,
    /// How often there has been something new to take.
    news: AtomicUsize,
}

/// The number of vain looks for work after which a thread sleeps for `SLEEP` between two looks.
const LOOKS: u32 = 2000;
const SLEEP: Duration = Duration::from_micros(50);

impl Workers {
    /// Returns the initial state of a pool of `threads` threads.
    pub(crate) fn new(threads: usize) -> Self {
        let joined = (0..threads).map(|_| AtomicBool::new(false)).collect();
        Self {
            joined,
            busy: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            news: AtomicUsize::new(0),
        }
    }

    /// Calls `work` with each sublayer that `take` returns. When `take` returns `None`, helps other threads, until no thread has
    /// work.
    ///
    /// Every thread of the pool may call this at any time, with the same `take` and `work`. A thread that waits for others in
    /// `work` may be made to call this again; that call returns at once.
    pub(crate) fn run(&self, take: impl Fn() -> Option<usize>, work: impl Fn(usize, Sharing<'_>)) {
        let Some(_joined) = self.join() else { return };
        loop {
            let known = self.news.load(Ordering::Acquire);
            {
                let _rested = counted(&self.busy);
                while let Some(at) = take() {
                    work(at, Sharing::Idle(&self.idle));
                }
            }
            if !self.help(known) {
                return;
            }
        }
    }

    /// Calls `work` with each number below `len` on all `threads` threads of the pool. The results come in order.
    pub(crate) fn map<R: Send + Sync>(
        threads: usize,
        len: usize,
        work: impl Fn(usize, Sharing<'_>) -> R + Send + Sync,
    ) -> Vec<R> {
        let (workers, next) = (Self::new(threads), AtomicUsize::new(0));
        let results: Vec<_> = (0..len).map(|_| OnceLock::new()).collect();
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < len);
        let worker = || {
            workers.run(take, |at, sharing| {
                results[at].get_or_init(|| work(at, sharing));
            });
        };
        scope(|scope| {
            parallel::on_all_threads(scope, worker);
            worker();
        });
        results.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// Calls `work`, which shares its parts with all threads. Threads that call [`Workers::run`] meanwhile help until it ends.
    pub(crate) fn run_shared<R>(&self, work: impl FnOnce() -> R) -> R {
        let _joined = self.join();
        let _rested = counted(&self.busy);
        work()
    }

    /// Makes the caller's thread join the others until the returned guard is dropped. Returns `None` if it has joined already.
    fn join(&self) -> Option<AtEnd<impl Fn()>> {
        let joined = &self.joined[parallel::thread()];
        let is_new = !joined.swap(true, Ordering::AcqRel);
        is_new.then(|| AtEnd(|| joined.store(false, Ordering::Release)))
    }

    /// Tells the threads that there is more to take.
    pub(crate) fn announce(&self) {
        self.news.fetch_add(1, Ordering::AcqRel);
    }

    /// Helps other threads until `news` is no longer `known`, that is, there is more to take. Returns false once no thread has
    /// work.
    fn help(&self, known: usize) -> bool {
        let _gone = counted(&self.idle);
        let mut looks = 0;
        while self.busy.load(Ordering::Acquire) > 0 {
            if self.news.load(Ordering::Acquire) != known {
                return true;
            }
            looks = if parallel::help() { 0 } else { looks + 1 };
            if looks < LOOKS {
                std::thread::yield_now();
            } else {
                std::thread::sleep(SLEEP);
            }
        }
        false
    }
}

/// Counts the caller until the returned guard is dropped.
fn counted(threads: &AtomicUsize) -> AtEnd<impl Fn()> {
    threads.fetch_add(1, Ordering::AcqRel);
    AtEnd(|| {
        threads.fetch_sub(1, Ordering::AcqRel);
    })
}

/// Calls a function when it is dropped, even in a panic.
struct AtEnd<F: Fn()>(F);

impl<F: Fn()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::*;
    use crate::parallel::{Pool, map};

    /// Pieces of work. Piece n waits for the pieces 2n and 2n + 1.
    struct Pyramid {
        workers: Workers,
        ready: Mutex<Vec<usize>>,
        waits: Vec<AtomicUsize>,
        done: Vec<AtomicUsize>,
    }

    impl Pyramid {
        fn new(pieces: usize, threads: usize) -> Self {
            let children = |at: usize| [2 * at, 2 * at + 1].into_iter().filter(|&it| it < pieces);
            let waits: Vec<_> = (0..pieces).map(|at| children(at).count()).collect();
            let ready = (1..pieces).filter(|&at| waits[at] == 0).collect();
            Self {
                workers: Workers::new(threads),
                ready: Mutex::new(ready),
                waits: waits.into_iter().map(AtomicUsize::new).collect(),
                done: (0..pieces).map(|_| AtomicUsize::new(0)).collect(),
            }
        }

        fn worker(&self, work: &(impl Fn(usize) + Sync)) {
            let take = || self.ready.lock().unwrap().pop();
            self.workers.run(take, |at, sharing| {
                map(sharing, 0..8, |_| work(at));
                self.done[at].fetch_add(1, Ordering::Relaxed);
                let parent = at / 2;
                if parent > 0 && self.waits[parent].fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.ready.lock().unwrap().push(parent);
                    self.workers.announce();
                }
            });
        }

        fn run(&self, threads: usize, work: impl Fn(usize) + Sync) {
            Pool::new(threads, None).unwrap().install(|| {
                scope(|scope| {
                    // Each thread is called twice, and one a third time.
                    parallel::on_all_threads(scope, || self.worker(&work));
                    parallel::on_all_threads(scope, || self.worker(&work));
                    self.worker(&work);
                });
            });
        }
    }

    #[test]
    fn every_piece_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            for _ in 0..20 {
                let pyramid = Pyramid::new(200, threads);
                pyramid.run(threads, |at| {
                    let spin = 100 * (at % 7);
                    (0..spin).for_each(|_| std::hint::spin_loop());
                });
                let done = pyramid.done[1..].iter().map(|done| done.load(Ordering::Relaxed));
                assert!(done.eq([1; 199]), "{threads} threads");
            }
        }
    }

    #[test]
    fn results_come_in_order() {
        for threads in [1, 3] {
            let pool = Pool::new(threads, None).unwrap();
            let found = pool.install(|| Workers::map(threads, 100, |at, _| 3 * at));
            assert!(found.into_iter().eq((0..100).map(|at| 3 * at)));
        }
    }

    #[test]
    fn shared_work_ends_though_each_thread_is_called_while_it_waits() {
        for threads in [1, 2, 3, 8] {
            let workers = Workers::new(threads);
            let worker = || workers.run(|| None, |_, _| {});
            let done = AtomicUsize::new(0);
            Pool::new(threads, None).unwrap().install(|| {
                scope(|scope| {
                    workers.run_shared(|| {
                        (0..3).for_each(|_| parallel::on_all_threads(scope, worker));
                        for _ in 0..100 {
                            map(Sharing::All, 0..64, |_| {
                                parallel::help();
                                done.fetch_add(1, Ordering::Relaxed)
                            });
                        }
                    });
                });
            });
            assert_eq!(done.into_inner(), 6400);
            assert_eq!([workers.busy.into_inner(), workers.idle.into_inner()], [0, 0]);
        }
    }

    #[test]
    fn a_panic_ends_all_work() {
        let pyramid = Pyramid::new(200, 3);
        let run = || pyramid.run(3, |at| assert_ne!(at, 20));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert_eq!(pyramid.done[1].load(Ordering::Relaxed), 0);
    }
}
