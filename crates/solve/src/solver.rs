//! The solver: it sweeps every sublayer to its fixed point, those that come last in a game first.

use std::sync::Arc;

use puabi_core::{Indexer, Rules, TooManyPositions};

use crate::bounds;
use crate::dense::engine::DenseEngine;
use crate::dense::layout::estimate;
use crate::dense::layout::masks::MaskTables;
use crate::drive::engine::Certify;
use crate::drive::exchange::{Exchange, Ranks, Received, Traffic};
use crate::drive::graph::Graph;
use crate::drive::schedule::{Keep, Schedule, Settled};
use crate::drive::statistics::Tally;
use crate::general::{self, General};
use crate::memory::buffer::Buffer;
#[cfg(feature = "threads")]
use crate::memory::spill::Rooms;
use crate::memory::spill::{OnDisk, Spilled, Spills, WORTH_A_FILE};
use crate::plan::size::{EngineWork, WorkSize};
use crate::plan::spread::{RankPlan, Spread};
use crate::types::{Certificate, Checkpoint, Options, PartWatch, Plan, Report, SolveError, Watch};
use crate::values::{Held, Values};

/// Solves a game exactly.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, report) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// assert_eq!(report.positions, 217);
/// assert!((values.value(rules.start()) - 0.530_049_839_525).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solver {
    pub(crate) rules: Arc<Rules>,
    pub(crate) indexer: Indexer,
    pub(crate) options: Options,
    spills: Spills,
    /// Gives room to all values of a sublayer when the first rank gathers the parts of all ranks.
    gathered: Spills,
}

impl Solver {
    /// Returns a solver of the game with these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the game has more positions than an index can count.
    pub fn new(rules: &Rules, options: Options) -> Result<Self, TooManyPositions> {
        let options = Options { threads: options.threads.max(1), ..options };
        Ok(Self {
            rules: Arc::new(rules.clone()),
            indexer: Indexer::new(rules)?,
            options,
            spills: Spills::default(),
            gathered: Spills::default(),
        })
    }

