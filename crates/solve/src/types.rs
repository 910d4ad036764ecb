//! The options, inputs and reports of a solve: types that all parts of the crate share.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of the work is no more than the whole, and never negative"
)]

use std::io;
use std::sync::Arc;

use puabi_core::TooManyPositions;
use serde::Serialize;

use crate::parallel;
use crate::simd::select::InstructionSet;
use crate::values::Held;

/// The options of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The number of threads; 0 counts as 1. The result does not depend on it.
    pub threads: usize,
    /// The largest difference between a value and its backup at which a sublayer counts as settled.
    ///
    /// Rounding keeps moving the values of a settled sublayer by 2.2e-16 to 3.3e-16, so smaller tolerances are not reached.
    pub tolerance: f64,
    /// The instruction set to sweep with. If the processor lacks it, sweeps use [`InstructionSet::Portable`]. The result does not
    /// depend on it.
    pub instructions: InstructionSet,
}

impl Options {
    /// The default tolerance: a little more than the changes that rounding leaves.
    pub const TOLERANCE: f64 = 3.4e-16;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threads: parallel::available(),
            tolerance: Self::TOLERANCE,
            instructions: InstructionSet::best(),
        }
    }
}

/// The facts about a solved sublayer that a checkpoint keeps beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The number of sweeps until it settled.
    pub sweeps: u32,
}

/// Keeps solved sublayers, so that a solve that ended early can go on from there.
pub trait Checkpoint: Sync {
    /// Returns the values of the sublayer at `at` if they are kept.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails.
    fn load(&self, at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>>;

    /// Keeps the values of the sublayer at `at`. Returns the holder of the values from then on: `values` itself if the checkpoint
    /// has no other.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage fails, for instance because the disk is full.
    fn save(&self, at: usize, values: Arc<dyn Held>, facts: Facts) -> io::Result<Arc<dyn Held>>;
}

/// Follows a solve and may end it.
pub trait Watch: Sync {
    /// Receives the progress: `done` of `total` units of work. Any thread may call it, and often.
    fn progress(&self, done: u64, total: u64);

    /// Returns whether the solve must end as soon as it can.
    fn stop(&self) -> bool;

    /// Receives a sweep of the sublayer at `at` in the index. Any thread may call it. It is not called for bounds and contests,
    /// which have more than one value for each position.
    fn sweep(&self, at: usize, sweep: &Sweep<'_>) {
        let _ = (at, sweep);
    }
}

impl std::fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watch")
    }
}

/// The result of a sweep over a sublayer.
pub struct Sweep<'a> {
    /// The largest change of a value.
    pub change: f64,
    /// Returns the values of the sublayer in index order, as the chance of the player about to roll.
    pub values: &'a dyn Fn() -> Box<[f64]>,
}

impl std::fmt::Debug for Sweep<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sweep").field("change", &self.change).finish_non_exhaustive()
    }
}

/// A checkpoint that keeps nothing, and a watch that never ends a solve.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unattended;

impl Checkpoint for Unattended {
    fn load(&self, _at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        Ok(None)
    }

    fn save(&self, _at: usize, values: Arc<dyn Held>, _facts: Facts) -> io::Result<Arc<dyn Held>> {
        Ok(values)
    }
}

impl Watch for Unattended {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        false
    }
}

/// Reports the progress of one part of some work to the watch of the whole.
#[expect(missing_debug_implementations, reason = "a watch may have none")]
pub struct PartWatch<'a> {
    /// The watch of the whole work.
    pub watch: &'a dyn Watch,
    /// The units of the whole work.
    pub whole: u64,
    /// The units done before this part.
    pub before: u64,
    /// The units that this part counts for.
    pub share: u64,
}

impl Watch for PartWatch<'_> {
    fn progress(&self, done: u64, total: u64) {
        let share = done as f64 / total.max(1) as f64 * self.share as f64;
        self.watch.progress(self.before + share as u64, self.whole);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }

    fn sweep(&self, at: usize, sweep: &Sweep<'_>) {
        self.watch.sweep(at, sweep);
    }
}

/// What a solve found beside the values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Report {
    /// The number of unfinished positions.
    pub positions: u64,
    /// The number of score layers.
    pub layers: usize,
    /// The number of sublayers.
    pub sublayers: usize,
    /// The number of sweeps of the sublayer that took the most.
    pub sweeps_max: u32,
    /// The largest difference between a value and its backup, measured by a separate pass over the final values.
    pub residual: f64,
    /// The chance that the first player wins. If the rules give the first roll, it is the chance after that roll.
    pub start_value: f64,
    /// The number of positions in which neither side can ever move. Their value is what the rules say: 1/2, or a win for the side
    /// with more pieces home.
    pub dead_positions: u64,
}

