//! The values of a sublayer at work, shared by the threads that sweep it.
#![expect(unsafe_code, reason = "blocks of one level are backed up by several threads")]

use std::marker::PhantomData;
use std::ops::Range;

use puabi_core::Sublayer;

use super::layout::{BlockLayout, BoardBlock};
use super::pre::PreMoves;
use crate::drive::iterate::round_trip;
use crate::memory::buffer::Buffer;
use crate::memory::prefetch::prefetch;
use crate::memory::spill::{OnDisk, Spills};
use crate::simd::element::Element;
use crate::types::SolveError;

/// Light's chances, block by block in the order of sweeping: a value for each board with light about to roll, by dark's pre rank
/// and then light's, and as many with dark about to roll. Of bounds, all upper ones come first, and then all lower ones. If the
/// sublayer mirrors itself, the upper bound of an image is one less the lower bound of the block that it is the image of.
#[derive(Debug)]
pub(super) struct WorkingValues {
    cells: Buffer<f64>,
    /// The deltas of the values in the last sweep that recorded them.
    deltas: Buffer<f32>,
    /// The values of a level before a sweep came to it, for successors that are mirror images of the level's own blocks.
    before: Vec<f64>,
    /// The number of values of a side.
    len: usize,
}

impl WorkingValues {
    fn with_room(len: usize, sides: usize, spills: &Spills) -> Result<Self, SolveError> {
        let cells = Buffer::of_values(spills);
        let deltas = Buffer::new(spills.spill_for(OnDisk::Deltas));
        let mut values = Self { cells, deltas, before: Vec::new(), len };
        values.cells.reserve(sides * len)?;
        Ok(values)
    }

    /// Returns for each side where its values begin, and where the values begin that it reads for mirror images.
    fn sides(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let last = self.cells.as_slice().len().saturating_sub(self.len);
        [[0, last], [last, 0]].into_iter().take(1 + usize::from(last > 0))
    }

    /// Returns values that are all one half, with room for deltas.
    pub(super) fn new(layout: &BlockLayout, spills: &Spills) -> Result<Self, SolveError> {
        let mut values = Self::with_room(layout.values, 1, spills)?;
        values.make_room_for_deltas()?;
        values.cells.as_mut_slice().fill(0.5);
        Ok(values)
    }

    pub(super) fn make_room_for_deltas(&mut self) -> Result<(), SolveError> {
        self.deltas.reserve(self.cells.as_slice().len())
    }

    /// Gives back the memory of all but the values.
    pub(super) fn drop_deltas(&mut self) {
        (self.deltas, self.before) = (Buffer::default(), Vec::new());
    }

    /// Returns the values at some places.
    pub(super) fn at(&self, places: Range<usize>) -> &[f64] {
        &self.cells.as_slice()[places]
    }

    pub(super) fn at_mut(&mut self, places: Range<usize>) -> &mut [f64] {
        &mut self.cells.as_mut_slice()[places]
    }

    /// Moves a side's values at these places by `factor` times their last deltas.
    pub(super) fn extrapolate(&mut self, side: usize, places: Range<usize>, factor: f64) {
        let first = side * self.len;
        let places = first + places.start..first + places.end;
        let deltas = &self.deltas.as_slice()[places.clone()];
        for (cell, &step) in self.cells.as_mut_slice()[places].iter_mut().zip(deltas) {
            *cell += factor * f64::from(step);
        }
    }

