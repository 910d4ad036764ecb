//! The solver: every sublayer swept to its fixed point, later ones first.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shares of a progress are no more than the whole, and never negative"
)]

use std::io;

use puabi_core::{Indexer, Rules, TooManyPositions};

use crate::estimate;
use crate::general::{self, General};
use crate::instructions::InstructionSet;
use crate::schedule::{Engine, Schedule};
use crate::sweep::Field;
use crate::terrain::Terrain;
use crate::values::Values;

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Threads that work; the result does not depend on it.
    pub threads: usize,
    /// Largest difference between a value and its backup at which a sublayer counts as settled.
    pub tolerance: f64,
    /// Instructions to sweep with; the result does not depend on it.
    pub instructions: InstructionSet,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, tolerance: 3.4e-16, instructions: InstructionSet::best() }
    }
}

/// What is known of a solved sublayer beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Sweeps until it settled.
    pub sweeps: u32,
}

/// Keeps solved sublayers, so that a solve that ends early can go on where it was.
pub trait Checkpoint: Sync {
    /// Returns what is kept of the sublayer at `at`, or `None` where it has not been solved.
    ///
    /// # Errors
    ///
    /// Where the storage fails.
    fn load(&self, at: usize) -> io::Result<Option<(Box<[f64]>, Facts)>>;

    /// Keeps the solved sublayer at `at`.
    ///
    /// # Errors
    ///
    /// Where the storage fails, a full disk for one.
    fn save(&self, at: usize, values: &[f64], facts: Facts) -> io::Result<()>;
}

/// Watches a solve and may end it.
pub trait Watch: Sync {
    /// Is told that `done` of `total` units of work are done; may be called from any thread, often.
    fn progress(&self, done: u64, total: u64);

    /// Returns whether the solve should end as soon as it can.
    fn stop(&self) -> bool;
}

/// Keeps nothing and never ends a solve.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unattended;

impl Checkpoint for Unattended {
    fn load(&self, _at: usize) -> io::Result<Option<(Box<[f64]>, Facts)>> {
        Ok(None)
    }

    fn save(&self, _at: usize, _values: &[f64], _facts: Facts) -> io::Result<()> {
        Ok(())
    }
}

impl Watch for Unattended {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        false
    }
}

/// Tells a watch of one part of some work.
#[derive(Debug)]
pub(crate) struct Part<'a, W> {
    pub(crate) watch: &'a W,
    /// The units of the whole, those done before this part, and those that it is.
    pub(crate) whole: u64,
    pub(crate) before: u64,
    pub(crate) share: u64,
}

impl<W: Watch> Watch for Part<'_, W> {
    fn progress(&self, done: u64, total: u64) {
        let share = done as f64 / total.max(1) as f64 * self.share as f64;
        self.watch.progress(self.before + share as u64, self.whole);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}

/// What a solve needs and finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// Unfinished positions.
    pub positions: u64,
    /// Score layers.
    pub layers: usize,
    /// Sublayers.
    pub sublayers: usize,
    /// Sweeps of the sublayer that took most.
    pub sweeps_max: u32,
    /// Largest difference between a value and its backup, from a pass of its own over the final values.
    pub residual: f64,
    /// Chance that the first player wins, after the first roll where the rules give it.
    pub start_value: f64,
    /// Positions in which neither side can ever move; their value is 1/2.
    pub dead_positions: u64,
}

/// Why a solve has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// There are more positions than an index can count.
    #[error(transparent)]
    TooManyPositions(#[from] TooManyPositions),
    /// The watch asked for the end.
    #[error("the solve was stopped")]
    Stopped,
    /// The system gives no threads.
    #[error("starting threads failed")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Given players play so that the values do not settle.
    #[error(
        "after {sweeps} sweeps values still change by {change:e}: these players hardly ever end a game"
    )]
    Unsettled {
        /// The least that a sweep changed.
        change: f64,
        /// Sweeps made.
        sweeps: u32,
    },
    /// The checkpoint failed.
    #[error("keeping a solved part failed")]
    Checkpoint(#[source] io::Error),
}

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
pub struct Solver<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) indexer: Indexer,
    pub(crate) options: Options,
}

impl<'r> Solver<'r> {
    /// Returns a solver of the game with these rules.
    ///
    /// # Errors
    ///
    /// Where its positions cannot be counted.
    pub fn new(rules: &'r Rules, options: Options) -> Result<Self, TooManyPositions> {
        Ok(Self { rules, indexer: Indexer::new(rules)?, options })
    }

    /// Returns the index of the game's positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns the bytes of memory that [`Solver::solve`] takes at its peak, a little more rather than less.
    pub fn memory(&self) -> u64 {
        self.engine_memory()
    }

    fn engine_memory(&self) -> u64 {
        let threads = self.options.threads;
        if Terrain::is_dense(self.rules, self.indexer.zones()) {
            estimate::memory(self.rules, &self.indexer, threads)
        } else {
            general::memory(self.rules, &self.indexer, threads)
        }
    }

    /// Returns the value of every position and what was found on the way.
    ///
    /// The result has the same bits for any number of threads and any instruction set. The memory that
    /// [`Solver::memory`] tells must be there.
    ///
    /// # Errors
    ///
    /// Where the watch ends it or the checkpoint fails.
    pub fn solve(
        &self,
        checkpoint: &impl Checkpoint,
        watch: &impl Watch,
    ) -> Result<(Values, Report), SolveError> {
        if Terrain::is_dense(self.rules, self.indexer.zones()) {
            let field = Field::new(self.rules, &self.indexer, self.options.instructions);
            self.solve_by(&field, checkpoint, watch)
        } else {
            self.solve_by(&General::new(self.rules, &self.indexer), checkpoint, watch)
        }
    }

    fn solve_by(
        &self,
        engine: &impl Engine,
        checkpoint: &impl Checkpoint,
        watch: &impl Watch,
    ) -> Result<(Values, Report), SolveError> {
        let schedule = Schedule::new(engine, self.options.threads)?;
        let solved = schedule.solve(self.options.tolerance, checkpoint, watch)?;
        let sweeps_max = solved.iter().map(|(_, facts)| facts.sweeps).max().unwrap_or(0);
        let sublayers = solved.into_iter().map(|(values, _)| values).collect();
        let values = Values::new(self.indexer.clone(), sublayers);
        // The bar of the solve is full by now; everything is kept if somebody stops here.
        let positions = self.indexer.len();
        let watch = Part { watch, whole: positions, before: positions, share: 0 };
        let certificate = schedule.certify(&values, &watch)?;
        let report = Report {
            positions,
            layers: self.indexer.layers(),
            sublayers: self.indexer.sublayers().len(),
            sweeps_max,
            residual: certificate.change,
            start_value: self.rules.start_value(|position| values.value(position)),
            dead_positions: certificate.dead,
        };
        Ok((values, report))
    }
}

/// Returns the largest difference between a value and its backup, recomputed from `values` alone; progress is counted in
/// positions.
///
/// # Errors
///
/// Where no threads can be started, or where the watch asks for the end.
pub fn residual(
    rules: &Rules,
    values: &Values,
    threads: usize,
    watch: &impl Watch,
) -> Result<f64, SolveError> {
    let indexer = values.indexer();
    let certificate = if Terrain::is_dense(rules, indexer.zones()) {
        let field = Field::new(rules, indexer, InstructionSet::best());
        Schedule::new(&field, threads)?.certify(values, watch)
    } else {
        Schedule::new(&General::new(rules, indexer), threads)?.certify(values, watch)
    };
    Ok(certificate?.change)
}
