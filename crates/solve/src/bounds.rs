//! Lower and upper bounds of the exact values. They hold even if the values that they are found from are wrong.
//!
//! A backup is monotone: larger values around a position give it a larger one. So values that are nowhere below their own backups
//! are nowhere below the exact values, the one fixed point. Such values come from sweeps in which each backup adds a *slack* that
//! is larger than any rounding error; the lower bounds come from sweeps that subtract it. See "The certificate" in
//! `docs/method.md`.

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

/// A function that receives the bounds of the sublayer with this number, in index order. They bound the chance of the player
/// about to roll; in each pair either number may be the lower bound. Any thread may call it.
pub type SeeBounds<'a> = &'a (dyn Fn(usize, &[f64], &[f64]) + Sync);

/// A function that takes the bounds of a large sublayer that other sublayers are still to read. It returns their holder from then
/// on: the given one, or one that takes less memory. Any thread may call it.
pub type HoldBounds<'a> = &'a (dyn Fn(Arc<dyn Held>) -> Arc<dyn Held> + Sync);

/// The number of positions from which the bounds of a sublayer are held elsewhere: they then take 256 MiB or more.
pub(crate) const MANY: u64 = 1 << 24;

/// The number of positions of a sublayer, at most, whose bounds are looked at for where sweeps begin.
const ASKED: usize = 256;

/// The largest slack, as a multiple of the most by which rounding moves a backup.
const MOST_SLACK: f64 = 32.0;

/// Bounds the exact value of every position from below and from above, and measures how far `values` are from the bounds.
///
/// The bounds follow from the rules alone: `values` are only where the sweeps begin, and values that are further off take more
/// sweeps. Beside the values this takes the memory of [`Solver::bounding_memory`](crate::Solver::bounding_memory), and 16 bytes
/// for each position that `hold` keeps in memory. It takes somewhat less time than a solve.
///
/// # Errors
///
/// Returns an error if a value is not a chance (0..=1), if a sublayer has too many values, if no threads can be started, if the
/// watch ends the work, or if no bounds are found, which means a defect of the program or a game that may go on for ever.
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
/// With n rolls, a backup is a sum of n products, each a chance times a value; that of a pass comes last. Chances are fractions
/// of a power of two, so they are exact. Each of n + 1 additions rounds by at most half of 2^-53 while the sum is not above one.
/// Only the last sum can be above one, since bounds may be just above one; it then rounds by up to twice that, which counts as
/// one more half. A product rounds by at most 2^-53 times its size, and the products add up to less than one, so they count as
/// two halves. Values of other sublayers may be read as one less a value, which rounds by half of 2^-53.
fn rounding(rules: &Rules) -> f64 {
    let half = f64::EPSILON / 4.0;
    (rules.rolls().len() + 5) as f64 * half
}

/// An engine that bounds values, sublayer by sublayer. It settles two numbers for each position: first come all upper bounds of
/// the senior's chance, then all lower ones, both in index order and as the chance of the player about to roll.
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
        let watch = |done: f64, _: Option<&Sweep<'_>>| (course.watch)(done, None);
        let (start, mut slack) = (&**self.values.held(at), 2.0 * self.rounding);
        let apart = self.mean_distance(at, &finished);
        loop {
            let sides = [(true, slack), (false, -slack)]
                .map(|(is_upper, slack)| (Side { finished: &finished, is_upper }, slack));
            // Half of the slack is for rounding, and half for sweeps that end before values have settled to the last bit.
            let course = Course { watch: &watch, tolerance: slack / 2.0, ..course };
            match self.engine.bound(at, (start, apart), sides, space, course) {
                // Upper bounds above one, next to a sure win, round twice as coarsely and may not settle within the tolerance.
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

impl<E: Certify> Bounding<'_, E> {
    /// Returns how far the bounds of some positions that a sublayer leads to are from the values between them, on average.
    fn mean_distance<F: Finished>(&self, at: usize, finished: &F) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for target in self.engine.leads_to(at) {
            let both = finished.sublayer(target);
            let (upper, lower) = both.split_at(both.len() / 2);
            for (a, b) in upper.iter().zip(lower).step_by(upper.len().div_ceil(ASKED)) {
                sum += (a - b).abs() / 2.0;
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
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
        self.values.held(at).release_pages();
        // No sublayer reads the bounds of the beginning of a game.
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
