//! Course: how a sublayer's values are swept to their fixed point, whatever engine passes over them.

use crate::drive::statistics::{Mode, Tally};

/// The end of a sublayer's sweeps because somebody asked for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopped;

/// How one sublayer is swept.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    /// Whether slabs of a level are shared among the threads of the pool.
    pub(crate) shared: bool,
    /// The residual at which the sublayer counts as settled.
    pub(crate) tolerance: f64,
    /// Is told the change of each sweep; returns whether to stop.
    pub(crate) watch: &'a (dyn Fn(f64) -> bool + Sync),
}

/// The values of a sublayer at work, in one precision.
pub(crate) trait Sweeping {
    /// Passes over all values; `sweep` counts from 1.
    fn pass(&mut self, mode: Mode, sweep: u32) -> Tally;

    /// Moves the values that `sweep` has moved further along that move, as far as the last two moves say that the way still
    /// goes; the tally is that of the sweep.
    fn extrapolate(&mut self, tally: Tally, sweep: u32);

    /// Rounds the values to those that come back once they are published.
    fn round(&mut self);
}

/// A chance of light's with dark to roll, as it comes back from dark's, which is published.
pub(crate) fn round_trip(chance: f64) -> f64 {
    1.0 - (1.0 - chance)
}

/// Largest change in a sweep at which single precision has given what it can: its last place is worth 6e-8 below one.
const SINGLE_GOAL: f64 = 1e-6;
/// Sweeps after which single precision is left in any case.
const SINGLE_SWEEPS: u32 = 60;
/// Sweeps after which a sublayer is given up as one that goes in circles; the worst known takes 50.
const DOUBLE_SWEEPS: u32 = 2000;
/// Sweeps with changes of at most twice the goal after which rounding is taken to go in circles.
const PATIENCE: u32 = 8;
/// Every so many sweeps the values are extrapolated along their last moves.
const EXTRAPOLATE_EVERY: u32 = 4;

impl Course<'_> {
    /// Sweeps single precision as far as it goes; returns the number of sweeps.
    pub(crate) fn sweep_single(self, values: &mut impl Sweeping) -> Result<u32, Stopped> {
        self.sweep(values, SINGLE_GOAL, SINGLE_SWEEPS)
    }

    /// Sweeps double precision to the end; returns the number of sweeps.
    pub(crate) fn sweep_double(self, values: &mut impl Sweeping) -> Result<u32, Stopped> {
        let sweeps = self.sweep(values, 4.0 / 3.0 * self.tolerance, DOUBLE_SWEEPS)?;
        Ok(sweeps + self.polish(values)?)
    }

    /// Sweeps until no value changes by more than `goal`, or by twice that for long; returns the number of sweeps.
    fn sweep(self, values: &mut impl Sweeping, goal: f64, most: u32) -> Result<u32, Stopped> {
        let mut near = 0;
        for sweep in 1..=most {
            let mode = match sweep % EXTRAPOLATE_EVERY {
                0 => Mode::Compare,
                left if left + 1 == EXTRAPOLATE_EVERY => Mode::Record,
                _ => Mode::Sweep,
            };
            let tally = values.pass(mode, sweep);
            if (self.watch)(tally.change) {
                return Err(Stopped);
            }
            near += u32::from(tally.change <= 2.0 * goal);
            if tally.change <= goal || near == PATIENCE {
                return Ok(sweep);
            }
            if mode == Mode::Compare && tally.change > 16.0 * goal {
                values.extrapolate(tally, sweep);
            }
        }
        Ok(most)
    }

    /// Sweeps on while values are further from their backups than the tolerance, but not for long: rounding may go in
    /// circles. Returns the number of sweeps.
    fn polish(self, values: &mut impl Sweeping) -> Result<u32, Stopped> {
        for sweeps in 0..PATIENCE {
            values.round();
            let residual = values.pass(Mode::Residual, sweeps).change;
            if (self.watch)(residual) {
                return Err(Stopped);
            }
            if residual <= self.tolerance {
                return Ok(sweeps);
            }
            values.pass(Mode::Polish, sweeps);
        }
        Ok(PATIENCE)
    }
}
