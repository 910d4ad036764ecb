//! Streams arrays on a disk that a pass reads once, slab by slab: they are read ahead, and make room for what is read more often.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;

use super::DenseSublayer;
use crate::dense::backup::stretch::{Streamed, Stretch};
use crate::dense::backup::view::SweepView;
use crate::dense::layout::sublayer::Slab;
use crate::dense::successors::packed::BlockWords;
use crate::drive::statistics::Mode;
use crate::memory::advice;
use crate::memory::spill::OnDisk;
use crate::simd::element::Element;
use crate::types::SolveError;

/// How many external values the system reads ahead: 4 MiB, so that some requests wait for the disk at once, and little memory is
/// needed.
const AHEAD: usize = 1 << 19;
/// The least number of slabs by which the system reads ahead.
const LEAST_AHEAD: usize = 8;
/// How many slabs are let go of at a time.
const BEHIND: usize = 64;
/// Blocks with fewer numbers between them are read together: that many numbers take a few pages.
const GAP: usize = 1 << 11;
/// From this many external values of a sublayer on, the system does not keep them in memory by itself.
const FEW: usize = 1 << 23;

impl Stretch {
    /// Extends this stretch to the end of `next`, which comes behind it, if that is close. Returns whether it is.
    fn join(&mut self, next: &Self) -> bool {
        let is_close = next.externals.start - self.externals.end < GAP;
        if is_close {
            (self.externals.end, self.deltas.end) = (next.externals.end, next.deltas.end);
        }
        is_close
    }
}