/// The cost of a solve, estimated without solving.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Plan {
    /// The number of unfinished positions.
    pub positions: u64,
    /// The number of score layers.
    pub layers: usize,
    /// The number of sublayers.
    pub sublayers: usize,
    /// The positions of the largest sublayer.
    pub largest_sublayer: u64,
    /// Whether the largest sublayer has few enough values for this version of the program.
    pub can_be_solved: bool,
    /// The bytes of memory at the peak of a solve that keeps finished values in a file.
    pub memory: u64,
    /// The bytes that a sweep reads, in the sublayer in which it reads most.
    pub sweep_reads: u64,
    /// The bytes that a sweep writes, in the sublayer in which it writes most.
    pub sweep_writes: u64,
    /// The processor time in seconds, all threads together, estimated by blocks and values from what solves of other games took.
    /// A solve may well take half of it, or half as much again.
    pub cpu_seconds: f64,
    /// The bytes that a solve reads from the disk of [`Solver::spilling`](crate::Solver::spilling), 0 without one. The system
    /// keeps in memory what it has room for, so a solve reads at most this, unless values at work are on the disk too.
    pub disk_reads: u64,
    /// The bytes that a solve writes to that disk.
    pub disk_writes: u64,
    /// Whether values at work are on that disk too. They are read at random places, page by page, so a solve may read several
    /// times as many bytes as `disk_reads` says.
    pub values_on_disk: bool,
}

/// The result of a pass over all values, which depends on nothing but the rules and these values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certificate {
    /// The largest difference between a value and its backup.
    pub residual: f64,
    /// The number of positions in which neither side can ever move.
    pub dead_positions: u64,
}

/// How closely the exact values are known, and how far given values are from them at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Bounds {
    /// The largest difference between the upper and the lower bound of a position's exact value.
    pub width: f64,
    /// The largest difference between a given value and the further of its bounds: no value has a larger error.
    pub error: f64,
}

/// The reason why a solve has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// There are more positions than an index can count.
    #[error(transparent)]
    TooManyPositions(#[from] TooManyPositions),
    /// A sublayer has more values than the engine can number.
    #[error("a sublayer needs {values} values at once: this version supports at most {most}")]
    TooManyValues {
        /// The values of the largest sublayer while it is swept, with either side to roll.
        values: u64,
        /// The largest number of values that the engine can number.
        most: u64,
    },
    /// The watch ended the solve.
    #[error("the solve was stopped")]
    Stopped,
    /// The system could not start threads.
    #[error("could not start threads")]
    Threads(#[from] parallel::PoolError),
    /// The system gives less memory than [`Solver::memory`](crate::Solver::memory) says is needed.
    #[error("the system could not provide {bytes} more bytes of memory")]
    Memory {
        /// The bytes that were requested at once.
        bytes: u64,
    },
    /// The disk did not take data that was to be spilled to it.
    #[error("could not reserve or write {bytes} bytes on the spill disk")]
    Spill {
        /// The bytes that were requested at once.
        bytes: u64,
        /// The error that the system reports.
        #[source]
        error: io::Error,
    },
    /// The disk gave back something else than was written.
    #[error("data read back from the spill disk differs from what was written")]
    Damaged,
    /// Spilled data cannot be read back from the disk.
    #[error("could not read back data from the spill disk")]
    Unreadable(#[source] io::Error),
    /// The values do not settle: the given players, or the rules, hardly ever end a game.
    #[error(
        "values have not settled after {sweeps} sweeps (still off by {distance:e}): \
         with these rules or players a game hardly ever ends"
    )]
    Unsettled {
        /// The largest change of a value in the sweep that changed values least, or the residual if it stayed too large after the
        /// last sweep.
        distance: f64,
        /// The number of sweeps made.
        sweeps: u32,
    },
    /// Values do not get far enough above or below their backups to bound the exact values.
    #[error(
        "found no bounds in {sweeps} sweeps (still off by {off:e}): a game that may go on for ever has none"
    )]
    Unbounded {
        /// How far the worst value is from where its backup and the slack would have it.
        off: f64,
        /// The number of sweeps made.
        sweeps: u32,
    },
    /// The checkpoint failed.
    #[error("could not store or load solved parts (checkpoint)")]
    Checkpoint(#[source] io::Error),
}
