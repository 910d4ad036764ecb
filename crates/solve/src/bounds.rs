//! Bounds of the exact values on both sides, which hold whatever is said of the values that they are found from.
//!
//! A backup is monotone: larger values around a position give it a larger one. So values that are nowhere below their own
//! backups are nowhere below the exact values, the one fixed point. Such values come from sweeps in which each backup adds
//! a *slack* that is more than rounding can take; the lower bounds come from sweeps that subtract it. See "The
//! certificate" in `docs/method.md`.

use std::sync::{Arc, Mutex};

use puabi_core::{Indexer, Rules};

use crate::dense::engine::DenseEngine;
use crate::dense::layout::estimate;
use crate::dense::layout::masks::MaskTables;
use crate::drive::engine::{Certify, Engine, Finished, SettledBy};
use crate::drive::iterate::Course;
use crate::drive::schedule::{Keep, Schedule, Settled};
use crate::general::{General, memory};
use crate::simd::select::InstructionSet;
use crate::types::{Bounds, Facts, SolveError, Sweep, Watch};
use crate::values::{Held, Values, are_chances};

/// Receives the bounds of the sublayer with this number, in index order: each pair is the chance of the player about to
/// roll, the lower and the upper bound in either order. Any thread may call it.
pub type SeeBounds<'a> = &'a (dyn Fn(usize, &[f64], &[f64]) + Sync);

/// Takes the bounds of a large sublayer that others are still to read; returns what holds them from then on, the same or what takes
/// less memory. Any thread may call it.
pub type HoldBounds<'a> = &'a (dyn Fn(Arc<dyn Held>) -> Arc<dyn Held> + Sync);

/// The positions from which a sublayer is large enough to have its bounds held elsewhere: 256 MiB of them.
pub(crate) const MANY: u64 = 1 << 24;

/// The most of a slack, in parts of what rounding moves.
const MOST_SLACK: f64 = 32.0;

/// Bounds the exact value of every position from below and from above, and measures how far `values` are from that.
///
/// The bounds are true of the rules: `values` are only where the sweeps begin, and values that are further off take more of
/// them. Memory beside the values: see [`Solver::bounding_memory`](crate::Solver::bounding_memory), and 16 bytes for each position
/// that `hold` keeps in memory. It takes about as long as a solve.
///
/// # Errors
///
/// Returns an error if a value is no chance, if a sublayer has too many values, if no threads can be started, if the watch ends
/// the work, or if no bounds are found, which would be a defect or a game that may go on for ever.
pub fn bound(
    rules: &Rules,
    values: &Values,
    threads: usize,
    watch: &dyn Watch,
    (see, hold): (SeeBounds<'_>, HoldBounds<'_>),
) -> Result<Bounds, SolveError> {
    if !values.chunks().all(are_chances) {
        return Err(SolveError::Unbounded { off: f64::INFINITY, sweeps: 0 });
    }
    let indexer = values.indexer();
    let rounding = rounding(rules);
    if MaskTables::is_dense(rules, indexer.zones()) {
        estimate::work(rules, indexer, 1).ensure_places(|size| size.values)?;
        let engine = &DenseEngine::new(rules, indexer, InstructionSet::best());
        Bounding { engine, values, rounding }.run(threads, watch, (see, hold))
    } else {
        memory::work(rules, indexer, 1).ensure_places(|size| size.values)?;
        let engine = &General::new(rules, indexer, InstructionSet::best());
        Bounding { engine, values, rounding }.run(threads, watch, (see, hold))
    }
}

/// Returns the most by which rounding moves a backup.
///
/// A backup is a sum of n products, n the rolls: chance times value, and at last the chance of a pass times value. Chances are
/// fractions of a power of two and exact. No sum before the last is above one, so each of n + 1 additions rounds by half of
/// 2^-53 at most, and so does the last one, if bounds just above one make it round by twice that, at the cost of one more. The
/// products round by 2^-53 in parts of themselves, and together they are below one. Values of other sublayers may be read
/// as one less a value, which rounds by half of 2^-53.
fn rounding(rules: &Rules) -> f64 {
    let half = f64::EPSILON / 4.0;
    (rules.rolls().len() + 5) as f64 * half
}

