//! Brings values from the order of sweeps, in which they are the senior's chance, to index order and back.
#![expect(unsafe_code, reason = "several threads write values in places of their own")]

use std::ops::Range;

use super::DenseSublayer;
use super::mirror::opposite;
use crate::dense::successors::external::index_of_block;
use crate::drive::divided::{Division, WantedPages};
use crate::drive::engine::{Certify, Finished};
use crate::memory::buffer::Buffer;
use crate::memory::disjoint_slice::DisjointSlice;
use crate::types::SolveError;

/// A position of a block with the senior about to roll.
struct Place {
    /// Its place in the block.
    at: usize,
    /// Its index, counted from the first index of the block.
    index: usize,
    /// The index of the same board with the junior about to roll, counted from the first such index of the block. In a sublayer
    /// that mirrors itself this is the position with the sides exchanged.
    image: usize,
}

impl DenseSublayer<'_> {
    /// Brings the values that this rank sweeps to index order, as the chance of the player about to roll.
    pub(super) fn to_index_order(&self, values: &[f64], ordered: &mut [f64]) {
        let to = DisjointSlice::new(ordered);
        let (senior_values, junior_values) = values.split_at(self.layout.len);
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            // SAFETY: blocks hold different positions. In a sublayer that mirrors itself, the images of the swept blocks hold yet
            // other positions if half of the blocks are swept; otherwise they hold the same ones, and are not written.
            let set = |index: usize, value: f64| unsafe { to.set(index, value) };
            let [first, image] = self.runs(senior, junior).map(|run| run.start);
            self.places(senior, junior, |place| {
                set(first + place.index, senior_values[at + place.at]);
                if self.layout.positions_of_slot(senior, junior) == 2 {
                    set(image + place.image, opposite(junior_values[at + place.at]));
                }
            });
        });
    }

    /// Returns the values that this rank sweeps in index order, in memory.
    pub(super) fn in_index_order(&self, values: &[f64]) -> Box<[f64]> {
        let mut ordered = vec![0.0; self.layout.sublayer.len() as usize].into_boxed_slice();
        self.to_index_order(values, &mut ordered);
        ordered
    }

    /// Brings the values of a sublayer that mirrors itself with its junior about to roll to index order, as the junior's chance.
    /// They differ from the others if the two players are not offered the same, and if they are bounds.
    pub(super) fn to_index_order_of_junior(&self, values: &[f64], ordered: &mut [f64]) {
        let to = DisjointSlice::new(ordered);
        let junior_values = &values[self.layout.len..];
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            let [_, image] = self.runs(senior, junior).map(|run| run.start);
            self.places(senior, junior, |place| {
                // SAFETY: positions have different images.
                unsafe { to.set(image + place.image, opposite(junior_values[at + place.at])) };
            });
        });
    }

    /// Writes the limits that offers set. The functions `chances`, for the senior and the junior, return what this side is
    /// offered when it is about to roll, by index in the sublayer.
    pub(super) fn fill_limits(
        &self,
        chances: [&(dyn Fn(usize) -> f64 + Sync); 2],
        limits: &mut [f64],
    ) {
        limits.fill(0.5);
        let to = DisjointSlice::new(limits);
        let [of_senior, of_junior] = chances;
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            let [first, image] = self.runs(senior, junior).map(|run| run.start);
            self.places(senior, junior, |place| {
                let [chance, other] =
                    [of_senior(first + place.index), of_junior(image + place.image)];
                // SAFETY: blocks do not overlap, and each is taken once with either side about to roll.
                unsafe {
                    to.set(at + place.at, chance);
                    to.set(self.layout.swept + at + place.at, opposite(other));
                }
            });
        });
    }

    /// Writes values that have places in the order of sweeps, except mirror images. The values `ordered` are in index order, and
    /// `place_of` returns where the value with an index is stored among them.
    pub(super) fn fill_from(
        &self,
        (ordered, place_of): (&[f64], impl Fn(usize) -> usize + Sync),
        values: &mut [f64],
    ) {
        self.fill_start(values);
        let values = DisjointSlice::new(values);
        self.each_block(&self.layout.order, |at, _, [senior, junior]| {
            // SAFETY: blocks do not overlap, and each is taken once with either side about to roll.
            let set = |at: usize, value: f64| unsafe { values.set(at, value) };
            // The values of each run are stored side by side.
            let runs = self.runs(senior, junior);
            let [first, images] = runs.map(|run| &ordered[place_of(run.start)..][..run.len()]);
            self.places(senior, junior, |place| {
                set(at + place.at, first[place.index]);
                set(self.layout.len + at + place.at, opposite(images[place.image]));
            });
        });
    }

    /// Returns the settled values in index order; among ranks, the part of this rank.
    pub(super) fn part_in_index_order(&self, values: &[f64]) -> Result<Buffer<f64>, SolveError> {
        let (DenseSublayer { engine, layout, .. }, ranks) = (self, self.holding.ranks);
        let division = Division::new(&layout.sublayer, ranks.count());
        let mut ordered = engine.room(division.part(ranks.rank()).len() as u64)?;
        let part = ordered.as_mut_slice();
        if ranks.is_alone() {
            self.to_index_order(values, part);
        } else {
            let each_run = |level: usize, action: &mut dyn FnMut(usize, &[f64])| {
                self.each_run(values, &self.holding.levels[level], action);
            };
            division.gather(ranks, layout.levels.len(), part, each_run);
        }
        Ok(ordered)
    }

    /// Calls `action` with the values of the blocks of some slabs, as the chance of the player about to roll: each time with an
    /// index and the values from this index on.
    fn each_run(&self, values: &[f64], slabs: &[usize], action: &mut dyn FnMut(usize, &[f64])) {
        let (senior_values, junior_values) = values.split_at(self.layout.len);
        let mut ordered = [Vec::new(), Vec::new()];
        for &slab in slabs {
            let columns = self.layout.slabs[slab].columns.0..;
            for (column, (senior, junior)) in columns.zip(self.layout.slab_blocks(slab)) {
                let at = self.layout.placed(column).expect("what is swept has a place");
                let runs = self.runs(senior, junior);
                for (values, run) in ordered.iter_mut().zip(&runs) {
                    values.resize(run.len(), 0.0);
                }
                self.places(senior, junior, |place| {
                    ordered[0][place.index] = senior_values[at + place.at];
                    ordered[1][place.image] = opposite(junior_values[at + place.at]);
                });
                action(runs[0].start, &ordered[0]);
                if self.layout.positions_of_slot(senior, junior) == 2 {
                    action(runs[1].start, &ordered[1]);
                }
            }
        }
    }

    /// Fetches the settled values of this sublayer, which is the one at `at`, that have places here, if other ranks have some of
    /// them.
    pub(super) fn fetch_settled(
        &self,
        at: usize,
        finished: &impl Finished,
    ) -> Result<(), SolveError> {
        if self.holding.is_alone() {
            return Ok(());
        }
        let wanted = WantedPages::none(self.engine.indexer.sublayers(), [at]);
        self.each_block(&self.layout.order, |_, _, [senior, junior]| {
            self.runs(senior, junior).into_iter().for_each(|run| wanted.insert(at, run));
        });
        finished.fetch(&wanted)
    }

    /// Returns the indices of a block's positions with the senior about to roll, and with the junior about to roll. In a sublayer
    /// that mirrors itself the latter are the positions with the sides exchanged.
    fn runs(&self, senior: u32, junior: u32) -> [Range<usize>; 2] {
        let DenseSublayer { engine, layout, .. } = self;
        let of_block = |masks| index_of_block(&engine.tables, engine.indexer, layout, masks);
        let first = of_block([senior, junior]);
        let other = if layout.sublayer.is_mirror() {
            of_block([junior, senior])
        } else {
            first + layout.sublayer.half as usize
        };
        let [row, column] = self.ways([senior, junior]);
        [first, other].map(|at| at..at + row * column)
    }

    /// Returns the numbers of pre ranks of the senior and of the junior in a block.
    fn ways(&self, masks: [u32; 2]) -> [usize; 2] {
        let DenseSublayer { engine, layout, .. } = self;
        let ways = |side: usize| {
            let left = layout.movable[side] - engine.tables.masks.count(masks[side]);
            engine.indexer.pre_index().ways_at_most(left) as usize
        };
        [ways(0), ways(1)]
    }

    /// Calls `action` with each position of a block.
    fn places(&self, senior: u32, junior: u32, mut action: impl FnMut(Place)) {
        let layout = &self.layout;
        let is_mirror = layout.sublayer.is_mirror();
        let [row, image_row] = self.ways([senior, junior]);
        let (shape, ranks) = (self.shape(senior, junior), &layout.ranks);
        for [senior, junior] in shape.masks(ranks) {
            let at = shape.place(ranks, senior, junior);
            let (senior, junior) = (ranks.rank(senior), ranks.rank(junior));
            let index = junior * row + senior;
            let image = if is_mirror { senior * image_row + junior } else { index };
            action(Place { at, index, image });
        }
    }
}
