//! How a sublayer's values are swept to their fixed point, whatever engine passes over them.

use std::sync::OnceLock;

use crate::drive::exchange::{ALONE, Ranks};
use crate::drive::statistics::{Mode, Tally};
use crate::parallel::Sharing;
use crate::types::{Options, SolveError, Sweep};

/// The course of the sweeps of one sublayer: which threads and ranks take part, when the sweeps end, and what the watch receives.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    /// The threads that help the sweeping thread with the parts of a level.
    pub(crate) sharing: Sharing<'a>,
    /// The ranks that sweep it together.
    pub(crate) ranks: Ranks<'a>,
    /// The residual at which the sublayer counts as settled.
    pub(crate) tolerance: f64,
    /// Receives the share of the sublayer's work that is done, and each sweep. Returns whether to stop.
    pub(crate) watch: &'a (dyn Fn(f64, Option<&Sweep<'_>>) -> bool + Sync),
    /// Receives the certificate of the settled values, if the engine measures it while the values are at hand.
    pub(crate) certificate: Option<&'a OnceLock<Tally>>,
}

/// The values of a sublayer at work, in one precision.
pub(crate) trait Sweeping {
    /// Passes over all values; sweeps are numbered from 1. It is an error if spilled data cannot be read back, or if there is no
    /// room.
    fn pass(&mut self, mode: Mode, sweep: u32) -> Result<Tally, SolveError>;

    /// Moves the values that `sweep` has changed further along their deltas, by the distance to their limit that the last two
    /// deltas suggest. `tally` is that of the sweep.
    fn extrapolate(&mut self, tally: Tally, sweep: u32);

    /// Whether [`Sweeping::loosen`] does anything.
    const CAN_LOOSEN: bool = false;

    /// Moves values that sweeps bring no nearer to their limit. If they swing, takes back half of their last deltas; if they
    /// drift, moves them as far as this many sweeps would. Returns whether any values were moved. The last pass has compared
    /// deltas.
    fn loosen(&mut self, _sweeps: f64) -> bool {
        false
    }

    /// Returns whether the last pass left moves out. If so, the next pass takes all moves. Only a pass with all moves settles
    /// values.
    fn widen(&mut self) -> bool {
        false
    }

    /// Rounds each value to what index order gives back of it.
    fn round(&mut self);

    /// Returns the values in index order, as the chance of the player about to roll.
    fn to_index_order(&self) -> Box<[f64]>;
}

/// Returns the senior's chance with the junior about to roll as index order gives it back, where it is the junior's chance.
pub(crate) fn round_trip(chance: f64) -> f64 {
    1.0 - (1.0 - chance)
}

/// When sweeps end.
#[derive(Debug, Clone, Copy)]
struct Goal {
    /// The largest change at which values count as settled. After [`PATIENCE`] sweeps with changes of at most twice this number,
    /// rounding is taken to go in circles, and the sweeps end.
    change: f64,
    /// Whether it is taken so only if these sweeps make no progress.
    is_patient: bool,
    /// The largest change that may be rounding if [`PATIENCE`] sweeps make no progress.
    rounding: f64,
    /// The most sweeps.
    most: u32,
    /// The most sweeps in a row that make no progress.
    idle: u32,
}

/// The goal of sweeps in single precision, whose last place is worth 6e-8 below one.
const SINGLE: Goal =
    Goal { change: 1e-6, is_patient: false, rounding: 0.0, most: FIRST_SWEEPS, idle: FIRST_SWEEPS };
/// The most sweeps that only bring values near to where others begin.
const FIRST_SWEEPS: u32 = 60;
/// The number of sweeps after which a sublayer is given up. The presets take 300 at most, but under some rules games hardly ever
/// end.
const MOST_SWEEPS: u32 = 100_000;
/// Sweeps without progress after which rounding is taken to go in circles.
const IDLE_SWEEPS: u32 = 2000;
/// The same for bounds. They begin so near to their end that a game which goes on for more than some 3,000 rolls in a sublayer makes
/// no progress: each sweep then moves them by the slack again.
const IDLE_SWEEPS_OF_BOUNDS: u32 = 400;
/// The largest change that may be rounding.
const ROUNDING: f64 = 1e-13;
/// Sweeps near the goal, or without progress, after which rounding is taken to go in circles.
const PATIENCE: u32 = 8;
/// How many times values that are not near enough to their backups are loosened.
const LOOSENINGS: u32 = 8;
/// The values are extrapolated along their last deltas every fourth sweep.
pub(crate) const EXTRAPOLATE_EVERY: u32 = 4;

impl<'a> Course<'a> {
    /// Returns the course of one pass over settled values by this rank.
    pub(crate) fn of_certificate(sharing: Sharing<'a>) -> Self {
        Self { sharing, ranks: ALONE, tolerance: 0.0, watch: &|_, _| false, certificate: None }
    }
}