    /// Rounds the values to those that come back once they are brought to index order. Values of decided games may have moved a
    /// little too far, and are brought back between 0 and 1. Bounds are not: they are to be too far.
    pub(super) fn round(&mut self, layout: &BlockLayout, pre: &PreMoves) {
        let cells = self.cells.as_mut_slice();
        if cells.len() == self.len {
            for cell in cells {
                *cell = cell.clamp(0.0, 1.0);
            }
        }
        for (block, at) in layout.all(pre) {
            let boards = pre.boards([block.light, block.dark]);
            for [first, images] in self.sides() {
                let cells = self.cells.as_mut_slice();
                for place in 0..boards {
                    let dark = first + at + boards + place;
                    // Index order holds a position of a block that mirrors itself once, with light to roll.
                    cells[dark] = if layout.is_halved && block.is_own_image() {
                        1.0 - cells[images + at + mirrored(pre, block, place)]
                    } else {
                        round_trip(cells[dark])
                    };
                }
            }
        }
    }

    /// Copies the values at these places before a sweep comes to them.
    pub(super) fn keep_before(&mut self, places: Range<usize>) {
        self.before.clear();
        self.before.extend_from_slice(&self.cells.as_slice()[places]);
    }

    /// Moves all values of the first side up and those of the second down.
    pub(super) fn move_sides_apart(&mut self, by: f64) {
        let (first, second) = self.cells.as_mut_slice().split_at_mut(self.len);
        for (first, second) in first.iter_mut().zip(second) {
            (*first, *second) = (*first + by, *second - by);
        }
    }

    /// Moves the second side's values at these places, which were copied before, as far as the first side's have moved since, but
    /// the other way.
    pub(super) fn move_other_side(&mut self, places: Range<usize>) {
        let (first, second) = self.cells.as_mut_slice().split_at_mut(self.len);
        let moved = first[places.clone()].iter().zip(&self.before);
        for (other, (now, before)) in second[places].iter_mut().zip(moved) {
            *other -= now - before;
        }
    }

    /// Returns a side's values for threads to share. The values at `level` were copied before.
    pub(super) fn share(&mut self, side: usize, level: Range<usize>) -> SharedValues<'_> {
        let len = self.len;
        let [first, images] = self.sides().nth(side).expect("there is such a side");
        let cells = self.cells.as_mut_slice().as_mut_ptr();
        SharedValues {
            cells: cells.wrapping_add(first),
            images: cells.wrapping_add(images).cast_const(),
            deltas: self.deltas.as_mut_slice().as_mut_ptr().wrapping_add(first),
            before: &self.before[..level.len()],
            level,
            len,
            values: PhantomData,
        }
    }

    /// Brings values from index order to the order of sweeps, once for each of `sides` sides. `place_of` returns where the value
    /// with an index is stored in `from`.
    pub(super) fn from_index_order(
        layout: &BlockLayout,
        pre: &PreMoves,
        sublayer: Sublayer,
        (from, place_of): (&[f64], impl Fn(usize) -> usize),
        (sides, spills): (usize, &Spills),
    ) -> Result<Self, SolveError> {
        let mut values = Self::with_room(layout.values, sides, spills)?;
        for (block, at) in layout.all(pre) {
            let boards = pre.boards([block.light, block.dark]);
            let cells = &mut values.cells.as_mut_slice()[at..at + 2 * boards];
            let (light, dark) = cells.split_at_mut(boards);
            // The values of each run are stored side by side.
            let [of_light, of_dark] = indices(sublayer, pre, block, 0);
            let [lights, darks] = [of_light, of_dark].map(|index| &from[place_of(index)..]);
            for (place, (light, dark)) in light.iter_mut().zip(dark).enumerate() {
                let [first, second] = indices(sublayer, pre, block, place);
                (*light, *dark) = (lights[first - of_light], 1.0 - darks[second - of_dark]);
            }
        }
        for side in 1..sides {
            values.cells.as_mut_slice().copy_within(..layout.values, side * layout.values);
        }
        Ok(values)
    }

    /// Brings the values to index order, as the chance of the player about to roll; of bounds, all of one side and then all of
    /// the other.
    pub(super) fn to_index_order(
        &self,
        layout: &BlockLayout,
        pre: &PreMoves,
        sublayer: Sublayer,
        ordered: &mut [f64],
    ) {
        let len = ordered.len() / self.sides().count();
        for (side, ordered) in ordered.chunks_exact_mut(len).enumerate() {
            self.each_run(side, layout.all(pre), pre, sublayer, |index, values| {
                ordered[index..index + values.len()].copy_from_slice(values);
            });
        }
    }

    /// Calls `action` with the values of a side in some blocks, as the chance of the player about to roll: each time with an
    /// index and the values from this index on.
    pub(super) fn each_run(
        &self,
        side: usize,
        blocks: impl Iterator<Item = (BoardBlock, usize)>,
        pre: &PreMoves,
        sublayer: Sublayer,
        mut action: impl FnMut(usize, &[f64]),
    ) {
        let [lights, images] = self.sides().nth(side).expect("there is such a side");
        let darks = if sublayer.is_mirror() { images } else { lights };
        let mut of_dark = Vec::new();
        for (block, at) in blocks {
            let boards = pre.boards([block.light, block.dark]);
            let cells = |first: usize| &self.cells.as_slice()[first..][..boards];
            let [first, second] = indices(sublayer, pre, block, 0);
            // Each position of such a block comes twice. Of its bounds, rounding keeps those with light about to roll to the bit.
            let is_own_image = lights != darks && block.is_own_image();
            if !is_own_image {
                of_dark.resize(boards, 0.0);
                for (place, dark) in cells(darks + at + boards).iter().enumerate() {
                    let to = indices(sublayer, pre, block, place)[1] - second;
                    of_dark[to] = 1.0 - dark;
                }
                action(second, &of_dark);
            }
            action(first, cells(lights + at));
        }
    }
}

