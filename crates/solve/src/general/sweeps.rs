//! Sweeps over a sublayer: which successors each follows, and what it hands on.

mod again;
mod strip;

use std::ops::Range;

use super::candidates::CandidateRuns;
use super::successors::word::Word;
use super::values::WorkingValues;
use super::work::SublayerWork;
use crate::drive::iterate::{Course, Sweeping};
use crate::drive::statistics::{Mode, Tally};
use crate::memory::spill::OnDisk;
use crate::parallel;
use crate::types::SolveError;
use strip::{Follow, Task};

/// The values of a sublayer at work.
pub(super) struct GeneralSweeps<'a, W> {
    work: &'a SublayerWork<'a, W>,
    pub(super) values: WorkingValues,
    /// The moves on each board that may be the best.
    candidates: CandidateRuns<W>,
    /// By side, then strip: what the last sweep that compared deltas has found.
    compared: Vec<Vec<Tally>>,
    follow: Follow,
    /// Whether there are candidates to follow.
    has_candidates: bool,
    /// The largest change in the last pass.
    change: f64,
    /// Candidates are chosen once no value changes by more than this.
    choice: f64,
    /// By strip that this rank holds: the largest change in the last pass over it.
    changes: Vec<f64>,
    /// What the last pass has found if it left the values as they are now.
    certificate: Option<Tally>,
    /// Whether only the first of two sides is swept, and the second one's values move as far the other way.
    moves_apart: bool,
}

/// What a pass does with strips.
#[derive(Clone, Copy)]
struct Pass {
    mode: Mode,
    /// How far the value of a candidate may be from the best.
    margin: f64,
}

/// Candidates are first chosen once no value changes by more than this: before, there would be more than one for many rolls.
const FIRST_CHOICE: f64 = 1.0 / 8192.0;
/// None are chosen once no value changes by more than this: a choice takes as long as three or four sweeps of all successors, and
/// hardly more sweeps are left.
const LAST_CHOICE: f64 = 1e-12;
/// The share of the digits that are settled when candidates are chosen, and the share of the time of all sweeps that has gone by
/// when they are: 0.57 in the largest sublayer of `dmytro:4`, 0.59 in the second largest of `murray:5`, 0.70 in the largest of
/// `skiriuk:4`.
const CHOSEN: [f64; 2] = [0.25, 0.6];
/// The value of a candidate differs from the best by at most the *margin*: this many times the largest change in the sweep
/// before.
const MARGIN: f64 = 4.0;

/// Returns the share of the time of all sweeps that has gone by when this share of the digits is settled.
pub(super) fn share_of_time(settled: f64) -> f64 {
    let [digits, time] = CHOSEN;
    if settled < digits {
        time * settled / digits
    } else {
        1.0 - (1.0 - time) * (1.0 - settled) / (1.0 - digits)
    }
}

impl<W: Word> Sweeping for GeneralSweeps<'_, W> {
    /// Backs up every value, level by level.
    fn pass(&mut self, mode: Mode, sweep: u32) -> Result<Tally, SolveError> {
        // Nothing comes between two sweeps whose deltas are compared.
        if matches!(mode, Mode::Sweep | Mode::Record) && sweep > 1 && self.work.sides.len() == 1 {
            self.sweep_again()?;
        }
        self.follow = self.next_follow(mode);
        if self.follow == Follow::Choosing {
            self.candidates.clear();
        }
        let margin = MARGIN * self.change;
        let mut tally = Tally::default();
        for (number, own) in self.work.holding.levels.iter().enumerate() {
            let level = self.keep_before(&self.work.layout.levels[number], mode);
            let all: Vec<usize> = own.clone().collect();
            let places = self.work.layout.places(&self.work.layout.levels[number]);
            for side in 0..self.swept_sides() {
                let tallies = self.moving_apart(places.clone(), |it| {
                    it.back_up(side, &all, level.clone(), Pass { mode, margin })
                })?;
                self.changes.splice(own.clone(), tallies.iter().map(|it| it.change));
                if mode == Mode::Compare {
                    self.compared[side].splice(own.clone(), tallies.iter().copied());
                }
                tally = tallies.into_iter().fold(tally, Tally::and);
            }
            if mode != Mode::Residual {
                self.hand_on(number, |_| true);
            }
        }
        let tally = self.work.holding.ranks.with_largest_change(tally);
        self.certificate = Some(tally).filter(|_| mode == Mode::Residual);
        if self.follow == Follow::Choosing {
            // Choices of both sides may chase each other: the next one waits until values have come nearer.
            (self.has_candidates, self.choice) = (true, self.change / 2.0);
        }
        self.change = tally.change;
        Ok(tally)
    }

    /// Moves each strip as far as its own deltas suggest.
    fn extrapolate(&mut self, _tally: Tally, _sweep: u32) {
        self.move_along_deltas(&Tally::safe_extrapolation_factor);
    }

    /// Values may swing, because mirror images in a level are read as they were before it.
    const CAN_LOOSEN: bool = true;

    fn loosen(&mut self, sweeps: f64) -> bool {
        // Bounds of a game that goes on for ever drift for ever.
        let drifting = Some(sweeps).filter(|_| self.work.sides.len() == 1);
        let factor = |tally: Tally| if tally.is_swinging() { Some(-0.5) } else { drifting };
        self.move_along_deltas(&factor);
        let mut compared = self.compared.iter().take(self.swept_sides()).flatten();
        compared.any(|&tally| factor(tally).is_some())
    }

    fn widen(&mut self) -> bool {
        let is_narrow = self.follow == Follow::Candidates;
        if is_narrow {
            self.has_candidates = false;
        }
        is_narrow
    }

    fn round(&mut self) {
        self.values.round(&self.work.layout, &self.work.game.pre);
    }

    fn to_index_order(&self) -> Box<[f64]> {
        let SublayerWork { layout, sublayer, .. } = self.work;
        let len = usize::try_from(sublayer.len()).expect("a sublayer fits memory");
        let mut ordered = vec![0.0; len * self.work.sides.len()].into_boxed_slice();
        self.values.to_index_order(layout, &self.work.game.pre, *sublayer, &mut ordered);
        ordered
    }
}

