//! The sweeps of a unit. The pass pair of each board is solved exactly.

use std::ops::Range;

use super::cells::Cells;
use super::rows::{Measured, Rows, add};
use crate::drive::iterate::Sweeping;
use crate::drive::statistics::{Mode, Tally};
use crate::general::layout::BlockLayout;
use crate::parallel::{self, Sharing};
use crate::types::SolveError;

/// The moves on some boards of a unit, in the order of sweeping.
#[derive(Debug)]
pub(super) struct BoardMoves<const N: usize> {
    /// By board: the place of the cell with light about to roll. The cell with dark about to roll follows it.
    pub(super) places: Box<[u32]>,
    /// By player about to roll.
    pub(super) rows: [Rows<N>; 2],
    /// By player about to roll: the limits of the boards' worths to light. They are the least worths if light is about to roll,
    /// the greatest if dark is; empty if nothing is offered.
    pub(super) limits: [Box<[f64]>; 2],
    /// What is gathered in one roll, added up over the boards and players about to roll.
    pub(super) gathered: Measured<N>,
    /// The number of boards that are dead.
    pub(super) dead: u64,
}

/// The values of a unit at work.
pub(super) struct PolicySweeps<'a, const N: usize> {
    levels: &'a [Range<usize>],
    strips: Vec<BoardMoves<N>>,
    cells: Cells<N>,
    /// How far the last sweep that recorded deltas has moved each value.
    deltas: Cells<N>,
    /// By measure: what the last pass has found.
    found: [Tally; N],
    sharing: Sharing<'a>,
}

impl<'a, const N: usize> PolicySweeps<'a, N> {
    pub(super) fn new(
        layout: &'a BlockLayout,
        strips: Vec<BoardMoves<N>>,
        cells: Cells<N>,
        sharing: Sharing<'a>,
    ) -> Self {
        let deltas = Cells::new(layout.values, [0.0; N]);
        let found = [Tally::default(); N];
        Self { levels: &layout.levels, strips, cells, deltas, found, sharing }
    }

    /// Returns the largest difference between a value and its backup.
    pub(super) fn residual(&mut self) -> f64 {
        self.pass_once(Mode::Residual).change
    }

    fn pass_once(&mut self, mode: Mode) -> Tally {
        self.found = [Tally::default(); N];
        for level in self.levels {
            let pass = |strip: usize| self.strips[strip].pass(&self.cells, &self.deltas, mode);
            for strip in parallel::map(self.sharing, level.clone(), pass) {
                self.found = std::array::from_fn(|measure| self.found[measure].and(strip[measure]));
            }
        }
        self.found.into_iter().fold(Tally::default(), Tally::and)
    }

    /// Returns the values, what is gathered in one roll over all boards, and the number of dead boards.
    pub(super) fn into_values(self) -> (Cells<N>, Measured<N>, u64) {
        let mut gathered = [0.0; N];
        self.strips.iter().for_each(|strip| add(&mut gathered, 1.0, strip.gathered));
        (self.cells, gathered, self.strips.iter().map(|strip| strip.dead).sum())
    }
}

impl<const N: usize> Sweeping for PolicySweeps<'_, N> {
    fn pass(&mut self, mode: Mode, _sweep: u32) -> Result<Tally, SolveError> {
        Ok(self.pass_once(mode))
    }

    /// Moves the values of each measure as far as its own deltas say.
    fn extrapolate(&mut self, _tally: Tally, _sweep: u32) {
        let factors = self.found.map(|found| found.safe_extrapolation_factor().unwrap_or(0.0));
        for cell in 0..self.cells.len() {
            let (mut values, deltas) = (self.cells.get(cell), self.deltas.get(cell));
            for measure in 0..N {
                values[measure] += factors[measure] * deltas[measure];
            }
            self.cells.set(cell, values);
        }
    }

    /// Does nothing: both players' values are kept as they are swept.
    fn round(&mut self) {}

    /// Returns nothing: a position has a value for each measure and player, so there is no single one to show.
    fn to_index_order(&self) -> Box<[f64]> {
        Box::default()
    }
}

