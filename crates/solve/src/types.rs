//! What a solve is given and what it reports: the types that every part of it shares.
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

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The number of threads, none being one; the result does not depend on it.
    pub threads: usize,
    /// The largest difference between a value and its backup at which a sublayer counts as settled.
    ///
    /// Rounding moves values of a settled sublayer by 2.2e-16 to 3.3e-16 for ever, so that smaller tolerances are not reached.
    pub tolerance: f64,
    /// The instructions to sweep with, plain ones if the processor lacks these; the result does not depend on it.
    pub instructions: InstructionSet,
}

impl Options {
    /// The default tolerance: what rounding leaves.
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

/// What a checkpoint keeps of a solved sublayer beside its values.
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

    /// Keeps the values of the sublayer at `at`; returns what holds them from then on, `values` if nothing else does.
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

    /// Sees a sweep of the sublayer at `at` in the index; may be called from any thread. Of bounds and of contests, which have more
    /// values than one of a position, no sweep is seen.
    fn sweep(&self, at: usize, sweep: &Sweep<'_>) {
        let _ = (at, sweep);
    }
}

/// What a sweep over a sublayer has come to.
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

/// Keeps nothing and never ends a solve.
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
    /// The sweeps of the sublayer that took most.
    pub sweeps_max: u32,
    /// The largest difference between a value and its backup, measured by a separate pass over the final values.
    pub residual: f64,
    /// The chance that the first player wins; after the first roll, if the rules give it.
    pub start_value: f64,
    /// The number of positions in which neither side can ever move. Their value is what the rules say: 1/2, or the win of who has more
    /// pieces home.
    pub dead_positions: u64,
}

/// What a solve would take, estimated without solving.
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
    /// The bytes that a sweep of the sublayer with most values at work reads.
    pub sweep_reads: u64,
    /// The bytes that it writes.
    pub sweep_writes: u64,
    /// The seconds of processors, all threads together: what solves of other games took, by blocks and values. Half of it or
    /// half as much again is no surprise.
    pub cpu_seconds: f64,
    /// The bytes that a solve reads from the disk of [`Solver::spilling`](crate::Solver::spilling), 0 without one. The system keeps in
    /// memory what it has room for, so these are the most, unless values lie there.
    pub disk_reads: u64,
    /// The bytes that it writes there.
    pub disk_writes: u64,
    /// Whether values at work lie there too. They are read all over and page by page, which may take several times as many bytes.
    pub values_on_disk: bool,
}

/// What a pass over all values finds, whatever is said of them.
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

/// Why a solve has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// There are more positions than an index can count.
    #[error(transparent)]
    TooManyPositions(#[from] TooManyPositions),
    /// A sublayer has more values than numbers for their places.
    #[error("a sublayer has {values} values at work: expected {most} at most in this version")]
    TooManyValues {
        /// The values of the largest sublayer while it is swept, with either side to roll.
        values: u64,
        /// The most that there may be.
        most: u64,
    },
    /// The watch ended it.
    #[error("the solve was stopped")]
    Stopped,
    /// The system could not start threads.
    #[error("starting threads failed")]
    Threads(#[from] parallel::PoolError),
    /// The system gives less memory than [`Solver::memory`](crate::Solver::memory) says is needed.
    #[error("the system gives no {bytes} bytes of memory more")]
    Memory {
        /// What was asked for at once.
        bytes: u64,
    },
    /// The disk that values were to lie on does not take them.
    #[error("the disk does not take {bytes} bytes of values at work")]
    Spill {
        /// What was asked for at once.
        bytes: u64,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The disk does not give back what was written.
    #[error("values came back from the disk other than they were written")]
    Damaged,
    /// The disk does not give back anything.
    #[error("values at work cannot be read back from the disk")]
    Unreadable(#[source] io::Error),
    /// The values do not settle: given players, or the rules, hardly ever end a game.
    #[error("after {sweeps} sweeps values still change by {change:e}: games hardly ever end")]
    Unsettled {
        /// The least that a sweep changed.
        change: f64,
        /// Sweeps made.
        sweeps: u32,
    },
    /// Values do not get far enough above or below their backups to bound the exact ones.
    #[error(
        "no bounds: after {sweeps} sweeps a value is {off:e} from where its backup and the slack would have it; \
         a game that may go on for ever has none"
    )]
    Unbounded {
        /// How far the worst value is off.
        off: f64,
        /// Sweeps made.
        sweeps: u32,
    },
    /// The checkpoint failed.
    #[error("keeping or reading solved parts failed")]
    Checkpoint(#[source] io::Error),
}