impl<'a, W: Word> GeneralSweeps<'a, W> {
    pub(super) fn new(work: &'a SublayerWork<'a, W>, values: WorkingValues) -> Self {
        let (strips, spill) = (work.layout.strips.len(), work.spills.spill_for(OnDisk::ReadOnly));
        let candidates = CandidateRuns::new(&spill, strips, work.game.pre.rolls.len());
        let compared = vec![vec![Tally::default(); strips]; work.sides.len()];
        Self {
            work,
            values,
            candidates,
            compared,
            follow: Follow::All,
            has_candidates: false,
            change: f64::INFINITY,
            choice: FIRST_CHOICE,
            changes: vec![0.0; strips],
            certificate: None,
            moves_apart: false,
        }
    }

    /// Sweeps for the bounds of both sides; returns the number of sweeps. The bounds lie nearly as far on one side of the values as
    /// on the other, so at first only one side is swept.
    pub(super) fn bound(&mut self, course: Course<'_>) -> Result<u32, SolveError> {
        self.moves_apart = true;
        let sweeps = course.sweep_near(self)?;
        self.moves_apart = false;
        Ok(sweeps + course.sweep_bounds(self)?)
    }

    /// Returns the number of sides that are swept.
    fn swept_sides(&self) -> usize {
        if self.moves_apart { 1 } else { self.work.sides.len() }
    }

    /// Calls `action`, which moves values of the first side at some places, and moves the second side's as far the other way if
    /// these move apart.
    fn moving_apart<R>(&mut self, places: Range<usize>, action: impl FnOnce(&mut Self) -> R) -> R {
        if self.moves_apart {
            self.values.keep_before(places.clone());
        }
        let done = action(self);
        if self.moves_apart {
            self.values.move_other_side(places);
        }
        done
    }

    /// Returns the values, and what the last pass has found if it left them as they are.
    pub(super) fn into_settled(self) -> (WorkingValues, Option<Tally>) {
        (self.values, self.certificate)
    }

    /// Moves the values of the strips that have a factor, by this factor times their last deltas.
    fn move_along_deltas(&mut self, factor: &dyn Fn(Tally) -> Option<f64>) {
        let own: Vec<usize> = self.work.holding.levels.iter().cloned().flatten().collect();
        let compared = std::mem::take(&mut self.compared);
        for (side, compared) in compared.iter().enumerate().take(self.swept_sides()) {
            for &strip in &own {
                if let Some(factor) = factor(compared[strip]) {
                    let places = self.work.layout.places(&(strip..strip + 1));
                    self.moving_apart(places.clone(), |it| {
                        it.values.extrapolate(side, places, factor);
                    });
                }
            }
        }
        for level in 0..self.work.layout.levels.len() {
            self.hand_on(level, |strip| factor(compared[0][strip]).is_some());
        }
        self.compared = compared;
    }

    /// Copies the values of a level if a sweep reads mirror images of them. Returns the places of the copied values.
    fn keep_before(&mut self, strips: &Range<usize>, mode: Mode) -> Range<usize> {
        // A residual leaves the values as they are. Images of bounds belong to the other side, which does not change meanwhile.
        if !self.work.layout.is_halved || mode == Mode::Residual || self.work.sides.len() > 1 {
            return 0..0;
        }
        let level = self.work.layout.places(strips);
        self.values.keep_before(level.clone());
        level
    }

