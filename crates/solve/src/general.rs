//! The general engine: any rules, stacks among them.
//!
//! Pieces beyond the pre squares make a *configuration*; its *block* has a value for every way to place the rest on the pre
//! squares and in hand, in the order of the index. The moves of a block's configuration are the same for all its values, so they
//! are found once and kept as successors. Blocks are swept in the order of [`BlockLayout`]. Within a block, the boards that moves
//! inside it lead to come before the boards that these moves start from, and both players' values of a board are backed up
//! together. See "Stacks and the general engine" in `docs/method.md`.

mod backup;
mod candidates;
mod holding;
pub(crate) mod layout;
pub(crate) mod memory;
pub(crate) mod moving_rolls;
pub(crate) mod places;
pub(crate) mod pre;
mod preference;
mod successors;
mod sweeps;
mod values;
mod work;

use std::sync::Arc;

use puabi_core::{Indexer, Rules};

use crate::drive::engine::{Certify, Engine, Finished, SettledBy};
use crate::drive::iterate::{Course, Sweeping};
use crate::drive::statistics::{Mode, Tally};
use crate::memory::buffer::Buffer;
use crate::memory::spill::{OnDisk, Spills};
use crate::simd::select::InstructionSet;
use crate::types::{SolveError, Sweep};
use crate::values::{Held, are_chances};
use successors::word::{WideWord, Word};
use sweeps::{GeneralSweeps, share_of_time};
use values::WorkingValues;
use work::{FINDING, Game, SublayerWork};

/// The general engine of a game.
#[derive(Debug)]
pub(crate) struct General<'a> {
    game: Game<'a>,
    /// The most positions of a sublayer whose places fit into words of 32 bits.
    most_narrow: u64,
}

impl<'a> General<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        indexer: &'a Indexer,
        instructions: InstructionSet,
    ) -> Self {
        Self { game: Game::new(rules, indexer, instructions), most_narrow: u32::MOST_POSITIONS }
    }

    /// Returns the engine with `spills`, which say what of sublayers at work lies on a disk.
    pub(crate) fn spilling(self, spills: Spills) -> Self {
        Self { game: Game { spills, ..self.game }, ..self }
    }

    /// Returns whether words of 32 bits hold the places that the moves of the sublayer `at` lead to. On systems of 32 bits they
    /// always do, since there is no memory for more.
    fn is_narrow(&self, at: usize) -> bool {
        let fits = |at| self.positions(at) <= self.most_narrow;
        cfg!(target_pointer_width = "32") || fits(at) && self.leads_to(at).into_iter().all(fits)
    }
}

impl Engine for General<'_> {
    type Space = ();
    type Value = f64;

    fn is_short_of_memory(&self) -> bool {
        self.game.spills.holds(OnDisk::ReadOnly)
    }

    fn has_little_for_finished(&self) -> bool {
        self.game.spills.holds(OnDisk::Deltas)
    }

    fn indexer(&self) -> &Indexer {
        self.game.indexer
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: F,
        (): &mut (),
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let sides = [(finished, 0.0)];
        if self.is_narrow(at) {
            self.game.work::<F, u32>(at, &sides, course)?.settle(course)
        } else {
            self.game.work::<F, WideWord>(at, &sides, course)?.settle(course)
        }
    }
}

impl Certify for General<'_> {
    fn room(&self, values: u64) -> Result<Buffer<f64>, SolveError> {
        Buffer::in_index_order(&self.game.spills.of_sublayer(values), values)
    }

    fn certify<F: Finished>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        course: Course<'_>,
    ) -> Result<Tally, SolveError> {
        let sides = [(finished, 0.0)];
        if self.is_narrow(at) {
            self.game.work::<&F, u32>(at, &sides, course)?.certify(at, finished)
        } else {
            self.game.work::<&F, WideWord>(at, &sides, course)?.certify(at, finished)
        }
    }

    fn bound<F: Finished>(
        &self,
        at: usize,
        start: (&dyn Held, f64),
        sides: [(F, f64); 2],
        (): &mut (),
        course: Course<'_>,
    ) -> SettledBy<Self> {
        if self.is_narrow(at) {
            self.game.work::<F, u32>(at, &sides, course)?.bound(start, course)
        } else {
            self.game.work::<F, WideWord>(at, &sides, course)?.bound(start, course)
        }
    }
}

impl<W: Word> SublayerWork<'_, W> {
    /// Sweeps to the fixed point; returns the values in index order, and the sweeps made.
    fn settle(self, course: Course<'_>) -> SettledBy<General<'static>> {
        let values = WorkingValues::new(&self.layout, &self.spills)?;
        let mut at_work = GeneralSweeps::new(&self, values);
        let sweeps = course.within(FINDING..1.0, |course| {
            let watch =
                |settled, sweep: Option<&Sweep<'_>>| (course.watch)(share_of_time(settled), sweep);
            Course { watch: &watch, ..course }.sweep_double(&mut at_work)
        })?;
        let (values, certificate) = at_work.into_settled();
        // All ranks get the same answer.
        let may_differ = self.spills.holds_in_index_order(self.sublayer.len());
        let values = self.into_index_order(values)?;
        // The values have been rounded to what comes back from index order. A certificate would read the same values, unless a
        // disk changes them.
        if let Some(tally) = certificate.filter(|_| !may_differ) {
            let are_chances = are_chances(values.as_slice());
            course.certify(Tally {
                change: if are_chances { tally.change } else { f64::INFINITY },
                ..tally
            });
        }
        Ok((Arc::new(values), sweeps))
    }

    /// Measures how far finished values are from their backups.
    fn certify(&self, at: usize, settled: &impl Finished) -> Result<Tally, SolveError> {
        let values = self.settled_values(at, settled)?;
        GeneralSweeps::new(self, values).pass(Mode::Residual, 0)
    }

    /// Sweeps the bounds of both sides; returns them in index order, and the sweeps made.
    fn bound(
        self,
        (start, apart): (&dyn Held, f64),
        course: Course<'_>,
    ) -> SettledBy<General<'static>> {
        let mut values = self.values_from((start.values(), |index| index), 2)?;
        start.release_pages();
        values.make_room_for_deltas()?;
        values.move_sides_apart(apart);
        let mut at_work = GeneralSweeps::new(&self, values);
        let sweeps = course.within(FINDING..1.0, |course| at_work.bound(course))?;
        let (values, _) = at_work.into_settled();
        Ok((Arc::new(self.into_index_order(values)?), sweeps))
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;
    use crate::drive::schedule::Schedule;
    use crate::types::{Checkpoint, Unattended};

    #[test]
    fn words_of_either_width_lead_to_the_same_bits() {
        for rules in [RuleSet::MURRAY.with_pieces(2), RuleSet::SKIRIUK.with_pieces(2)] {
            let rules = rules.compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let solve = |most_narrow| {
                let engine = General::new(&rules, &indexer, InstructionSet::best());
                let engine = General { most_narrow, ..engine };
                let schedule = Schedule::new(&engine, 2).unwrap();
                let keep: &dyn Checkpoint = &Unattended;
                let solved = schedule.solve(1e-15, &keep, &Unattended).unwrap();
                let values: Vec<_> =
                    solved.into_iter().map(|it| it.unwrap().0.values().to_vec()).collect();
                let narrow = (0..engine.sublayers()).filter(|&at| engine.is_narrow(at)).count();
                (narrow, values)
            };
            let (all, some, none) = (solve(u64::MAX), solve(2000), solve(0));
            assert!(none.0 == 0 && none.0 < some.0 && some.0 < all.0);
            assert!(all.1 == some.1 && all.1 == none.1);
        }
    }
}
