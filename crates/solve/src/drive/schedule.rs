//! Which sublayer is swept when, and by which threads.
//!
//! Small sublayers are swept side by side, each by one thread as soon as all sublayers that it leads to are solved. Threads that
//! find none help the others. Large sublayers are swept one at a time by all threads together. Either way the arithmetic is the
//! same.
#![expect(clippy::cast_possible_truncation, reason = "a share of a number of positions")]
#![expect(clippy::cast_sign_loss, reason = "the numbers are never negative")]

mod among_ranks;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::drive::engine::{Certify, Engine, Finished};
use crate::drive::exchange::ALONE;
use crate::drive::graph::Graph;
use crate::drive::iterate::Course;
use crate::drive::statistics::Tally;
use crate::drive::workers::Workers;
use crate::parallel::{self, Pool, Scope, Sharing, scope};
use crate::plan::dependencies::LEAST_SHARED;
use crate::types::{Checkpoint, Facts, SolveError, Sweep, Watch};
use crate::values::{Held, are_chances};

/// Bytes of stack for each thread; only what is used of it takes memory, but all of it counts for `ulimit -v`. If it is compiled
/// without optimisation, the kernel keeps each of its rows on the stack.
const STACK: usize = if cfg!(debug_assertions) { 64 << 20 } else { 8 << 20 };

/// The order of work on the sublayers of one game.
#[derive(Debug)]
pub(crate) struct Schedule<'a, E: Engine> {
    engine: &'a E,
    pool: Pool,
    threads: usize,
    graph: Graph,
    /// Buffers that no sublayer uses at the moment, each with the positions of the largest sublayer that has used it, in
    /// ascending order of these positions.
    spaces: Mutex<Vec<(u64, E::Space)>>,
    /// By sublayer: its certificate, if it was measured when the sublayer was settled.
    certificates: Vec<OnceLock<Tally>>,
}

/// The values of a solved sublayer and what else is known of it.
pub(crate) type Settled<V> = (Arc<dyn Held<V>>, Facts);

/// Decides what becomes of settled values.
pub(crate) trait Keep<V>: Sync {
    /// Returns a sublayer that was settled and kept before.
    fn load(&self, at: usize) -> io::Result<Option<Settled<V>>> {
        let _ = at;
        Ok(None)
    }

    /// Keeps a sublayer for another time; returns the holder of its values from then on.
    fn save(
        &self,
        at: usize,
        values: Arc<dyn Held<V>>,
        facts: Facts,
    ) -> io::Result<Arc<dyn Held<V>>> {
        let _ = (at, facts);
        Ok(values)
    }

    /// Returns whether all values are held to the end, and not only until the last sublayer that reads them is solved.
    fn holds_all(&self) -> bool {
        true
    }
}

impl Keep<f64> for &dyn Checkpoint {
    fn load(&self, at: usize) -> io::Result<Option<Settled<f64>>> {
        (**self).load(at)
    }

    fn save(&self, at: usize, values: Arc<dyn Held>, facts: Facts) -> io::Result<Arc<dyn Held>> {
        (**self).save(at, values, facts)
    }
}

/// By sublayer: its values, if they are read. Their pages are released when this is dropped.
struct OpenValues<V>(Vec<Option<Arc<dyn Held<V>>>>);

impl<V> OpenValues<V> {
    /// Returns the values of the sublayers at `read`, each as `open` returns it.
    fn new(
        sublayers: usize,
        read: impl IntoIterator<Item = usize>,
        open: impl Fn(usize) -> Option<Arc<dyn Held<V>>>,
    ) -> Self {
        let mut held = vec![None; sublayers];
        read.into_iter().for_each(|at| held[at] = open(at));
        Self(held)
    }

    /// Tells the values how the engine reads them.
    fn advised_for<E: Engine>(self, engine: &E) -> Self {
        if engine.has_little_for_finished() {
            self.0.iter().flatten().for_each(|held| held.expect_random_reads());
        }
        self
    }
}

impl<V> Drop for OpenValues<V> {
    fn drop(&mut self) {
        self.0.iter().flatten().for_each(|held| held.release_pages());
    }
}

impl<V: Send + Sync> Finished<V> for OpenValues<V> {
    fn sublayer(&self, at: usize) -> &[V] {
        let held = self.0[at].as_ref();
        held.expect("a sublayer is swept after those it leads to").values()
    }
}