    /// Backs up some strips of one level. The values at `kept` were copied before.
    fn back_up(
        &mut self,
        side: usize,
        strips: &[usize],
        kept: Range<usize>,
        Pass { mode, margin }: Pass,
    ) -> Result<Vec<Tally>, SolveError> {
        let values = self.values.share(side, kept);
        let (work, candidates, follow) = (self.work, &self.candidates, self.follow);
        let back_up = |at: usize| {
            let strip = strips[at];
            work.strip(Task { side, strip, values: &values, mode, follow, margin, candidates })
        };
        parallel::map(work.sharing, 0..strips.len(), back_up).into_iter().collect()
    }

    /// Hands on those strips of a level that were moved to the ranks that read them.
    fn hand_on(&mut self, level: usize, is_moved: impl Fn(usize) -> bool) {
        let SublayerWork { layout, holding, .. } = self.work;
        holding.hand_on(layout, &mut self.values, level, is_moved);
    }

    /// Returns which successors the next pass follows.
    fn next_follow(&self, mode: Mode) -> Follow {
        let is_sweep = matches!(mode, Mode::Sweep | Mode::Record | Mode::Compare);
        // Bounds take a dozen sweeps, of which candidates would save little.
        if !is_sweep || self.work.sides.len() > 1 {
            return Follow::All;
        }
        let is_time = (LAST_CHOICE..=self.choice).contains(&self.change);
        match (self.has_candidates, is_time) {
            (true, _) => Follow::Candidates,
            (false, true) => Follow::Choosing,
            (false, false) => Follow::All,
        }
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::{Indexer, RuleSet};

    use super::*;
    use crate::drive::engine::Finished;
    use crate::drive::exchange::ALONE;
    use crate::general::work::Game;
    use crate::parallel::Sharing;
    use crate::simd::select::InstructionSet;

    /// Values of finished sublayers.
    struct Values(Vec<Vec<f64>>);

    impl Finished for Values {
        fn sublayer(&self, at: usize) -> &[f64] {
            &self.0[at]
        }
    }

    /// Returns the bits of all values after each of three passes, and whether the last one followed candidates. If candidates are
    /// chosen, all moves are.
    fn passes(work: &SublayerWork<'_, u32>, choice: f64) -> (Vec<Vec<u64>>, bool) {
        let values = WorkingValues::new(&work.layout, &work.spills).unwrap();
        let mut sweeps = GeneralSweeps::new(work, values);
        let passes = [Mode::Sweep, Mode::Record, Mode::Compare].map(|mode| {
            (sweeps.change, sweeps.choice) = (1.0, choice);
            sweeps.pass(mode, 1).unwrap();
            let values = sweeps.values.at(0..work.layout.values).iter();
            values.map(|value| value.to_bits()).collect()
        });
        (passes.into(), sweeps.follow == Follow::Candidates)
    }

    #[test]
    fn the_share_of_the_time_grows_with_the_settled_digits_from_nothing_to_all() {
        let shares = [0.0, 0.1, CHOSEN[0], 0.5, 1.0].map(share_of_time);
        assert!(shares.is_sorted());
        for (share, expected) in [(shares[0], 0.0), (shares[2], CHOSEN[1]), (shares[4], 1.0)] {
            assert!((share - expected).abs() < 1e-15, "{share}");
        }
    }

    #[test]
    fn if_all_moves_are_candidates_sweeps_of_candidates_are_sweeps_of_all() {
        for rules in [RuleSet::SKIRIUK, RuleSet::DMYTRO, RuleSet::MURRAY] {
            let rules = rules.with_pieces(2).compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let game = Game::new(&rules, &indexer, InstructionSet::best());
            // Any values will do, as long as no two are alike.
            let value = |at| 0.5 + (f64::from(at) * 0.754_877_666).fract() / 3.0;
            let values = |len| (0..u32::try_from(len).unwrap()).map(value).collect();
            let finished = Values(indexer.sublayers().iter().map(|it| values(it.len())).collect());
            for at in 0..indexer.sublayers().len() {
                let course = Course {
                    sharing: Sharing::NoThreads,
                    ranks: ALONE,
                    tolerance: 0.0,
                    watch: &|_, _| false,
                    certificate: None,
                };
                let sides = [(&finished, 0.0)];
                let work = game.work::<_, u32>(at, &sides, course).unwrap();
                let ((chosen, follows), (all, _)) = (passes(&work, 1.0), passes(&work, 0.0));
                assert!(follows && chosen == all);
            }
        }
    }
}