impl Course<'_> {
    /// Notes what a pass over the settled values has found.
    pub(crate) fn certify(self, tally: Tally) {
        if let Some(certificate) = self.certificate {
            // A sublayer is settled once.
            let _ = certificate.set(tally);
        }
    }

    /// Sweeps in single precision as far as that goes; returns the number of sweeps.
    pub(crate) fn sweep_single(self, values: &mut impl Sweeping) -> Result<u32, SolveError> {
        self.sweep_towards(values, SINGLE)
    }

    /// Sweeps values near those that [`Course::sweep_bounds`] ends at; returns the number of sweeps.
    pub(crate) fn sweep_near(self, values: &mut impl Sweeping) -> Result<u32, SolveError> {
        self.sweep_towards(values, Goal { most: FIRST_SWEEPS, ..self.goal(0.0, FIRST_SWEEPS) })
    }

    /// Sweeps towards a goal as far as that goes; returns the number of sweeps.
    fn sweep_towards(self, values: &mut impl Sweeping, goal: Goal) -> Result<u32, SolveError> {
        match self.sweep(values, goal) {
            Err(SolveError::Unsettled { sweeps, .. }) => Ok(sweeps),
            sweeps => sweeps,
        }
    }

    /// Sweeps in double precision to the end; returns the number of sweeps. It is an error if values stay further from their
    /// backups than a table allows.
    pub(crate) fn sweep_double(self, values: &mut impl Sweeping) -> Result<u32, SolveError> {
        let (sweeps, is_settled) = self.sweep_polished(values, IDLE_SWEEPS)?;
        if !is_settled {
            values.round();
            let distance = values.pass(Mode::Residual, sweeps)?.change;
            if distance > self.tolerance.max(Options::TOLERANCE) {
                return Err(SolveError::Unsettled { distance, sweeps });
            }
        }
        Ok(sweeps)
    }

    /// Sweeps until values are settled and polished, or until `idle` sweeps in a row have made no progress. Returns the number of
    /// sweeps, and whether values are as near to their backups as the tolerance says.
    fn sweep_polished<S: Sweeping>(
        self,
        values: &mut S,
        idle: u32,
    ) -> Result<(u32, bool), SolveError> {
        let (mut sweeps, mut leap) = (0, Leap::default());
        let mut loosenings = if S::CAN_LOOSEN { LOOSENINGS } else { 0 };
        loop {
            sweeps += self.settle(values, idle)?;
            let is_settled = self.polish(values, &mut sweeps)?;
            if is_settled || loosenings == 0 {
                return Ok((sweeps, is_settled));
            }
            // Some values swing or drift by a few units of the last place.
            values.pass(Mode::Record, 1)?;
            let change = values.pass(Mode::Compare, 1)?.change;
            sweeps += 2;
            loosenings -= 1;
            if !values.loosen(leap.next(change)) {
                return Ok((sweeps, false));
            }
        }
    }

    /// Sweeps until all changes are mere rounding; returns the number of sweeps.
    fn settle(self, values: &mut impl Sweeping, idle: u32) -> Result<u32, SolveError> {
        match self.sweep(values, self.goal(0.0, idle)) {
            Err(SolveError::Unsettled { distance, sweeps }) if distance <= ROUNDING => Ok(sweeps),
            sweeps => sweeps,
        }
    }

    /// Sweeps bounds until no value is further from its backup than the tolerance; returns the number of sweeps.
    pub(crate) fn sweep_bounds(self, values: &mut impl Sweeping) -> Result<u32, SolveError> {
        let unbounded = |error| match error {
            SolveError::Unsettled { distance: off, sweeps } => {
                SolveError::Unbounded { off, sweeps }
            }
            other => other,
        };
        let polished = self.sweep_polished(values, IDLE_SWEEPS_OF_BOUNDS).map_err(unbounded);
        let (mut sweeps, is_settled) = polished?;
        if is_settled {
            return Ok(sweeps);
        }
        // Bounds that come nearer by a few hundredths in a sweep have been taken to go in circles.
        let goal = self.goal(0.0, IDLE_SWEEPS_OF_BOUNDS);
        let goal = Goal { change: self.tolerance, is_patient: true, ..goal };
        sweeps += self.sweep(values, goal).map_err(unbounded)?;
        if self.polish(values, &mut sweeps)? {
            return Ok(sweeps);
        }
        values.round();
        let off = values.pass(Mode::Residual, sweeps)?.change;
        if off > self.tolerance { Err(SolveError::Unbounded { off, sweeps }) } else { Ok(sweeps) }
    }

    /// Sweeps the values of given policies to the end; returns the number of sweeps. It is an error if they never settle.
    pub(crate) fn sweep_policies(self, values: &mut impl Sweeping) -> Result<u32, SolveError> {
        self.sweep(values, self.goal(ROUNDING, MOST_SWEEPS))
    }

    fn goal(self, rounding: f64, idle: u32) -> Goal {
        let change = 4.0 / 3.0 * self.tolerance;
        Goal { change, is_patient: false, rounding, most: MOST_SWEEPS, idle }
    }

    /// Sweeps to a goal; returns the number of sweeps.
    fn sweep<S: Sweeping>(self, values: &mut S, goal: Goal) -> Result<u32, SolveError> {
        let (mut near, mut least, mut waited) = (0, f64::INFINITY, 0);
        let mut leap = Leap::default();
        for sweep in 1..=goal.most {
            let mode = match sweep % EXTRAPOLATE_EVERY {
                0 => Mode::Compare,
                left if left + 1 == EXTRAPOLATE_EVERY => Mode::Record,
                _ => Mode::Sweep,
            };
            let tally = values.pass(mode, sweep)?;
            let change = tally.change;
            self.show(values, change)?;
            near += u32::from(change <= 2.0 * goal.change);
            waited = if change < least { 0 } else { waited + 1 };
            least = least.min(change);
            let stays = if goal.is_patient { waited } else { near };
            let goes_in_circles = stays >= PATIENCE && change <= 2.0 * goal.change;
            let is_rounding = goes_in_circles || waited >= PATIENCE && least <= goal.rounding;
            if (change <= goal.change || is_rounding) && !values.widen() {
                return Ok(sweep);
            }
            if waited >= goal.idle {
                return Err(SolveError::Unsettled { distance: least, sweeps: sweep });
            }
            if mode == Mode::Compare && S::CAN_LOOSEN && waited >= PATIENCE {
                values.loosen(leap.next(change));
            } else if mode == Mode::Compare && change > 16.0 * goal.change {
                values.extrapolate(tally, sweep);
            }
        }
        Err(SolveError::Unsettled { distance: least, sweeps: goal.most })
    }

    /// Sweeps on while values are further from their backups than the tolerance, but only [`PATIENCE`] times, since rounding may
    /// go in circles. Adds the sweeps to `sweeps`. Returns whether the values are within the tolerance.
    fn polish(self, values: &mut impl Sweeping, sweeps: &mut u32) -> Result<bool, SolveError> {
        for sweep in 0..PATIENCE {
            values.round();
            let residual = values.pass(Mode::Residual, sweep)?.change;
            self.show(values, residual)?;
            if residual <= self.tolerance {
                return Ok(true);
            }
            values.pass(Mode::Polish, sweep)?;
            *sweeps += 1;
        }
        Ok(false)
    }

    /// Shows a sweep to the watch. Returns an error if the watch asks to stop.
    fn show(self, values: &impl Sweeping, change: f64) -> Result<(), SolveError> {
        let values: &dyn Fn() -> Box<[f64]> = &|| values.to_index_order();
        let stop = (self.watch)(settled_share(change), Some(&Sweep { change, values }));
        if stop { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

/// How far drifting values are moved at a time, in sweeps.
///
/// Games that hardly ever end bring values nearer to their limit by less than rounding shows. How long the way is then cannot
/// be told from two deltas, so each move is four times as long as the one before, until one has gone too far. None moves a value
/// by more than one.
#[derive(Debug, Default)]
struct Leap {
    sweeps: f64,
    /// The largest change before the last move.
    change: f64,
}

impl Leap {
    /// Returns how far to move, given the largest change in the last sweep.
    fn next(&mut self, change: f64) -> f64 {
        let is_near = change <= 2.0 * self.change;
        let sweeps = if is_near { 4.0 * self.sweeps } else { f64::from(PATIENCE) };
        self.sweeps = sweeps.min(1.0 / change);
        self.change = change;
        self.sweeps
    }
}

/// Returns how much of the way to the fixed point is done when a sweep changes values by `change`: the share of the digits that
/// are settled.
fn settled_share(change: f64) -> f64 {
    (-change.max(1e-17).log10() / 16.0).clamp(0.0, 0.97)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that no longer change, but stay this far from their backups.
    struct Off(f64);

    impl Sweeping for Off {
        fn pass(&mut self, mode: Mode, _: u32) -> Result<Tally, SolveError> {
            let change = if mode == Mode::Residual { self.0 } else { 0.0 };
            Ok(Tally { change, ..Tally::default() })
        }

        fn extrapolate(&mut self, _: Tally, _: u32) {}

        fn round(&mut self) {}

        fn to_index_order(&self) -> Box<[f64]> {
            Box::default()
        }
    }

    #[test]
    fn values_that_stay_off_by_more_than_a_table_may_have_are_an_error_at_once() {
        let course = |tolerance| Course { tolerance, ..Course::of_certificate(Sharing::NoThreads) };
        let sweep = |tolerance, off| course(tolerance).sweep_double(&mut Off(off));
        for (tolerance, off) in [(Options::TOLERANCE, 1e-15), (0.0, 1e-15), (1e-12, 2e-12)] {
            let error = sweep(tolerance, off).unwrap_err();
            assert!(
                matches!(error, SolveError::Unsettled { distance, .. } if distance.to_bits() == off.to_bits())
            );
        }
        // A tolerance below what rounding leaves is not enforced.
        assert!(sweep(0.0, Options::TOLERANCE).is_ok());
        assert!(sweep(1e-12, 1e-12).is_ok());
    }
}