/// Returns the indices of the values of a block with light about to roll, and of those with dark about to roll.
pub(super) fn runs(sublayer: Sublayer, pre: &PreMoves, block: BoardBlock) -> [Range<usize>; 2] {
    let boards = block.values(pre) / 2;
    indices(sublayer, pre, block, 0).map(|first| first..first + boards)
}

/// Returns the indices of a board, given by its place in a block, with light and with dark about to roll.
fn indices(sublayer: Sublayer, pre: &PreMoves, block: BoardBlock, place: usize) -> [usize; 2] {
    let [first, image] = [block.base(), block.image()]
        .map(|it| usize::try_from(it).expect("a sublayer fits memory"));
    let first = first + place;
    if !sublayer.is_mirror() {
        let half = usize::try_from(sublayer.half).expect("a sublayer fits memory");
        return [first, first + half];
    }
    [first, image + mirrored(pre, block, place)]
}

/// Returns the place of a board's mirror image in the image of its block.
fn mirrored(pre: &PreMoves, block: BoardBlock, place: usize) -> usize {
    let [lights, darks] = [block.light, block.dark].map(|all| pre.ways_at_most(all));
    place % lights * darks + place / lights
}

/// Values at work that threads share: each thread backs up blocks of its own, and reads no block that another backs up.
#[derive(Debug, Clone)]
pub(super) struct SharedValues<'a> {
    cells: *mut f64,
    /// The values that are read for mirror images: the same ones, or the bounds of the other side.
    images: *const f64,
    deltas: *mut f32,
    len: usize,
    /// The places of the level that is backed up now, and their values from before.
    level: Range<usize>,
    before: &'a [f64],
    values: PhantomData<&'a mut f64>,
}

// SAFETY: it is read and written through unsafe methods only, whose contracts keep threads to values of their own.
unsafe impl Sync for SharedValues<'_> {}

