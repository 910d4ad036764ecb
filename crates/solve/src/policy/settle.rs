//! One unit from nothing to its values.

use puabi_core::Player;
use rayon::prelude::*;

use super::cells::Cells;
use super::course::{Course, Done};
use super::field::{Settled, Strip, Units};
use super::rows::{Lanes, add};
use super::unit::Unit;
use crate::types::SolveError;

/// A unit to settle.
pub(crate) struct Task<'a, const N: usize> {
    pub(crate) course: &'a Course<'a, N>,
    pub(crate) unit: &'a Unit,
    /// Whether all threads work on it.
    pub(crate) shared: bool,
}

/// Sweeps after which values that still change count as never settling.
const MOST_SWEEPS: u32 = 100_000;
/// Sweeps without progress after which the changes left are taken for rounding, if they are no larger than `ROUNDING`.
const PATIENCE: u32 = 8;
/// The largest change that may be rounding.
const ROUNDING: f64 = 1e-13;

impl<const N: usize> Task<'_, N> {
    /// Returns the values of the unit; those it leads to are `settled`.
    pub(crate) fn settle(&self, settled: &Units<N>) -> Result<Done<N>, SolveError> {
        let strips = self.strips(settled)?;
        let draw = self.course.field.end(None);
        let cells = Cells::new(2 * self.unit.boards.len(), draw);
        let sweeps = self.sweep_on(&strips, &cells)?;
        self.course.advance(self.unit.boards.len())?;
        let mut gathered = [0.0; N];
        for strip in &strips {
            add(&mut gathered, 1.0, strip.gathered);
        }
        let residual = self.largest(&strips, |strip| strip.residual(&cells));
        Ok(Done { settled: self.values(&cells), gathered, sweeps, residual })
    }

    fn strips(&self, settled: &Units<N>) -> Result<Vec<Strip<N>>, SolveError> {
        let strip = |slots: &std::ops::Range<usize>| {
            let strip = self.course.field.strip(self.unit, slots.clone(), settled);
            self.course.advance(slots.len()).map(|()| strip)
        };
        if self.shared {
            self.unit.strips.par_iter().map(strip).collect()
        } else {
            self.unit.strips.iter().map(strip).collect()
        }
    }

    /// Sweeps until values change no more; returns how often.
    fn sweep_on(&self, strips: &[Strip<N>], cells: &Cells<N>) -> Result<u32, SolveError> {
        let (mut least, mut waited) = (f64::INFINITY, 0);
        for sweep in 1..=MOST_SWEEPS {
            let levels = self.unit.levels.iter();
            let change = levels
                .map(|level| self.largest(&strips[level.clone()], |strip| strip.sweep(cells)))
                .fold(0.0, f64::max);
            waited = if change < least { 0 } else { waited + 1 };
            least = least.min(change);
            if change <= self.course.options.tolerance || least <= ROUNDING && waited == PATIENCE {
                return Ok(sweep);
            }
            self.course.advance(0)?;
        }
        Err(SolveError::Unsettled { change: least, sweeps: MOST_SWEEPS })
    }

    /// Does something with every strip, and returns the largest result.
    fn largest(&self, strips: &[Strip<N>], work: impl Fn(&Strip<N>) -> f64 + Sync + Send) -> f64 {
        if self.shared && strips.len() > 1 {
            strips.par_iter().map(work).reduce(|| 0.0, f64::max)
        } else {
            strips.iter().map(work).fold(0.0, f64::max)
        }
    }

    /// Returns the values of the cells in the order of offsets.
    fn values(&self, cells: &Cells<N>) -> Settled<N> {
        let offsets = 0..self.unit.boards.len();
        let board = |offset| {
            let slot = self.unit.slot(offset);
            [cells.get(2 * slot), cells.get(2 * slot + 1)]
        };
        offsets.map(board).collect()
    }
}

impl<const N: usize> Strip<N> {
    /// Backs up every board, passes summed to the end; returns the largest change.
    fn sweep(&self, cells: &Cells<N>) -> f64 {
        let mut largest = 0.0;
        for (row, slot) in self.slots.clone().enumerate() {
            let [light, dark] = [0, 1].map(|mover: usize| self.rows[mover].sum(row, cells));
            let [p, q] = [0, 1].map(|mover: usize| self.rows[mover].pass(row));
            // A board from which nobody can move has ended: its rows have no passes.
            let left = 1.0 - p * q;
            let lights: Lanes<N> =
                std::array::from_fn(|lane| (light[lane] + p * dark[lane]) / left);
            let darks = std::array::from_fn(|lane| dark[lane] + q * lights[lane]);
            for (mover, values) in [lights, darks].into_iter().enumerate() {
                raise(&mut largest, cells.get(2 * slot + mover), values);
                cells.set(2 * slot + mover, values);
            }
        }
        largest
    }

    /// Returns the largest difference between a value and its backup, passes taken one at a time.
    fn residual(&self, cells: &Cells<N>) -> f64 {
        let mut largest = 0.0;
        for (row, slot) in self.slots.clone().enumerate() {
            for mover in Player::BOTH.map(|mover| mover as usize) {
                let rows = &self.rows[mover];
                let mut backup = rows.sum(row, cells);
                add(&mut backup, rows.pass(row), cells.get(2 * slot + 1 - mover));
                raise(&mut largest, cells.get(2 * slot + mover), backup);
            }
        }
        largest
    }
}

/// Raises `largest` to the difference between values, in parts of the value where that is above one.
#[inline]
fn raise<const N: usize>(largest: &mut f64, before: Lanes<N>, after: Lanes<N>) {
    for (before, after) in before.into_iter().zip(after) {
        let (change, whole) = ((after - before).abs(), after.abs().max(1.0));
        // Few changes are the largest so far, and no others are divided.
        if change > *largest * whole {
            *largest = change / whole;
        }
    }
}
