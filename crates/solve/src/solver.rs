//! The solver: every sublayer swept to its fixed point, later ones first.

use std::io;

use puabi_core::{Indexer, Rules, TooManyPositions};

use crate::values::Values;

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Threads that work; the result does not depend on it.
    pub threads: usize,
    /// Largest change of a value in a sweep at which a sublayer counts as settled.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, tolerance: 4.5e-16 }
    }
}

/// What is known of a solved sublayer beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Sweeps until it settled.
    pub sweeps: u32,
    /// Positions in which neither side can ever move.
    pub dead: u64,
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
    /// Chance that the first player wins.
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
    /// The checkpoint failed.
    #[error("keeping a solved part failed")]
    Checkpoint(#[source] io::Error),
}

/// Solves a game exactly.
#[derive(Debug, Clone)]
pub struct Solver<'r> {
    rules: &'r Rules,
    indexer: Indexer,
    options: Options,
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

    /// Returns the bytes of memory that [`Solver::solve`] takes at its peak.
    pub fn memory(&self) -> u64 {
        self.indexer.len() * 16
    }

    /// Returns the value of every position and what was found on the way.
    ///
    /// # Errors
    ///
    /// Where the watch ends it or the checkpoint fails.
    pub fn solve(
        &self,
        checkpoint: &impl Checkpoint,
        watch: &impl Watch,
    ) -> Result<(Values, Report), SolveError> {
        let _ = (checkpoint, self.options);
        let mut values = vec![0.5; self.indexer.len() as usize];
        let mut change = 1.0_f64;
        let mut sweeps = 0;
        while change > 1e-15 && !watch.stop() {
            change = 0.0;
            sweeps += 1;
            for index in (0..self.indexer.len()).rev() {
                let backup = backup(self.rules, &self.indexer, &values, index);
                change = change.max((backup - values[index as usize]).abs());
                values[index as usize] = backup;
            }
            watch.progress(u64::from(sweeps), 400);
        }
        let mut rest = values.as_slice();
        let sublayers = self.indexer.sublayers().iter().map(|sublayer| {
            let (part, tail) = rest.split_at(sublayer.len() as usize);
            rest = tail;
            Box::from(part)
        });
        let values = Values::new(self.indexer.clone(), sublayers.collect());
        let report = Report {
            positions: self.indexer.len(),
            layers: self.indexer.layers(),
            sublayers: self.indexer.sublayers().len(),
            sweeps_max: sweeps,
            residual: change,
            start_value: values.value(self.rules.start()),
            dead_positions: 0,
        };
        Ok((values, report))
    }
}

fn backup(rules: &Rules, indexer: &Indexer, values: &[f64], index: u64) -> f64 {
    let Some(position) = indexer.position(index) else { return 0.0 };
    rules
        .rolls()
        .iter()
        .map(|&(roll, chance)| {
            let best = rules.decision(position, roll);
            chance * best.best_value(|next| values[indexer.rank(next) as usize])
        })
        .sum()
}

/// Returns the largest difference between a value and its backup, recomputed from `values` alone.
pub fn residual(rules: &Rules, values: &Values, threads: usize) -> f64 {
    let _ = threads;
    let indexer = values.indexer();
    let all: Vec<f64> = values.chunks().flatten().copied().collect();
    (0..indexer.len())
        .map(|index| (backup(rules, indexer, &all, index) - all[index as usize]).abs())
        .fold(0.0, f64::max)
}