impl SharedValues<'_> {
    /// Returns the values from a place on. For mirror images in the level that is backed up now, these are the values from before
    /// it.
    ///
    /// # Safety
    ///
    /// `len` values from the place on are those of a block which no thread writes, or of the image of any block.
    #[inline]
    pub(super) unsafe fn read(&self, at: usize, len: usize, is_image: bool) -> &[f64] {
        if is_image && self.level.contains(&at) {
            return &self.before[at - self.level.start..][..len];
        }
        debug_assert!(at + len <= self.len);
        let cells = if is_image { self.images } else { self.cells.cast_const() };
        // SAFETY: the block lies within the buffer, and by the contract no thread writes it.
        unsafe { std::slice::from_raw_parts(cells.add(at), len) }
    }

    /// Returns where a value is stored. For a mirror image in the level that is backed up now, this is the value from before it.
    #[inline]
    pub(super) fn locate(&self, at: usize, is_image: bool) -> *const f64 {
        let from_level = at.wrapping_sub(self.level.start);
        // No branch: the processor cannot predict what is an image.
        let is_before = is_image & (from_level < self.before.len());
        let before = self.before.as_ptr().wrapping_add(from_level);
        let cells = if is_image { self.images } else { self.cells.cast_const() };
        if is_before { before } else { cells.wrapping_add(at) }
    }

    /// Prefetches the value at a place, if there is one.
    #[inline]
    pub(super) fn prefetch(&self, at: usize) {
        prefetch(self.cells.wrapping_add(at));
    }

    /// Returns a value.
    ///
    /// # Safety
    ///
    /// Its place is in a block which no other thread writes.
    #[inline]
    pub(super) unsafe fn get(&self, at: usize) -> f64 {
        debug_assert!(at < self.len);
        // SAFETY: the place lies within the buffer, and by the contract no other thread writes it.
        unsafe { self.cells.add(at).read() }
    }

    /// Renews a value.
    ///
    /// # Safety
    ///
    /// Its place is in a block which no other thread reads or writes.
    #[inline]
    pub(super) unsafe fn set(&self, at: usize, value: f64) {
        debug_assert!(at < self.len);
        // SAFETY: the place lies within the buffer, and by the contract no other thread reads or writes it.
        unsafe { self.cells.add(at).write(value) }
    }

    /// Records the delta of a value, and returns the one recorded before.
    ///
    /// # Safety
    ///
    /// As for [`SharedValues::set`], and there is room for deltas.
    #[inline]
    pub(super) unsafe fn record(&self, at: usize, step: f64) -> f64 {
        debug_assert!(at < self.len);
        // SAFETY: the place lies within the buffer, and by the contract no other thread reads or writes it.
        unsafe { self.deltas.add(at).replace(f32::from_f64(step)) }.into()
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::{Indexer, RuleSet};

    use super::*;
    use crate::general::layout::Purpose;

    /// A table is certified by the values that it was made of, so these must be what comes back from it.
    #[test]
    fn rounded_values_come_back_from_index_order_with_the_same_bits() {
        for rules in [RuleSet::SKIRIUK, RuleSet::DMYTRO, RuleSet::MURRAY] {
            let rules = rules.with_pieces(2).compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let (pre, spills) = (PreMoves::new(&rules, &indexer), Spills::default());
            for &sublayer in indexer.sublayers() {
                let layout = BlockLayout::new(&indexer, &pre, sublayer, Purpose::Solve);
                let mut values = WorkingValues::new(&layout, &spills).unwrap();
                for (at, cell) in values.at_mut(0..layout.values).iter_mut().enumerate() {
                    // Some need more digits than their difference from one has.
                    *cell = (1.0 + (at % 97) as f64) / (101.0 + (at % 1009) as f64);
                }
                values.round(&layout, &pre);
                let mut ordered = vec![f64::NAN; usize::try_from(sublayer.len()).unwrap()];
                values.to_index_order(&layout, &pre, sublayer, &mut ordered);
                let back = WorkingValues::from_index_order(
                    &layout,
                    &pre,
                    sublayer,
                    (&ordered, |index| index),
                    (1, &spills),
                );
                let places = 0..layout.values;
                assert!(back.unwrap().at(places.clone()) == values.at(places));
            }
        }
    }
}