/// A function that returns the holder of the settled values of a sublayer, ready to be read.
pub(crate) type Opener<'a> = &'a (dyn Fn(usize) -> Arc<dyn Held> + Sync);

/// A queue of sublayers that wait for no other. Those that come last in a game are first, so that values are released early.
type Ready = BinaryHeap<Reverse<(u32, usize)>>;

/// The values of a sublayer while they are held.
type Slot<V> = Mutex<Option<Settled<V>>>;

/// A solve in progress.
struct Run<'a, E: Engine> {
    schedule: &'a Schedule<'a, E>,
    tolerance: f64,
    keep: &'a dyn Keep<E::Value>,
    watch: &'a dyn Watch,
    settled: Vec<Slot<E::Value>>,
    /// By sublayer: how many unsettled ones it leads to (`waits`), and how many are still to read it (`readers`).
    waits: Vec<AtomicUsize>,
    readers: Vec<AtomicUsize>,
    /// The small sublayers that are ready, and the large ones.
    ready: [Mutex<Ready>; 2],
    workers: Workers,
    done: AtomicU64,
    failure: OnceLock<SolveError>,
}

impl<'a, E: Engine> Schedule<'a, E> {
    pub(crate) fn new(engine: &'a E, threads: usize) -> Result<Self, SolveError> {
        let pool = Pool::new(threads, Some(STACK))?;
        let threads = pool.threads();
        let graph = Graph::new(engine);
        let certificates = graph.depth.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { engine, pool, threads, graph, spaces: Mutex::default(), certificates })
    }

    /// Sweeps every sublayer to its fixed point; returns those that are held to the end.
    pub(crate) fn solve(
        &self,
        tolerance: f64,
        keep: &dyn Keep<E::Value>,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<Settled<E::Value>>>, SolveError> {
        let Graph { leads_to, .. } = &self.graph;
        let run = Run {
            schedule: self,
            tolerance,
            keep,
            watch,
            settled: leads_to.iter().map(|_| Mutex::default()).collect(),
            waits: leads_to.iter().map(|targets| AtomicUsize::new(targets.len())).collect(),
            readers: self.graph.readers().into_iter().map(AtomicUsize::new).collect(),
            ready: Default::default(),
            workers: Workers::new(self.threads),
            done: AtomicU64::new(0),
            failure: OnceLock::new(),
        };
        self.pool.install(|| scope(|scope| run.all(scope)));
        if let Some(failure) = run.failure.into_inner() {
            return Err(failure);
        }
        let settled = run.settled.into_iter().map(|it| it.into_inner().expect(UNPOISONED));
        Ok(settled.collect())
    }
}

const UNPOISONED: &str = "no holder of this lock panics";

impl<E: Certify<Value = f64>> Schedule<'_, E> {
    /// Measures how far values are from their backups; the distance is infinite if a value is not a chance. Progress is counted
    /// in positions. A sublayer that this schedule has certified when it settled is not measured again.
    pub(crate) fn certify(&self, open: Opener<'_>, watch: &dyn Watch) -> Result<Tally, SolveError> {
        let indexer = self.engine.indexer();
        let (large, small): (Vec<_>, Vec<_>) =
            (0..self.graph.depth.len()).partition(|&at| self.is_large(at));
        let done = AtomicU64::new(0);
        let certify = |at: usize, sharing: Sharing<'_>| {
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
            let measured = || {
                let read = self.graph.leads_to[at].iter().copied().chain([at]);
                let read = OpenValues::new(self.engine.sublayers(), read, |at| Some(open(at)));
                self.measure(at, Course::of_certificate(sharing), &read.advised_for(self.engine))
            };
            let tally = self.certificates[at].get().map_or_else(measured, |&tally| Ok(tally))?;
            let positions = self.engine.positions(at);
            watch.progress(done.fetch_add(positions, Ordering::Relaxed) + positions, indexer.len());
            Ok(tally)
        };
        self.pool.install(|| {
            let certified = Workers::map(self.threads, small.len(), |at, sharing| {
                certify(small[at], self.sharing(small[at], sharing))
            });
            let mut tallies = certified.into_iter().collect::<Result<Vec<_>, _>>()?;
            for at in large {
                tallies.push(certify(at, Sharing::All)?);
            }
            Ok(tallies.into_iter().fold(Tally::default(), Tally::and))
        })
    }

    /// Measures how far those values of a sublayer that this rank holds are from their backups.
    fn measure(
        &self,
        at: usize,
        course: Course<'_>,
        read: &impl Finished,
    ) -> Result<Tally, SolveError> {
        let certify = |space: &mut _| self.engine.certify(at, read, space, course);
        let mut tally = self.with_space(at, course.sharing, certify)?;
        if !are_chances(read.sublayer(at)) {
            tally.change = f64::INFINITY;
        }
        Ok(tally)
    }
}

