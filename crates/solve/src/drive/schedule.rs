//! Schedule: which sublayer is swept when, and by whom.
//!
//! Small sublayers are swept by one thread each, as soon as what they lead to is solved; large ones one at a time by
//! all threads together. Either way the arithmetic is the same.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(clippy::cast_sign_loss, reason = "the numbers are never negative")]

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use crate::drive::engine::{Engine, Finished};
use crate::drive::iterate::{Course, Stopped};
use crate::drive::statistics::Tally;
use crate::plan::dependencies::{is_large, leads_to};
use crate::types::{Checkpoint, Facts, SolveError, Watch};
use crate::values::Values;

/// Bytes of stack for each thread; only what is used of it takes memory.
const STACK: usize = 64 << 20;

/// The order of work on the sublayers of one game.
#[derive(Debug)]
pub(crate) struct Schedule<'a, E: Engine> {
    engine: &'a E,
    pool: rayon::ThreadPool,
    threads: usize,
    /// By sublayer: how many it leads to, and which lead to it.
    needs: Vec<usize>,
    needed_by: Vec<Vec<usize>>,
    /// Those of large sublayers, which come one at a time, and of small ones.
    large_space: Mutex<E::Space>,
    small_spaces: Mutex<Vec<E::Space>>,
}

/// The values of a solved sublayer and what else is known of it.
pub(crate) type Settled = (Box<[f64]>, Facts);

type Solved = OnceLock<Settled>;

impl Finished for Vec<Solved> {
    fn sublayer(&self, at: usize) -> &[f64] {
        let solved = self[at].get();
        &solved.expect("a sublayer is swept after those it leads to").0
    }
}

impl Finished for Values {
    fn sublayer(&self, at: usize) -> &[f64] {
        self.sublayer(at)
    }
}

/// A solve in progress.
struct Run<'a, E: Engine> {
    schedule: &'a Schedule<'a, E>,
    tolerance: f64,
    checkpoint: &'a dyn Checkpoint,
    watch: &'a dyn Watch,
    solved: Vec<Solved>,
    waits: Vec<AtomicUsize>,
    done: AtomicU64,
    failure: OnceLock<SolveError>,
}

impl<'a, E: Engine> Schedule<'a, E> {
    pub(crate) fn new(engine: &'a E, threads: usize) -> Result<Self, SolveError> {
        let threads = threads.max(1);
        // Compiled without optimisation, the kernel keeps every row of its own on the stack.
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?;
        let sublayers = engine.indexer().sublayers();
        let mut needs = vec![0; sublayers.len()];
        let mut needed_by = vec![Vec::new(); sublayers.len()];
        for (at, &sublayer) in sublayers.iter().enumerate() {
            let leads_to = leads_to(engine.indexer(), sublayer);
            needs[at] = leads_to.len();
            for target in leads_to {
                needed_by[target].push(at);
            }
        }
        let (large_space, small_spaces) = (Mutex::default(), Mutex::default());
        Ok(Self { engine, pool, threads, needs, needed_by, large_space, small_spaces })
    }

