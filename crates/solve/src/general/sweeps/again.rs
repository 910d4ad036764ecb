//! Strips that change more than others, which are swept again by themselves.
//!
//! Near the fixed point most of what still changes lies in a few strips: those in which the sides take one square from each
//! other in turn, with the rest of their pieces equally far. Each capture leads to the mirror image of a block of the same level,
//! which is read as it was before the level, so one round of captures takes two sweeps. Between two sweeps of all strips such strips
//! are swept by themselves until they change no more than the others do.

use std::ops::Range;

use super::strip::Follow;
use super::{GeneralSweeps, MARGIN, Pass};
use crate::drive::statistics::Mode;
use crate::general::successors::word::Word;
use crate::general::work::SublayerWork;
use crate::types::SolveError;

/// Strips that are swept again have at most one in this many of all values.
const ONE_IN: usize = 8;
/// Strips are swept again if they change by more than a share of the largest change. The share is the first of these by which the
/// strips are few enough; if there is none, no strip is.
const SHARES: [f64; 5] = [1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0];
/// Changes up to this are rounding.
const ROUNDING: f64 = 2.0 * f64::EPSILON;
/// How many times, at most, strips are swept again before all are swept.
const TIMES: usize = 4;

impl<W: Word> GeneralSweeps<'_, W> {
    /// Sweeps the strips that change most once more.
    pub(super) fn sweep_again(&mut self) -> Result<(), SolveError> {
        let SublayerWork { layout, holding, .. } = self.work;
        let mut changes = holding.changes(layout, &self.changes);
        let values = |strip: usize| layout.strips[strip].values();
        let Some(least) = least_again(&changes, self.change, values) else { return Ok(()) };
        self.follow = if self.has_candidates { Follow::Candidates } else { Follow::All };
        for _ in 0..TIMES {
            // All ranks find the same levels.
            let has_some =
                |strips: &Range<usize>| changes[strips.clone()].iter().any(|&it| it > least);
            let levels = (0..layout.levels.len()).filter(|&level| has_some(&layout.levels[level]));
            let levels: Vec<_> = levels.collect();
            if levels.is_empty() {
                break;
            }
            for level in levels {
                self.sweep_level_again(level, least)?;
            }
            changes = holding.changes(layout, &self.changes);
        }
        Ok(())
    }

    /// Sweeps those strips of a level again that changed by more than `least`.
    fn sweep_level_again(&mut self, level: usize, least: f64) -> Result<(), SolveError> {
        let SublayerWork { layout, holding, .. } = self.work;
        let own = holding.levels[level].clone();
        let again: Vec<usize> = own.filter(|&strip| self.changes[strip] > least).collect();
        let places = self.keep_before(&layout.levels[level], Mode::Sweep);
        let pass = Pass { mode: Mode::Sweep, margin: MARGIN * self.change };
        for (&strip, tally) in again.iter().zip(self.back_up(0, &again, places, pass)?) {
            self.changes[strip] = tally.change;
        }
        self.hand_on(level, |strip| again.binary_search(&strip).is_ok());
        Ok(())
    }
}

/// Returns the change above which a strip is swept again, given the changes of all strips in the last pass, the largest change of
/// a whole sweep, and the number of values of a strip. Returns `None` if too many strips change alike.
fn least_again(changes: &[f64], largest: f64, values: impl Fn(usize) -> usize) -> Option<f64> {
    let all: usize = (0..changes.len()).map(&values).sum();
    let has_few = |least: &f64| {
        let again = (0..changes.len()).filter(|&strip| changes[strip] > *least);
        ONE_IN * again.map(&values).sum::<usize>() <= all
    };
    SHARES.into_iter().map(|share| (share * largest).max(ROUNDING)).find(has_few)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_strips_that_change_most_are_swept_again() {
        let least = |changes: &[f64]| least_again(changes, 1e-6, |_| 100);
        // One strip of ten is few, two are not.
        let one = [[1e-6].as_slice(), &[1e-9; 9]].concat();
        assert_eq!(least(&one), Some(1e-6 / 64.0));
        let two = [[1e-6, 1e-7].as_slice(), &[1e-9; 8]].concat();
        assert_eq!(least(&two), Some(1e-6 / 8.0));
        assert_eq!(least(&[1e-6; 10]), None);
    }

    #[test]
    fn strips_with_many_values_are_not_swept_again_and_neither_is_rounding() {
        let changes = [1e-6, 1e-9, 1e-9, 1e-9];
        assert_eq!(
            least_again(&changes, 1e-6, |strip| if strip == 0 { 9 } else { 21 }),
            Some(1e-6 / 64.0)
        );
        assert_eq!(least_again(&changes, 1e-6, |strip| if strip == 0 { 10 } else { 20 }), None);
        assert_eq!(least_again(&[1e-16; 4], 1e-16, |_| 1), Some(ROUNDING));
    }
}