impl DenseSublayer<'_> {
    /// Makes the system read what a pass will need some slabs later.
    pub(super) fn stream_ahead<T: Element>(&self, view: &SweepView<'_, T>, at: usize, mode: Mode) {
        self.read_ahead(view, at, Streamed::in_mode(mode));
    }

    /// Makes the system read the deltas that will be needed some slabs later.
    pub(super) fn stream_deltas_ahead<T: Element>(&self, view: &SweepView<'_, T>, at: usize) {
        self.read_ahead(view, at, Streamed { externals: false, deltas: true });
    }

    fn read_ahead<T: Element>(&self, view: &SweepView<'_, T>, at: usize, what: Streamed) {
        if what.and(view.on_disk).is_none() {
            return;
        }
        let slabs = self.layout.slabs.len();
        let ahead = (AHEAD * slabs / self.externals.len().max(1)).max(LEAST_AHEAD);
        if let Some(&slab) = self.layout.order.get(self.layout.turns[at] + ahead) {
            for stretch in self.stretches(view, slab) {
                view.each_on_disk(stretch, what, advice::soon);
            }
        }
        // What was read too early may have left memory again.
        if view.is_read_whole(self.layout.slabs[at].columns) {
            view.each_on_disk(self.stretch(at..at + 1), what, advice::soon);
        }
    }

    /// Lets go of what a pass has read, many slabs at a time: each time, all processors are interrupted. The last slabs stay,
    /// since threads that work side by side are not equally far.
    pub(super) fn stream_behind<T: Element>(&self, view: &SweepView<'_, T>, at: usize, mode: Mode) {
        let (what, turn) = (Streamed::in_mode(mode), self.layout.turns[at]);
        if !turn.is_multiple_of(BEHIND) || turn < 2 * BEHIND || what.and(view.on_disk).is_none() {
            return;
        }
        let mut read = self.layout.order[turn - 2 * BEHIND..turn - BEHIND].to_vec();
        read.sort_unstable();
        for run in read.chunk_by(|slab, next| slab + 1 == *next) {
            let stretch = self.stretch(run[0]..run[run.len() - 1] + 1);
            view.each_on_disk(stretch, what, advice::late);
        }
    }

    /// Returns which arrays that a pass reads once are on a disk, if they are more than the system keeps in memory by itself.
    pub(super) fn on_disk<T: Element>(&self) -> Streamed {
        let is_on_disk = |it| self.externals.len() >= FEW && self.engine.spills.holds(it);
        // In single precision, external values are stored with the values.
        let is_double = size_of::<T>() == size_of::<f64>();
        let externals = if is_double { OnDisk::ReadOnly } else { OnDisk::Values };
        Streamed { externals: is_on_disk(externals), deltas: is_on_disk(OnDisk::Deltas) }
    }

    /// Returns what a pass over a slab reads of the arrays that it streams. That is the whole slab if much of it was backed up in
    /// the sweep before. Otherwise it is what the blocks need that were backed up then, and those whose inputs have changed
    /// since.
    fn stretches<T: Element>(&self, view: &SweepView<'_, T>, slab: usize) -> Vec<Stretch> {
        if view.is_read_whole(self.layout.slabs[slab].columns) {
            return vec![self.stretch(slab..slab + 1)];
        }
        let mut copy = Vec::new();
        let Ok(words) = self.successors_of(slab, &mut copy) else {
            // The pass over the slab will report this error.
            return Vec::new();
        };
        let mut stretches: Vec<Stretch> = Vec::new();
        for (column, sources, stretch) in self.block_stretches(slab, words) {
            let is_news =
                || view.active.is_some_and(|active| active.poll(column, sources).is_some());
            let is_read = view.seems_due(column) || is_news();
            if is_read && !stretches.last_mut().is_some_and(|last| last.join(&stretch)) {
                stretches.push(stretch);
            }
        }
        stretches
    }

    /// Returns each column of a slab whose successors are `words`, with the block's sources and with what a pass reads for it.
    fn block_stretches<'b>(
        &self,
        slab: usize,
        words: &'b [u32],
    ) -> impl Iterator<Item = (usize, &'b [u32], Stretch)> {
        let Slab { junior, columns: (from, to) } = self.layout.slabs[slab];
        let mut externals = self.externals.starts[slab];
        (from..to).zip(BlockWords::all(words)).map(move |(column, block)| {
            let shape = self.shape(self.layout.columns[column], junior);
            let len = shape.len(&self.layout.ranks);
            let begin = shape.begin(externals);
            externals = begin + block.externals * len;
            let stretch = Stretch { externals: begin..externals, deltas: block.at..block.at + len };
            (column, block.sources, stretch)
        })
    }

    /// Returns all that a pass reads of some slabs.
    fn stretch(&self, slabs: Range<usize>) -> Stretch {
        let (first, last) = (self.layout.slabs[slabs.start], self.layout.slabs[slabs.end - 1]);
        let place = |column: usize| {
            let is_column = column < self.layout.columns.len();
            if is_column { self.layout.block(column) } else { self.layout.swept }
        };
        Stretch {
            externals: self.externals.starts[slabs.start]..self.externals.starts[slabs.end],
            deltas: place(first.columns.0)..place(last.columns.1),
        }
    }

    /// Returns a checksum of each slab's external values if they lie on a disk.
    pub(super) fn checksums(&self, externals: &[f64]) -> Vec<u64> {
        if !self.engine.spills.holds(OnDisk::ReadOnly) {
            return Vec::new();
        }
        let starts = &self.externals.starts;
        self.each(&self.holding.slabs, |slab| {
            let mut checksum = FxHasher::default();
            let values = &externals[starts[slab]..starts[slab + 1]];
            for value in values {
                checksum.write_u64(value.to_bits());
            }
            checksum.finish()
        })
    }

    /// Returns an error if external values are not what was written.
    pub(super) fn ensure_undamaged(&self, externals: &[f64]) -> Result<(), SolveError> {
        let is_undamaged = self.checksums(externals) == self.checksums;
        if is_undamaged { Ok(()) } else { Err(SolveError::Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::{Indexer, RuleSet};

    use super::*;
    use crate::dense::active_set::{ActiveSet, ActiveSetView};
    use crate::dense::backup::deltas::Deltas;
    use crate::dense::engine::DenseEngine;
    use crate::dense::engine::workspace::{Arrays, Spare};
    use crate::dense::layout::sublayer::DenseLayout;
    use crate::drive::iterate::Course;
    use crate::parallel::Sharing;
    use crate::simd::select::InstructionSet;

    fn each_sublayer(rules: &RuleSet, action: impl Fn(&DenseSublayer<'_>)) {
        let rules = rules.clone().compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        let engine = DenseEngine::new(&rules, &indexer, InstructionSet::best());
        for at in 0..indexer.sublayers().len() {
            let mut work = engine.laid_out(at, true, Course::of_certificate(Sharing::NoThreads));
            work.keep_successors().unwrap();
            action(&work);
        }
    }

    /// Returns the stretches of all slabs.
    fn stretches(work: &DenseSublayer<'_>, active: Option<ActiveSetView<'_>>) -> Vec<Stretch> {
        let deltas = Deltas::<f64>::Same(std::ptr::null_mut());
        let scratch = Spare::default();
        let mut arrays =
            Arrays { values: &mut [], externals: &[], deltas, limits: &[], scratch: &scratch };
        let view = work.view(&mut arrays, active);
        (0..work.layout.slabs.len()).flat_map(|slab| work.stretches(&view, slab)).collect()
    }

    #[test]
    fn each_slab_has_its_turn_level_by_level() {
        each_sublayer(&RuleSet::SIMPLE_UR.with_pieces(2), |work| {
            let DenseLayout { levels, order, turns, slabs, .. } = &work.layout;
            assert_eq!((order.len(), turns.len()), (slabs.len(), slabs.len()));
            for (turn, &slab) in levels.iter().flatten().enumerate() {
                assert_eq!((order[turn], turns[slab]), (slab, turn));
            }
        });
    }

    #[test]
    fn all_that_a_pass_over_every_block_reads_is_streamed_in_order() {
        each_sublayer(&RuleSet::SIMPLE_UR.with_pieces(2), |work| {
            let found = stretches(work, None);
            let (mut externals, mut deltas) = (0, 0);
            for stretch in found {
                assert_eq!((stretch.externals.start, stretch.deltas.start), (externals, deltas));
                (externals, deltas) = (stretch.externals.end, stretch.deltas.end);
            }
            assert_eq!((externals, deltas), (work.externals.len(), work.layout.swept));
        });
    }

    #[test]
    fn blocks_that_will_be_backed_up_are_streamed_and_none_if_there_are_none() {
        each_sublayer(&RuleSet::FINKEL.with_pieces(2), |work| {
            let mut set = ActiveSet::default();
            set.start(work.layout.columns.len());
            let slabs = 0..work.layout.slabs.len();
            let words: Vec<Vec<u32>> = slabs
                .clone()
                .map(|slab| work.successors_of(slab, &mut Vec::new()).unwrap().to_vec())
                .collect();
            let blocks: Vec<_> =
                slabs.flat_map(|slab| work.block_stretches(slab, &words[slab])).collect();
            for (column, sources, _) in &blocks {
                let active = set.view(1);
                let versions = active.poll(*column, sources).unwrap();
                active.mark_seen(*column, versions);
            }
            // In the next sweep but one, no block is due: none was backed up in the last sweep, and nothing has changed.
            let active = set.view(3);
            assert!(stretches(work, Some(active)).is_empty());
            active.changed(blocks.len() / 2);
            let found = stretches(work, Some(active));
            for (column, sources, needed) in &blocks {
                let is_streamed = found.iter().any(|stretch| {
                    stretch.externals.start <= needed.externals.start
                        && needed.externals.end <= stretch.externals.end
                        && stretch.deltas.start <= needed.deltas.start
                        && needed.deltas.end <= stretch.deltas.end
                });
                assert!(is_streamed || active.poll(*column, sources).is_none());
            }
        });
    }
}