impl<E: Engine> Schedule<'_, E> {
    fn is_large(&self, at: usize) -> bool {
        self.graph.is_large(at, self.threads)
    }

    /// Returns how a thread shares a sublayer that all threads sweep.
    fn all_threads(&self) -> Sharing<'static> {
        if self.threads > 1 { Sharing::All } else { Sharing::NoThreads }
    }

    /// Returns how a thread shares a small sublayer, given how it can: the smallest are not worth sharing.
    fn sharing<'s>(&self, at: usize, sharing: Sharing<'s>) -> Sharing<'s> {
        if self.engine.positions(at) >= LEAST_SHARED { sharing } else { Sharing::NoThreads }
    }

    /// Calls `action` with buffers for the sublayer at `at` that no other sublayer uses meanwhile.
    fn with_space<R>(
        &self,
        at: usize,
        sharing: Sharing<'_>,
        action: impl FnOnce(&mut E::Space) -> R,
    ) -> R {
        let positions = self.engine.positions(at);
        let mut spaces = self.spaces.lock().expect(UNPOISONED);
        // The smallest buffers that have had room for as much, or else the largest, so that few have to grow.
        let fitting = spaces.partition_point(|&(most, _)| most < positions);
        let fitting = fitting.min(spaces.len().saturating_sub(1));
        let found = (!spaces.is_empty()).then(|| spaces.remove(fitting));
        let (most, mut space) = found.unwrap_or_else(|| (0, self.engine.space()));
        if matches!(sharing, Sharing::All) {
            // A large sublayer needs the memory of the other buffers.
            spaces.clear();
        }
        drop(spaces);
        let result = action(&mut space);
        let most = most.max(positions);
        let mut spaces = self.spaces.lock().expect(UNPOISONED);
        let place = spaces.partition_point(|&(other, _)| other < most);
        spaces.insert(place, (most, space));
        result
    }
}