impl<const N: usize> BoardMoves<N> {
    /// Backs up every board.
    fn pass(&self, cells: &Cells<N>, deltas: &Cells<N>, mode: Mode) -> [Tally; N] {
        let mut found = [Tally::default(); N];
        for (row, &place) in self.places.iter().enumerate() {
            let place = place as usize;
            let sums = [0, 1].map(|mover: usize| self.rows[mover].sum(row, cells));
            let passes = [0, 1].map(|mover: usize| self.rows[mover].pass(row));
            let old = [cells.get(place), cells.get(place + 1)];
            let limits = [0, 1].map(|mover: usize| self.limits[mover].get(row).copied());
            let new = match mode {
                Mode::Residual => [
                    at_least(limits[0], with_pass(sums[0], passes[0], old[1])),
                    at_most(limits[1], with_pass(sums[1], passes[1], old[0])),
                ],
                _ => limited(limits, sums, passes),
            };
            for mover in 0..2 {
                raise(&mut found, old[mover], new[mover]);
                match mode {
                    Mode::Residual => continue,
                    Mode::Record | Mode::Compare => {
                        record(&mut found, deltas, place + mover, old[mover], new[mover]);
                    }
                    Mode::Sweep | Mode::Polish => {}
                }
                cells.set(place + mover, new[mover]);
            }
        }
        found
    }
}

/// Returns the value of a row, given its sum without passes and the value that a pass leads to.
fn with_pass<const N: usize>(mut sum: Measured<N>, pass: f64, other: Measured<N>) -> Measured<N> {
    add(&mut sum, pass, other);
    sum
}

/// Returns the values of a board with light and with dark about to roll, the pass pair solved exactly.
#[inline]
fn summed<const N: usize>([light, dark]: [Measured<N>; 2], [p, q]: [f64; 2]) -> [Measured<N>; 2] {
    // A board on which neither side can ever move has ended: its rows have no passes.
    let left = 1.0 - p * q;
    let lights: Measured<N> =
        std::array::from_fn(|measure| (light[measure] + p * dark[measure]) / left);
    [lights, with_pass(dark, q, lights)]
}

/// Returns the values of a board within its limits: light takes at least the first one, and dark lets light have at most the
/// second one.
#[inline]
fn limited<const N: usize>(
    limits: [Option<f64>; 2],
    sums: [Measured<N>; 2],
    passes: [f64; 2],
) -> [Measured<N>; 2] {
    let [mut lights, darks] = summed(sums, passes);
    if limits == [None; 2] {
        return [lights, darks];
    }
    if let Some(most) = limits[1] {
        // The line rises by less than one. So the fixed point of the lesser of the line and a number is the lesser of the line's
        // fixed point and the number.
        lights = at_most(Some(sums[0][0] + passes[0] * most), lights);
    }
    lights = at_least(limits[0], lights);
    [lights, at_most(limits[1], with_pass(sums[1], passes[1], lights))]
}

/// Raises the first measure to the least that light can have, if there is a limit.
#[inline]
fn at_least<const N: usize>(limit: Option<f64>, mut values: Measured<N>) -> Measured<N> {
    if let (Some(least), Some(value)) = (limit, values.first_mut()) {
        *value = value.max(least);
    }
    values
}

/// Lowers the first measure to the most that dark lets light have, if there is a limit.
#[inline]
fn at_most<const N: usize>(limit: Option<f64>, mut values: Measured<N>) -> Measured<N> {
    if let (Some(most), Some(value)) = (limit, values.first_mut()) {
        *value = value.min(most);
    }
    values
}

/// Notes how far values have moved.
#[inline]
fn record<const N: usize>(
    found: &mut [Tally; N],
    deltas: &Cells<N>,
    cell: usize,
    old: Measured<N>,
    new: Measured<N>,
) {
    let before = deltas.get(cell);
    let delta = std::array::from_fn(|measure| new[measure] - old[measure]);
    for measure in 0..N {
        found[measure].compare(before[measure], delta[measure]);
    }
    deltas.set(cell, delta);
}

/// Raises the largest changes to those from `old` to `new`, each divided by the value if that is above one.
#[inline]
fn raise<const N: usize>(found: &mut [Tally; N], old: Measured<N>, new: Measured<N>) {
    for (found, (old, new)) in found.iter_mut().zip(old.into_iter().zip(new)) {
        let (change, whole) = ((new - old).abs(), new.abs().max(1.0));
        // Few changes are the largest so far; only these are divided.
        if change > found.change * whole {
            found.change = change / whole;
        }
    }
}