/// An engine that bounds values, sublayer by sublayer. What it settles is twice as long as the sublayer: the upper bounds
/// of the senior's chance, then the lower ones, both in index order as the chance of the player about to roll.
struct Bounding<'a, E> {
    engine: &'a E,
    values: &'a Values,
    rounding: f64,
}

impl<E: Certify> Bounding<'_, E> {
    fn run(
        self,
        threads: usize,
        watch: &dyn Watch,
        (see, hold): (SeeBounds<'_>, HoldBounds<'_>),
    ) -> Result<Bounds, SolveError> {
        let found = Mutex::default();
        let keep = Seen { values: self.values, see, hold, found: &found };
        Schedule::new(&self, threads)?.solve(self.rounding, &keep, watch)?;
        Ok(found.into_inner().expect("no holder of this lock panics"))
    }
}

impl<E: Certify> Engine for Bounding<'_, E> {
    type Space = E::Space;
    type Value = f64;

    fn indexer(&self) -> &Indexer {
        self.engine.indexer()
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: F,
        space: &mut E::Space,
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let start = self.values.held(at);
        let watch = |done: f64, _: Option<&Sweep<'_>>| (course.watch)(done, None);
        let mut slack = 2.0 * self.rounding;
        loop {
            let sides = [(true, slack), (false, -slack)]
                .map(|(is_upper, slack)| (Side { finished: &finished, is_upper }, slack));
            // Half of the slack is for rounding, and half for sweeps that end before values have settled to the last bit.
            let course = Course { watch: &watch, tolerance: slack / 2.0, ..course };
            match self.engine.bound(at, &**start, sides, space, course) {
                // Those above one, next to a sure win, round twice as coarsely and may not settle as near.
                Err(SolveError::Unbounded { off, .. })
                    if slack < MOST_SLACK * self.rounding && off < 4.0 * slack =>
                {
                    slack *= 4.0;
                }
                settled => return settled,
            }
        }
    }
}

/// Upper or lower bounds of the senior's chance, seen from a sublayer that leads to them.
struct Side<'a, F> {
    finished: &'a F,
    is_upper: bool,
}

impl<F: Finished> Finished for Side<'_, F> {
    fn sublayer(&self, at: usize) -> &[f64] {
        self.seen(at, true)
    }

    fn seen(&self, at: usize, is_senior: bool) -> &[f64] {
        let both = self.finished.sublayer(at);
        let (upper, lower) = both.split_at(both.len() / 2);
        if self.is_upper == is_senior { upper } else { lower }
    }
}

/// Shows bounds as they are found, and measures them.
struct Seen<'a> {
    values: &'a Values,
    see: SeeBounds<'a>,
    hold: HoldBounds<'a>,
    found: &'a Mutex<Bounds>,
}

impl Keep<f64> for Seen<'_> {
    fn save(&self, at: usize, both: Arc<dyn Held>, _: Facts) -> std::io::Result<Arc<dyn Held>> {
        let (upper, lower) = both.values().split_at(both.values().len() / 2);
        (self.see)(at, lower, upper);
        let mut most = Bounds::default();
        for ((&value, &a), &b) in self.values.sublayer(at).iter().zip(lower).zip(upper) {
            most.width = most.width.max((a - b).abs());
            most.error = most.error.max((value - a).abs()).max((value - b).abs());
        }
        let mut found = self.found.lock().expect("no holder of this lock panics");
        found.width = found.width.max(most.width);
        found.error = found.error.max(most.error);
        drop(found);
        self.values.held(at).rest();
        // Nobody reads those of the beginning of a game.
        let is_large = at > 0 && self.values.sublayer(at).len() as u64 >= MANY;
        Ok(if is_large { (self.hold)(both) } else { both })
    }

    fn load(&self, _at: usize) -> std::io::Result<Option<Settled<f64>>> {
        Ok(None)
    }

    fn holds_all(&self) -> bool {
        false
    }
}