impl<E: Engine> Run<'_, E> {
    /// Solves every sublayer. A large one is written to its file while the next is swept, if there is memory for both.
    fn all<'s>(&'s self, keeping: &Scope<'s>) {
        (0..self.waits.len()).filter(|&at| self.waits[at].load(Ordering::Relaxed) == 0).for_each(
            |at| {
                self.push_ready(at);
            },
        );
        while self.failure.get().is_none() {
            parallel::on_all_threads(keeping, || self.small());
            self.small();
            let Some(&Reverse((_, at))) = self.ready(true).peek() else { return };
            self.workers.run_shared(|| {
                parallel::on_all_threads(keeping, || self.small());
                self.one(at, self.schedule.all_threads(), |settled| {
                    if self.schedule.engine.is_short_of_memory() {
                        self.save(at, settled);
                    } else {
                        keeping.spawn(move |_| self.save(at, settled));
                    }
                });
            });
            // The sublayer is still the first in the queue: those that waited for it are deeper. Until now it has held back
            // deeper small ones.
            self.ready(true).pop();
        }
    }

    /// Solves small sublayers until those that are left wait for a large one.
    fn small(&self) {
        let take = || {
            let next_large = self.ready(true).peek().map(|&Reverse((depth, _))| depth);
            // Small sublayers must not run far ahead if values are released early.
            let horizon = next_large.filter(|_| !self.keep.holds_all()).unwrap_or(u32::MAX);
            self.pop_ready(false, horizon)
        };
        self.workers.run(take, |at, sharing| {
            self.one(at, self.schedule.sharing(at, sharing), |settled| self.save(at, settled));
        });
    }

    fn ready(&self, is_large: bool) -> MutexGuard<'_, Ready> {
        self.ready[usize::from(is_large)].lock().expect(UNPOISONED)
    }

    /// Notes that a sublayer waits for no other.
    fn push_ready(&self, at: usize) {
        let is_large = self.schedule.is_large(at);
        self.ready(is_large).push(Reverse((self.schedule.graph.depth[at], at)));
        self.workers.announce();
    }

    /// Takes the next sublayer that waits for no other, if it is no deeper than the horizon.
    fn pop_ready(&self, is_large: bool, horizon: u32) -> Option<usize> {
        let mut ready = self.ready(is_large);
        let Reverse((depth, at)) = *ready.peek()?;
        if depth > horizon {
            return None;
        }
        ready.pop();
        Some(at)
    }

    /// Solves one sublayer, and calls `save` if it was not kept before.
    fn one(&self, at: usize, sharing: Sharing<'_>, save: impl FnOnce(Settled<E::Value>)) {
        if self.failure.get().is_some() {
            return;
        }
        match self.obtain(at, sharing) {
            Ok((settled, is_kept)) => {
                *self.settled[at].lock().expect(UNPOISONED) = Some(settled.clone());
                if !is_kept {
                    save(settled);
                }
                self.release_targets(at);
                let waiting = self.schedule.graph.needed_by[at].iter();
                let freed = |&&next: &&usize| self.waits[next].fetch_sub(1, Ordering::AcqRel) == 1;
                waiting.filter(freed).for_each(|&next| self.push_ready(next));
            }
            Err(failure) => {
                // The first failure counts.
                let _ = self.failure.set(failure);
            }
        }
    }

    /// Releases the sublayers that only the one at `at` was still to read.
    fn release_targets(&self, at: usize) {
        for &target in &self.schedule.graph.leads_to[at] {
            let is_last = self.readers[target].fetch_sub(1, Ordering::AcqRel) == 1;
            if is_last && !self.keep.holds_all() {
                *self.settled[target].lock().expect(UNPOISONED) = None;
            }
        }
    }

    /// Returns the values of a sublayer, and whether these are kept already.
    fn obtain(
        &self,
        at: usize,
        sharing: Sharing<'_>,
    ) -> Result<(Settled<E::Value>, bool), SolveError> {
        let positions = self.schedule.engine.positions(at);
        if let Some(kept) = self.keep.load(at).map_err(SolveError::Checkpoint)? {
            self.advance(positions);
            return Ok((kept, true));
        }
        let reported = AtomicU64::new(0);
        let watch = |share: f64, sweep: Option<&Sweep<'_>>| {
            if let Some(sweep) = sweep {
                self.watch.sweep(at, sweep);
            }
            let so_far = (share * positions as f64) as u64;
            let before = reported.fetch_max(so_far, Ordering::Relaxed);
            self.advance(so_far.saturating_sub(before));
            self.watch.stop() || self.failure.get().is_some()
        };
        let certificate = Some(&self.schedule.certificates[at]);
        let tolerance = self.tolerance;
        let course = Course { sharing, ranks: ALONE, tolerance, watch: &watch, certificate };
        let targets = self.schedule.graph.leads_to[at].iter().copied();
        let read = OpenValues::new(self.settled.len(), targets, |target| {
            let settled = self.settled[target].lock().expect(UNPOISONED);
            settled.as_ref().map(|(values, _)| Arc::clone(values))
        });
        let read = read.advised_for(self.schedule.engine);
        let settle = |space: &mut _| self.schedule.engine.settle(at, read, space, course);
        let (values, sweeps) = self.schedule.with_space(at, sharing, settle)?;
        self.advance(positions - reported.into_inner());
        Ok(((values, Facts { sweeps }), false))
    }

    /// Keeps a sublayer; later readers read it where it is kept.
    fn save(&self, at: usize, (values, facts): Settled<E::Value>) {
        match self.keep.save(at, values, facts) {
            Ok(kept) => {
                if let Some((values, _)) = &mut *self.settled[at].lock().expect(UNPOISONED) {
                    *values = kept;
                }
            }
            Err(error) => {
                // The first failure counts.
                let _ = self.failure.set(SolveError::Checkpoint(error));
            }
        }
    }

    fn advance(&self, positions: u64) {
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        self.watch.progress(done, self.schedule.engine.indexer().len());
    }
}
