//! Values between the order of sweeps, in which they are the senior's chance, and the order of the index.
#![expect(unsafe_code, reason = "several threads write values in places of their own")]

use std::ops::Range;

use super::DenseSublayer;
use super::mirror::opposite;
use crate::dense::successors::external::index_of_block;
use crate::memory::disjoint_slice::DisjointSlice;

/// A position of a block with the senior about to roll.
struct Place {
    /// Its place in the block.
    at: usize,
    /// Its index in the sublayer, and that of the position with the sides exchanged if the sublayer mirrors itself.
    index: usize,
    image: usize,
}

impl DenseSublayer<'_> {
    /// Brings the values that this rank sweeps to index order, as the chance of the player about to roll.
    pub(super) fn to_index_order(&self, values: &[f64], ordered: &mut [f64]) {
        let to = DisjointSlice::new(ordered);
        let (senior_values, junior_values) = values.split_at(self.layout.len);
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            // SAFETY: blocks hold different positions. In a sublayer that mirrors itself the images of those that are
            // swept are others again, if half of them are swept; or else the same ones, which are not written as images.
            let set = |index: usize, value: f64| unsafe { to.set(index, value) };
            self.places(senior, junior, |place| {
                set(place.index, senior_values[at + place.at]);
                if self.layout.positions_of_slot(senior, junior) == 2 {
                    set(place.image, opposite(junior_values[at + place.at]));
                }
            });
        });
    }

    /// Returns them in memory.
    pub(super) fn in_index_order(&self, values: &[f64]) -> Box<[f64]> {
        let mut ordered = vec![0.0; self.layout.sublayer.len() as usize].into_boxed_slice();
        self.to_index_order(values, &mut ordered);
        ordered
    }

    /// Returns the values of a sublayer that mirrors itself with its junior about to roll, in index order, as the junior's
    /// chance: the chance of the player who is not the senior, if both play by other rules.
    pub(super) fn to_index_order_of_junior(&self, values: &[f64]) -> Box<[f64]> {
        let mut ordered = vec![0.0; self.layout.sublayer.len() as usize].into_boxed_slice();
        let to = DisjointSlice::new(&mut ordered);
        let junior_values = &values[self.layout.len..];
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            self.places(senior, junior, |place| {
                // SAFETY: positions have different images.
                unsafe { to.set(place.image, opposite(junior_values[at + place.at])) };
            });
        });
        ordered
    }

    /// Writes what players are offered: of `chances`, the senior's and the junior's, each gives what its side can have about
    /// to roll at an index in the sublayer.
    pub(super) fn fill_limits(
        &self,
        chances: [&(dyn Fn(usize) -> f64 + Sync); 2],
        limits: &mut [f64],
    ) {
        limits.fill(0.5);
        let to = DisjointSlice::new(limits);
        let [of_senior, of_junior] = chances;
        self.each_block(&self.holding.slabs, |at, _, [senior, junior]| {
            self.places(senior, junior, |place| {
                // SAFETY: blocks do not overlap, and each is taken once with either side about to roll.
                unsafe {
                    to.set(at + place.at, of_senior(place.index));
                    to.set(self.layout.swept + at + place.at, opposite(of_junior(place.image)));
                }
            });
        });
    }

    /// Brings values that have places from index order into that of sweeps, without their mirror images.
    pub(super) fn fill_from(&self, ordered: &[f64], values: &mut [f64]) {
        self.fill_start(values);
        let values = DisjointSlice::new(values);
        self.each_block(&self.layout.order, |at, _, [senior, junior]| {
            // SAFETY: blocks do not overlap, and each is taken once with either side about to roll.
            let set = |at: usize, value: f64| unsafe { values.set(at, value) };
            self.places(senior, junior, |place| {
                set(at + place.at, ordered[place.index]);
                set(self.layout.len + at + place.at, opposite(ordered[place.image]));
            });
        });
    }

    /// Brings all values in index order to every rank, given those that each sweeps.
    pub(super) fn gather(&self, ordered: &mut [f64]) {
        let ranks = self.holding.ranks;
        if ranks.is_alone() {
            return;
        }
        // Level by level, so that what is under way takes little memory.
        for level in &self.layout.levels {
            let mut own = Vec::new();
            for run in self.runs(level, ranks.rank()) {
                own.extend_from_slice(bytemuck::cast_slice(&ordered[run]));
            }
            let taken = ranks.swap(|it| &it.finished, vec![own; ranks.count()]);
            for (holder, bytes) in taken.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
                let mut rest = &bytes[..];
                for run in self.runs(level, holder) {
                    let to: &mut [u8] = bytemuck::cast_slice_mut(&mut ordered[run]);
                    let (these, others) = rest.split_at(to.len());
                    to.copy_from_slice(these);
                    rest = others;
                }
            }
        }
    }

    /// Returns where the positions of the blocks of some slabs that one rank holds lie in index order: those of a block side by
    /// side with either side about to roll.
    fn runs<'b>(
        &'b self,
        slabs: &'b [usize],
        holder: usize,
    ) -> impl Iterator<Item = Range<usize>> + 'b {
        let held = slabs.iter().filter(move |slab| self.holding.holders[**slab] == holder);
        let blocks = held.flat_map(|&slab| self.layout.slab_blocks(slab));
        blocks.flat_map(|(senior, junior)| {
            let DenseSublayer { engine, layout, .. } = self;
            let of_block = |masks| index_of_block(&engine.tables, engine.indexer, layout, masks).0;
            let first = of_block((senior, junior));
            let other = match layout.positions_of_slot(senior, junior) {
                1 => None,
                _ if layout.sublayer.is_mirror() => Some(of_block((junior, senior))),
                _ => Some(first + layout.sublayer.half as usize),
            };
            let shape = self.shape(senior, junior);
            let [slots, rows] =
                [shape.slot_left, shape.row_left].map(|left| layout.ranks.masks(left).len());
            [Some(first), other].into_iter().flatten().map(move |at| at..at + slots * rows)
        })
    }

    /// Calls `action` with each position of a block.
    fn places(&self, senior: u32, junior: u32, mut action: impl FnMut(Place)) {
        let DenseSublayer { engine, layout, .. } = self;
        let of_block = |masks| index_of_block(&engine.tables, engine.indexer, layout, masks);
        let is_mirror = layout.sublayer.is_mirror();
        let (first, row) = of_block((senior, junior));
        let (first_image, image_row) = if is_mirror { of_block((junior, senior)) } else { (0, 0) };
        let (shape, ranks) = (self.shape(senior, junior), &layout.ranks);
        for [senior, junior] in shape.masks(ranks) {
            let at = shape.place(ranks, senior, junior);
            let (senior, junior) = (ranks.rank(senior), ranks.rank(junior));
            let index = first + junior * row + senior;
            let image = if is_mirror {
                first_image + senior * image_row + junior
            } else {
                index + layout.sublayer.half as usize
            };
            action(Place { at, index, image });
        }
    }
}