    /// Sweeps every sublayer to its fixed point.
    pub(crate) fn solve(
        &self,
        tolerance: f64,
        checkpoint: &dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<Vec<Settled>, SolveError> {
        let run = Run {
            schedule: self,
            tolerance,
            checkpoint,
            watch,
            solved: self.needs.iter().map(|_| Solved::new()).collect(),
            waits: self.needs.iter().map(|&needs| AtomicUsize::new(needs)).collect(),
            done: AtomicU64::new(0),
            failure: OnceLock::new(),
        };
        self.pool.install(|| rayon::scope(|scope| run.all(scope)));
        if let Some(failure) = run.failure.into_inner() {
            return Err(failure);
        }
        let solved = run.solved.into_iter().map(OnceLock::into_inner);
        Ok(solved.collect::<Option<_>>().expect("without a failure every sublayer is solved"))
    }

    /// Measures how far `values` are from their backups; progress is counted in positions.
    pub(crate) fn certify(&self, values: &Values, watch: &dyn Watch) -> Result<Tally, SolveError> {
        let indexer = self.engine.indexer();
        let (large, small): (Vec<_>, Vec<_>) =
            (0..self.needs.len()).partition(|&at| self.is_large(at));
        let done = AtomicU64::new(0);
        let certify = |at: usize, shared| {
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
            let measure = |space: &mut _| self.engine.certify(at, values, space, shared);
            let tally = self.with_space(shared, measure);
            let positions = indexer.sublayers()[at].len();
            watch.progress(done.fetch_add(positions, Ordering::Relaxed) + positions, indexer.len());
            Ok(tally)
        };
        self.pool.install(|| {
            let small = small.into_par_iter().map(|at| certify(at, false));
            let mut tallies = small.collect::<Result<Vec<_>, _>>()?;
            for at in large {
                tallies.push(certify(at, true)?);
            }
            Ok(tallies.into_iter().fold(Tally::default(), Tally::and))
        })
    }

    fn is_large(&self, at: usize) -> bool {
        is_large(self.engine.indexer(), self.engine.indexer().sublayers()[at], self.threads)
    }

    /// Calls `action` with buffers that nobody else uses.
    fn with_space<R>(&self, shared: bool, action: impl FnOnce(&mut E::Space) -> R) -> R {
        if shared {
            return action(&mut self.large_space.lock().expect("no holder of this lock panics"));
        }
        let spaces = || self.small_spaces.lock().expect("no holder of this lock panics");
        let mut space = spaces().pop().unwrap_or_default();
        let result = action(&mut space);
        spaces().push(space);
        result
    }
}

impl<E: Engine> Run<'_, E> {
    /// Solves every sublayer. A large one is kept while the next is swept.
    fn all<'s>(&'s self, keeping: &rayon::Scope<'s>) {
        let total = self.solved.len();
        while self.failure.get().is_none() {
            let ready: Vec<_> = (0..total).filter(|&at| self.is_ready(at)).collect();
            let (large, small): (Vec<_>, Vec<_>) =
                ready.into_iter().partition(|&at| self.schedule.is_large(at));
            if !small.is_empty() {
                rayon::scope(|scope| {
                    for at in small {
                        scope.spawn(move |scope| self.small(scope, at));
                    }
                });
            } else if large.is_empty() {
                return;
            } else {
                for at in large {
                    self.one(at, true, || keeping.spawn(move |_| self.keep(at)));
                }
            }
        }
    }

    fn is_ready(&self, at: usize) -> bool {
        self.waits[at].load(Ordering::Acquire) == 0 && self.solved[at].get().is_none()
    }

    /// Solves a small sublayer, then starts those that only waited for it.
    fn small<'s>(&'s self, scope: &rayon::Scope<'s>, at: usize) {
        for next in self.one(at, false, || self.keep(at)) {
            if !self.schedule.is_large(next) {
                scope.spawn(move |scope| self.small(scope, next));
            }
        }
    }

    /// Solves one sublayer, and calls `keep` where nothing had kept it; returns those that only waited for it.
    fn one(&self, at: usize, shared: bool, keep: impl FnOnce()) -> Vec<usize> {
        if self.failure.get().is_some() {
            return Vec::new();
        }
        match self.obtain(at, shared) {
            Ok((solved, is_kept)) => {
                let first = self.solved[at].set(solved).is_ok();
                debug_assert!(first, "a sublayer is solved once");
                if !is_kept {
                    keep();
                }
                let needed_by = self.schedule.needed_by[at].iter().copied();
                needed_by
                    .filter(|&next| self.waits[next].fetch_sub(1, Ordering::AcqRel) == 1)
                    .collect()
            }
            Err(failure) => {
                // The first failure counts.
                let _ = self.failure.set(failure);
                Vec::new()
            }
        }
    }

    /// Returns the values of a sublayer, and whether these are kept already.
    fn obtain(&self, at: usize, shared: bool) -> Result<(Settled, bool), SolveError> {
        let positions = self.schedule.engine.indexer().sublayers()[at].len();
        if let Some(kept) = self.checkpoint.load(at).map_err(SolveError::Checkpoint)? {
            self.advance(positions);
            return Ok((kept, true));
        }
        let told = AtomicU64::new(0);
        let watch = |change: f64| {
            let so_far = (settled_share(change) * positions as f64) as u64;
            let before = told.fetch_max(so_far, Ordering::Relaxed);
            self.advance(so_far.saturating_sub(before));
            self.watch.stop() || self.failure.get().is_some()
        };
        let course = Course { shared, tolerance: self.tolerance, watch: &watch };
        let settle = |space: &mut _| self.schedule.engine.settle(at, &self.solved, space, course);
        let (values, sweeps) =
            self.schedule.with_space(shared, settle).map_err(|Stopped| SolveError::Stopped)?;
        self.advance(positions - told.into_inner());
        Ok(((values, Facts { sweeps }), false))
    }

    /// Keeps the values of a solved sublayer.
    fn keep(&self, at: usize) {
        let (values, facts) = self.solved[at].get().expect("a sublayer is kept once it is solved");
        if let Err(error) = self.checkpoint.save(at, values, *facts) {
            // The first failure counts.
            let _ = self.failure.set(SolveError::Checkpoint(error));
        }
    }

    fn advance(&self, positions: u64) {
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        self.watch.progress(done, self.schedule.engine.indexer().len());
    }
}

/// How much of the way to the fixed point is done when a sweep changes values by `change`: its share of the digits.
fn settled_share(change: f64) -> f64 {
    (-change.max(1e-17).log10() / 16.0).clamp(0.0, 0.97)
}