    /// Returns the solver with parts of sublayers at work in these rooms instead of in memory. External values, in the general
    /// engine successors and candidates, always go to the rooms. Successors of the dense engine, deltas, settled values in index
    /// order, and at last values at work follow in this order, each only if more than `limit` bytes of memory would be needed
    /// otherwise. On Linux, as many of the values at work stay in memory as the limit allows. In the general engine, sublayers that
    /// fit the limit stay in memory as they are. The bytes of the result are the same.
    ///
    /// What a sweep reads once, in order, is read ahead. Of values in rooms, the system keeps in memory as much as it has room
    /// for.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn spilling(self, rooms: Arc<dyn Rooms>, limit: u64) -> Self {
        let mut spilling = Self { spills: Spills::new(rooms, OnDisk::ReadOnly), ..self };
        while spilling.memory() > limit && spilling.spills.put_more() {}
        // The pages of mapped files need some of the memory that is left.
        let most = limit.saturating_sub(limit.saturating_sub(spilling.memory()) / 16);
        while spilling.spills.keep_more() {
            if spilling.memory() > most {
                spilling.spills.keep_less();
                break;
            }
        }
        spilling.keep_small_sublayers(limit);
        spilling
    }

    /// Keeps as many sublayers in memory as the limit allows, the smallest first, if none leaves its buffers to the next.
    #[cfg(feature = "threads")]
    fn keep_small_sublayers(&mut self, limit: u64) {
        let work = self.work(1);
        if work.leaves_buffers {
            return;
        }
        let mut sizes: Vec<u64> = work.sizes.iter().map(|size| size.positions).collect();
        sizes.sort_unstable();
        let kept = sizes.partition_point(|&size| {
            let mut spills = self.spills.clone();
            spills.keep_smaller_than(size + 1);
            work.memory(self.options.threads, spills.spilled()) <= limit
        });
        self.spills.keep_smaller_than(kept.checked_sub(1).map_or(0, |last| sizes[last] + 1));
    }

    /// Returns the solver with settled values in these rooms while they are brought to index order or fetched from other ranks.
    /// Everything else stays in memory. This is for [`Solver::solve_among`]: either all ranks have such rooms or none has.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn spilling_in_index_order(self, rooms: Arc<dyn Rooms>) -> Self {
        let spills = Spills::new(rooms, OnDisk::Ordered);
        Self { gathered: spills.clone(), spills, ..self }
    }

    /// Returns the solver with these rooms for gathered values: the first rank of [`Solver::solve_among`] brings all values of a
    /// sublayer together there, before its checkpoint keeps them.
    #[cfg(feature = "threads")]
    #[must_use]
    pub fn gathering_in(self, rooms: Arc<dyn Rooms>) -> Self {
        Self { gathered: Spills::new(rooms, OnDisk::Ordered), ..self }
    }

    /// Returns the most bytes that a solve takes in the rooms of [`Solver::spilling`], 0 without rooms.
    pub fn spilled(&self) -> u64 {
        self.work(1).spilled(self.options.threads, self.spills.spilled())
    }

    /// Returns how many of the bytes of [`Solver::spilled`] are free again before a checkpoint keeps the last sublayer, the one with
    /// the start: at most as many as its values take.
    pub fn freed_at_end(&self) -> u64 {
        self.work(1).freed_at_end(self.spills.spilled())
    }

    /// Returns the most bytes of [`Solver::hold`] that [`Solver::certify`] reads at a time in the rooms of [`Solver::spilling`],
    /// 0 without rooms.
    pub fn opened(&self) -> u64 {
        if !self.spills.holds(OnDisk::ReadOnly) {
            return 0;
        }
        let graph = Graph::of_game(&self.indexer);
        graph.most_opened(self.options.threads, WORTH_A_FILE).saturating_mul(8)
    }

    /// Holds the values of a sublayer that are stored nowhere in the form in which they are read, such as those that a smaller
    /// store has rounded. They go to a room of [`Solver::spilling`] if there is one and they are many, otherwise to memory.
    pub fn hold(&self, count: usize, value: impl Fn(usize) -> f64) -> Arc<dyn Held> {
        let spill =
            self.spills.spill_for(OnDisk::ReadOnly).filter(|_| count as u64 >= WORTH_A_FILE);
        if spill.is_some() {
            let mut buffer = Buffer::new(spill);
            // A full disk is no error as long as there is memory.
            if buffer.reserve(count).is_ok() {
                let values = buffer.as_mut_slice().iter_mut().enumerate();
                values.for_each(|(at, held)| *held = value(at));
                return Arc::new(buffer);
            }
        }
        let values: Box<[f64]> = (0..count).map(value).collect();
        Arc::new(values)
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the options of the solve.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Returns the index of the game's positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns whether the dense engine solves the game.
    pub(crate) fn is_dense(&self) -> bool {
        MaskTables::is_dense(&self.rules, self.indexer.zones())
    }

    /// Returns the bytes of memory that [`Solver::solve`] takes at its peak, a little more rather than less, if the checkpoint
    /// holds the values of finished sublayers.
    pub fn memory(&self) -> u64 {
        self.work(1).memory(self.options.threads, self.spills.spilled())
    }

    /// Returns the bytes of memory that [`Solver::solve`] takes at its peak if it holds all values itself.
    pub fn holding_memory(&self) -> u64 {
        self.memory().saturating_add(self.indexer.len().saturating_mul(8))
    }

    /// Returns the estimated cost of a solve. This takes only a moment, whatever the size of the game.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_solve::{Options, Solver};
    ///
    /// let plan = Solver::new(&RuleSet::FINKEL.compile()?, Options::default())?.plan();
    /// assert_eq!((plan.positions, plan.sublayers), (137_870_097, 378));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Plan {
        let work = self.work(1);
        let [disk_reads, disk_writes] = work.disk_traffic(self.spills.spilled());
        Plan {
            positions: self.indexer.len(),
            layers: self.indexer.layers(),
            sublayers: work.sizes.len(),
            largest_sublayer: work.sizes.iter().map(|size| size.positions).max().unwrap_or(0),
            can_be_solved: self.ensure_places().is_ok(),
            memory: self.memory(),
            sweep_reads: work.most(WorkSize::read_by_sweep),
            sweep_writes: work.most(WorkSize::written_by_sweep),
            cpu_seconds: work.seconds(self.spills.spilled()),
            disk_reads,
            disk_writes,
            values_on_disk: self.spills.holds(OnDisk::Values),
        }
    }

    /// Checks that [`Solver::solve`] can number the values of every sublayer. A solve makes the same check before it begins.
    ///
    /// # Errors
    ///
    /// Returns an error if a sublayer has too many values.
    pub fn ensure_places(&self) -> Result<(), SolveError> {
        self.work(1).ensure_places(|size| size.values)
    }

    /// Returns the estimated cost of a solve by this many ranks, each with as many threads as the options say. With many pieces
    /// this takes seconds.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_solve::{Options, Solver};
    ///
    /// let solver = Solver::new(&RuleSet::MURRAY.with_pieces(3).compile()?, Options::default())?;
    /// let [two, eight] = [2, 8].map(|ranks| solver.plan_for_ranks(ranks));
    /// // More ranks receive more together.
    /// assert!(eight.renewed[0] > two.renewed[0]);
    /// assert!(eight.memory < two.memory);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan_for_ranks(&self, ranks: usize) -> RankPlan {
        let ranks = ranks.max(1);
        let (work, spread) = (self.work(1), self.spread(ranks));
        let memory = self.memory_at_work(&work, &spread, self.spills.spilled());
        let spilling = self.memory_at_work(&work, &spread, Spilled::only(OnDisk::Ordered));
        let memory = [memory.saturating_add(self.held_among(ranks)), spilling];
        RankPlan::new(&work, &spread, memory, &self.shared(&work, ranks).1)
    }

    /// Returns the graph of the sublayers, and which of them this many ranks sweep together.
    fn shared(&self, work: &EngineWork, ranks: usize) -> (Graph, Vec<bool>) {
        let graph = Graph::of_game(&self.indexer);
        let shared = graph.shared(work.most_by_one_rank, self.options.threads * ranks);
        (graph, shared)
    }

    /// Returns the bytes of memory that each of several ranks takes at its peak in [`Solver::solve_among`], if its checkpoint
    /// holds the values of finished sublayers; without rooms to [gather](Solver::gathering_in) values in, the first rank also
    /// takes memory for all values of the largest sublayer. With many pieces this takes seconds.
    pub fn memory_among(&self, ranks: usize) -> u64 {
        self.memory_at_work(&self.work(1), &self.spread(ranks.max(1)), self.spills.spilled())
    }

    fn memory_at_work(&self, work: &EngineWork, spread: &Spread, disk: Spilled) -> u64 {
        let (ranks, threads) = (spread.ranks(), self.options.threads);
        if ranks == 1 {
            return work.memory(threads, disk);
        }
        let (graph, is_shared) = self.shared(work, ranks);
        work.memory_of_rank(&graph.tasks(&is_shared, ranks), threads, |at| spread.share(at), disk)
    }

    /// Returns the most bytes of finished values that a rank other than the first, or its checkpoint, holds at a time: small
    /// sublayers that are still to be read, and the rank's part of large ones. The first of several ranks holds all values, and
    /// so does a single rank: see [`Solver::memory`].
    pub fn held_among(&self, ranks: usize) -> u64 {
        if ranks < 2 {
            return 0;
        }
        let (graph, is_shared) = self.shared(&self.work(1), ranks);
        let part = |at: usize| {
            let holders = if is_shared[at] { ranks as u64 } else { 1 };
            self.indexer.sublayers()[at].len().div_ceil(holders)
        };
        let batches = graph.batches(&is_shared);
        graph.most_held_in(batches.iter().map(Vec::as_slice), part).saturating_mul(8)
    }

    /// Returns the most bytes that one of several ranks takes in the rooms of [`Solver::spilling_in_index_order`].
    pub fn spilled_among(&self, ranks: usize) -> u64 {
        let spread = self.spread(ranks.max(1));
        self.work(1).spilled_of_rank(spread.ranks(), |at| spread.share(at))
    }

    /// Returns the most positions of finished sublayers that are held at a time because they are still to be read. `counted`
    /// returns how many positions of a sublayer of a given size count.
    fn most_held(&self, counted: impl Fn(u64) -> u64) -> u64 {
        Graph::of_game(&self.indexer).most_held(self.options.threads, counted)
    }

    /// Returns how values spread over this many ranks.
    fn spread(&self, ranks: usize) -> Spread {
        let handing = if self.is_dense() { estimate::HANDING } else { general::memory::HANDING };
        Spread::new(&self.rules, &self.indexer, ranks, handing)
    }

    /// Returns the sizes of what is at work in a solve (one side), or in a search for bounds (two sides).
    fn work(&self, sides: u8) -> EngineWork {
        if self.is_dense() {
            estimate::work(&self.rules, &self.indexer, sides)
        } else {
            general::memory::work(&self.rules, &self.indexer, sides)
        }
    }

    /// Returns the bytes of memory that [`bound`](crate::bound) takes at its peak beside the values, if it holds the bounds of
    /// large sublayers elsewhere. It counts the bounds of smaller sublayers that are still to be read, and what sublayers take
    /// while they are swept.
    pub fn bounding_memory(&self) -> u64 {
        let held = self.most_held(|it| if it < bounds::MANY { it } else { 0 });
        let at_work = self.work(2).memory(self.options.threads, Spilled::default());
        at_work.saturating_add(held.saturating_mul(16))
    }

    /// Solves the game: returns the value of every position, and a report.
    ///
    /// The result has the same bits for any number of threads and any instruction set. The caller must make sure that there is as
    /// much memory as [`Solver::memory`] returns, or [`Solver::holding_memory`] if the checkpoint holds no values.
    ///
    /// # Errors
    ///
    /// Returns an error if a sublayer has too many values or does not settle, if the watch ends the solve, if the checkpoint fails,
    /// if no threads can be started, if the system gives no memory, or if the disk of [`Solver::spilling`] has no room, cannot be
    /// read, or gives back other values.
    pub fn solve(
        &self,
        checkpoint: &dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<(Values, Report), SolveError> {
        self.ensure_places()?;
        if self.is_dense() {
            self.solve_by(&self.dense(), checkpoint, watch)
        } else {
            self.solve_by(&self.general(), checkpoint, watch)
        }
    }

    fn dense(&self) -> DenseEngine<'_> {
        let engine = DenseEngine::new(&self.rules, &self.indexer, self.options.instructions);
        engine.spilling(self.spills.clone())
    }

    fn general(&self) -> General<'_> {
        let engine = General::new(&self.rules, &self.indexer, self.options.instructions);
        engine.spilling(self.spills.clone())
    }

    fn solve_by(
        &self,
        engine: &impl Certify<Value = f64>,
        checkpoint: &dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<(Values, Report), SolveError> {
        let schedule = Schedule::new(engine, self.options.threads)?;
        let solved = schedule.solve(self.options.tolerance, &checkpoint, watch)?;
        let (values, sweeps_max) = self.values(solved);
        // A progress bar is full by now, and all sublayers are kept: the certificate shows no progress but may be stopped.
        let positions = self.indexer.len();
        let watch = PartWatch { watch, whole: positions, before: positions, share: 0 };
        let certificate = schedule.certify(&|at| Arc::clone(values.held(at)), &watch)?;
        let report = self.report(&values, sweeps_max, certificate);
        Ok((values, report))
    }

    /// Backs up every position once and returns what this pass finds. `open` returns the values of the sublayer at a number; it
    /// is called each time that they are read. The pass takes at most the memory and the rooms of a solve.
    ///
    /// The watch receives the progress in positions. If a value is not a chance (0..=1), the residual is infinite.
    ///
    /// # Errors
    ///
    /// Returns an error if no threads can be started, if there is too little memory or room, or if the watch ends the work.
    pub fn certify(
        &self,
        watch: &dyn Watch,
        open: &(dyn Fn(usize) -> Arc<dyn Held> + Sync),
    ) -> Result<Certificate, SolveError> {
        let threads = self.options.threads;
        let found = if self.is_dense() {
            Schedule::new(&self.dense(), threads)?.certify(open, watch)
        } else {
            Schedule::new(&self.general(), threads)?.certify(open, watch)
        };
        let Tally { change, dead, .. } = found?;
        Ok(Certificate { residual: change, dead_positions: dead })
    }

    /// Solves the game together with other ranks: processes that have solvers of the same game and call this at the same time.
    /// The first rank gets what [`Solver::solve`] returns, the others get `None`. Each also gets the numbers of bytes that it has
    /// received.
    ///
    /// Of a large sublayer each rank sweeps and then holds its part, and fetches what it reads of the other ranks' parts. A small
    /// sublayer is swept by one rank and held by all. The result has the same bits as that of one rank. All ranks must have the
    /// same options, except for the instructions, and either all of them spill or none does. Only the first rank's checkpoint is
    /// asked what it has kept; the checkpoints of the others may hold the finished values that later sublayers read. The watch
    /// receives progress, but cannot end the solve: to end it, end the processes. Of a sublayer that ranks sweep together the
    /// watch sees only the values that its own rank has; the others are 0.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Solver::solve`]. The other ranks then wait for the rank with the error, which has to end them.
    ///
    /// # Panics
    ///
    /// Panics if there are several ranks and this crate was built without the feature `threads`, or if [`Solver::spilling`] has put
    /// parts of sublayers at work on a disk: ranks spill values in index order alone.
    pub fn solve_among(
        &self,
        exchange: &dyn Exchange,
        checkpoint: &dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<(Option<(Values, Report)>, Traffic), SolveError> {
        self.ensure_places()?;
        let received = Received::default();
        let ranks = Ranks { exchange, received: Some(&received) };
        assert!(cfg!(feature = "threads") || ranks.count() == 1, "several ranks need threads");
        let spills_at_work = self.spills.holds(OnDisk::ReadOnly) && !ranks.is_alone();
        assert!(!spills_at_work, "ranks spill values in index order alone");
        let solved = if ranks.is_alone() {
            Some(self.solve(checkpoint, watch)?)
        } else if self.is_dense() {
            self.solve_among_by(&self.dense(), ranks, checkpoint, watch)?
        } else {
            self.solve_among_by(&self.general(), ranks, checkpoint, watch)?
        };
        Ok((solved, received.into_traffic()))
    }

    fn solve_among_by(
        &self,
        engine: &impl Certify<Value = f64>,
        ranks: Ranks<'_>,
        checkpoint: &dyn Checkpoint,
        watch: &dyn Watch,
    ) -> Result<Option<(Values, Report)>, SolveError> {
        let schedule = Schedule::new(engine, self.options.threads)?;
        let kept = (&checkpoint as &dyn Keep<f64>, watch);
        let (work, spread) = (self.work(1), self.spread(ranks.count()));
        let model = |at: usize| spread.sweep(at, work.sizes[at])[ranks.rank()];
        let room = |values| Buffer::in_index_order(&self.gathered, values);
        let (solved, certificate) =
            schedule.solve_among(self.options.tolerance, ranks, kept, (&model, &room))?;
        Ok((ranks.rank() == 0).then(|| {
            let (values, sweeps_max) = self.values(solved);
            let report = self.report(&values, sweeps_max, certificate);
            (values, report)
        }))
    }

    /// Returns the values of sublayers that are all held, and the most sweeps that one of them took.
    fn values(&self, solved: Vec<Option<Settled<f64>>>) -> (Values, u32) {
        let solved: Vec<_> = solved.into_iter().flatten().collect();
        let sweeps_max = solved.iter().map(|(_, facts)| facts.sweeps).max().unwrap_or(0);
        let held = solved.into_iter().map(|(values, _)| values).collect();
        (Values::held_by(self.indexer.clone(), held), sweeps_max)
    }

    fn report(&self, values: &Values, sweeps_max: u32, certificate: Tally) -> Report {
        Report {
            positions: self.indexer.len(),
            layers: self.indexer.layers(),
            sublayers: self.indexer.sublayers().len(),
            sweeps_max,
            residual: certificate.change,
            start_value: self.rules.start_value(|position| values.value(position)),
            dead_positions: certificate.dead,
        }
    }
}

/// Backs up every position once from `values` alone, and returns what this pass finds: see [`Solver::certify`].
///
/// # Errors
///
/// Returns an error if no threads can be started, or if the watch ends the work.
pub fn certify(
    rules: &Rules,
    values: &Values,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Certificate, SolveError> {
    let solver = Solver::new(rules, Options { threads, ..Options::default() })?;
    solver.certify(watch, &|at| Arc::clone(values.held(at)))
}
