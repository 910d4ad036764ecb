//! The backups of one slab, block by block and row by row.
//!
//! For a given configuration every move of a shared piece leads all values of a block to the same places of another, so
//! the best of them is a handful of vector loads and maxima. Moves of pieces on pre squares exchange slots or rows. No
//! successor of a single position is stored. See `docs/method.md`.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use std::ops::Range;

use crate::dense::backup::dispatch::pass_rows;
use crate::dense::backup::inputs::{BlockInputs, ROWS, SLOTS};
use crate::dense::backup::reduce::reduce_best;
use crate::dense::backup::roll_sum::RollSum;
use crate::dense::backup::row::{Bests, FromNarrow, FromWide, Narrow, Row, Single, Wide};
use crate::dense::backup::view::SweepView;
use crate::dense::layout::block::{BLOCK, BlockShape, PreMask, Ranks};
use crate::dense::layout::masks::THROWS;
use crate::dense::layout::sublayer::Slab;
use crate::dense::successors::packed::BlockWords;
use crate::drive::statistics::{Mode, Tally};
use crate::mover::{Junior, Mover, Senior};
use crate::simd::vector::{Element, Vector};

/// What a pass works with beside the view; kept for the next pass.
#[derive(Debug)]
pub(crate) struct Scratch<T> {
    inputs: BlockInputs<T>,
    bests: Box<SharedBests<T>>,
    /// By pieces left to place: one in the slots of masks that they can make, zero in the others.
    valid: [[T; 16]; 5],
    /// The successors of one slab, if they are not kept.
    pub(crate) words: Vec<u32>,
}

impl<T: Element> Scratch<T> {
    pub(crate) fn new(ranks: &Ranks) -> Self {
        let mut valid = [[T::from_f64(0.0); 16]; 5];
        for (left, valid) in (0..).zip(&mut valid) {
            for at in ranks.masks(left) {
                valid[at.slot] = T::from_f64(1.0);
            }
        }
        let bests = Box::new(SharedBests([[[T::from_f64(0.0); BLOCK]; THROWS]; 2]));
        Self { inputs: BlockInputs::new(), bests, valid, words: Vec::new() }
    }
}

/// The best shared or external move of each value, by side and throw.
#[derive(Debug)]
#[repr(align(64))]
struct SharedBests<T>([[[T; BLOCK]; THROWS]; 2]);

/// Running sums of a block, slot by slot.
struct Sums<T, const N: usize> {
    change: Vector<T, N>,
    along: Vector<T, N>,
    square: Vector<T, N>,
    dead: Vector<T, N>,
}

/// One block at work.
pub(crate) struct BlockBackup<'a, T> {
    view: &'a SweepView<'a, T>,
    inputs: &'a BlockInputs<T>,
    bests: &'a mut SharedBests<T>,
    valid: &'a [[T; 16]; 5],
    reads: &'a [u32],
    at: usize,
    shape: BlockShape,
    mode: Mode,
}

/// Evaluates an expression for every throw, each known when this is compiled: sums then stay in registers.
macro_rules! each_throw {
    ($throw:ident, $action:expr) => {
        each_throw!(@ $throw, $action, 0, 1, 2, 3);
    };
    (@ $throw:ident, $action:expr, $($number:literal),*) => {
        $({
            let $throw: usize = $number;
            $action
        })*
    };
}

/// In these methods `M` is the slot side, and `R` the rows of `N` slots that blocks of this shape have.
///
/// The maker of a [`BlockBackup`] promises what [`pass`] asks for: the view has this block of `shape.len` values at `at`,
/// the inputs were read for it, no other thread reads or writes the block and none writes the inputs.
impl<T: Element> BlockBackup<'_, T> {
    /// Backs up every row of the block, by its shape.
    fn pass(&mut self) -> Tally {
        let instructions = self.view.instructions;
        match (self.shape.slot_left, self.shape.swapped) {
            (0, _) => pass_rows::<T, Single, Senior, 1>(instructions, self),
            (1, false) => pass_rows::<T, Narrow, Senior, 8>(instructions, self),
            (1, true) => pass_rows::<T, Narrow, Junior, 8>(instructions, self),
            (2, false) => pass_rows::<T, Wide<FromNarrow>, Senior, 16>(instructions, self),
            (2, true) => pass_rows::<T, Wide<FromNarrow>, Junior, 16>(instructions, self),
            (_, false) => pass_rows::<T, Wide<FromWide>, Senior, 16>(instructions, self),
            (_, true) => pass_rows::<T, Wide<FromWide>, Junior, 16>(instructions, self),
        }
    }

    /// Backs up every row; each slot of a row is one of the slot side's pre masks.
    #[inline(always)]
    pub(crate) fn pass_rows<R: Row<T, N>, M: Mover, const N: usize>(&mut self) -> Tally {
        self.reduce_shared_moves::<M, N>();
        let zero = Vector::splat(0.0);
        let mut sums = Sums { change: zero, along: zero, square: zero, dead: zero };
        let valid = &self.valid[usize::from(self.shape.slot_left.min(4))];
        let valid = Vector(*valid.first_chunk().expect("a row has sixteen slots at most"));
        for &at in self.view.layout.ranks.masks(self.shape.row_left) {
            self.back_up::<R, M, N>(at, valid, &mut sums);
        }
        self.tally(&sums)
    }

    #[inline(always)]
    fn reduce_shared_moves<M: Mover, const N: usize>(&mut self) {
        let len = self.shape.len(&self.view.layout.ranks);
        for throw in 0..THROWS {
            let slots = self.inputs.choice(self.view, self.reads, SLOTS, throw);
            let rows = self.inputs.choice(self.view, self.reads, ROWS, throw);
            // SAFETY: the inputs of throws are blocks of this shape, or copied into it, which no thread writes: `len`
            // values each.
            unsafe {
                reduce_best::<T, M, N>(slots, &mut self.bests.0[SLOTS][throw][..len]);
                reduce_best::<T, M::Opponent, N>(rows, &mut self.bests.0[ROWS][throw][..len]);
            }
        }
    }

    /// Returns the best shared or external moves of a row.
    #[inline(always)]
    fn shared_bests<const N: usize>(&self, side: usize, throw: usize, at: PreMask) -> Vector<T, N> {
        Vector(self.bests.0[side][throw].as_chunks().0[at.rank])
    }

    /// Backs up one row with either side about to roll.
    #[inline(always)]
    fn back_up<R: Row<T, N>, M: Mover, const N: usize>(
        &mut self,
        at: PreMask,
        valid: Vector<T, N>,
        sums: &mut Sums<T, N>,
    ) {
        let zero = Vector::splat(0.0);
        let place = self.at + at.rank * N;
        let (slots_roll, rows_roll) = M::pair(self.view.senior, self.view.junior);
        let (slots_roll, rows_roll) =
            (slots_roll.wrapping_add(place), rows_roll.wrapping_add(place));
        // SAFETY: the row of `at` lies in the block, once with either side about to roll.
        let (old_slots, old_rows) = unsafe { (Vector::load(slots_roll), Vector::load(rows_roll)) };
        let rows = self.sum_row_rolls::<M, N>(at);
        if self.mode == Mode::Residual {
            return self.measure::<R, M, N>(at, (old_slots, old_rows), rows, valid, sums);
        }
        let fresh_rows = zero.if_less(valid, rows.with_pass(old_slots), old_rows);
        let backed_up = self.back_up_slots::<R, M, N>(at, old_slots, (fresh_rows, rows), valid);
        let new_slots = zero.if_less(valid, backed_up, old_slots);
        let new_rows = zero.if_less(valid, rows.with_pass(new_slots), old_rows);
        // SAFETY: as above, and no other thread has the block.
        unsafe {
            new_slots.store(slots_roll);
            new_rows.store(rows_roll);
        }
        let (slots_delta, rows_delta) = (new_slots - old_slots, new_rows - old_rows);
        sums.change = sums.change.max(slots_delta.abs()).max(rows_delta.abs());
        if matches!(self.mode, Mode::Record | Mode::Compare) {
            let (senior, junior) = M::pair(slots_delta, rows_delta);
            self.record(place, senior, sums);
            self.record(self.view.layout.swept + place, junior, sums);
        }
    }

    /// Returns the values with the slot side about to roll, given those from before. `fresh_rows` are the values with the
    /// row side about to roll as far as they are known, and `rows` that side's rolls.
    #[inline(always)]
    fn back_up_slots<R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        old: Vector<T, N>,
        (fresh_rows, rows): (Vector<T, N>, RollSum<T, N>),
        valid: Vector<T, N>,
    ) -> Vector<T, N> {
        let bests = self.slot_bests::<R, M, N>(at, fresh_rows);
        let slots = self.sum_slot_rolls::<R, M, N>(bests, old);
        // A move to a pre square that grants a roll leads to a slot of this row that is itself backed up now.
        let ahead = Vector::splat(0.0).if_less(valid, slots.with_pass(fresh_rows), old);
        let slots = self.sum_slot_rolls::<R, M, N>(bests, ahead);
        if self.mode == Mode::Polish {
            slots.with_pass(fresh_rows)
        } else {
            slots.solve_pass_pair(rows)
        }
    }

    /// Sums the rolls of the row side.
    #[inline(always)]
    fn sum_row_rolls<M: Mover, const N: usize>(&self, at: PreMask) -> RollSum<T, N> {
        let tables = self.view.tables;
        let hand = at.mask.count_ones() < u32::from(self.shape.row_left);
        let mut sum = RollSum::start(tables.zero_chance);
        each_throw!(throw, {
            let mut best = self.shared_bests(ROWS, throw, at);
            for row_move in self.view.row_moves.of(hand, at.mask, throw) {
                let block = self.inputs.by_row_move[usize::from(row_move.input)];
                let row = block.wrapping_add(usize::from(row_move.rank) * N);
                // SAFETY: the block has rows as this one, and the row of each mask that a move leads to.
                best = best.zip(unsafe { Vector::load(row) }, M::Opponent::better);
            }
            sum = sum.add_roll::<M::Opponent>(best, tables.chances[throw]);
        });
        sum
    }

    /// Returns the best moves of the slot side by throw, but for those to a pre square that grants a roll.
    #[inline(always)]
    fn slot_bests<R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        own_rows: Vector<T, N>,
    ) -> Bests<T, N> {
        let mut bests = [Vector::splat(0.0); THROWS];
        each_throw!(throw, bests[throw] = self.shared_bests(SLOTS, throw, at));
        // SAFETY: the inputs were read for this block, whose rows are `R`.
        unsafe { R::take_moves::<M>(&mut bests, own_rows, at, self.inputs) };
        bests
    }

    /// Sums the rolls of the slot side.
    #[inline(always)]
    fn sum_slot_rolls<R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        mut bests: Bests<T, N>,
        own_slots: Vector<T, N>,
    ) -> RollSum<T, N> {
        let tables = self.view.tables;
        R::take_rosette::<M>(&mut bests, own_slots);
        let mut sum = RollSum::start(tables.zero_chance);
        each_throw!(throw, sum = sum.add_roll::<M>(bests[throw], tables.chances[throw]));
        sum
    }

    /// Compares a row, with the slot side and with the row side about to roll, with its backup.
    #[inline(always)]
    fn measure<R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        (old_slots, old_rows): (Vector<T, N>, Vector<T, N>),
        rows: RollSum<T, N>,
        valid: Vector<T, N>,
        sums: &mut Sums<T, N>,
    ) {
        let (zero, one) = (Vector::splat(0.0), Vector::splat(1.0));
        let bests = self.slot_bests::<R, M, N>(at, old_rows);
        let slots = self.sum_slot_rolls::<R, M, N>(bests, old_slots);
        let dead = zero.if_less(slots.moves(rows), zero, one);
        sums.dead = sums.dead + zero.if_less(valid, dead, zero);
        // A sublayer that mirrors itself holds each position twice, once with either side as the senior: the senior about
        // to roll is all there is. Where half its blocks are swept, both sides of these are.
        let layout = self.view.layout;
        let is_held_twice = layout.sublayer.is_mirror() && !layout.halved;
        if !is_held_twice || M::IS_SENIOR {
            let off = (slots.with_pass(old_rows) - old_slots).abs();
            sums.change = sums.change.max(zero.if_less(valid, off, zero));
        }
        if !is_held_twice || !M::IS_SENIOR {
            let off = (rows.with_pass(old_slots) - old_rows).abs();
            sums.change = sums.change.max(zero.if_less(valid, off, zero));
        }
    }

    /// Keeps the deltas of a row.
    #[inline(always)]
    fn record<const N: usize>(&self, at: usize, delta: Vector<T, N>, sums: &mut Sums<T, N>) {
        let place = self.view.deltas.wrapping_add(at);
        if self.mode == Mode::Compare {
            // SAFETY: deltas have places as the values that are swept have, and this block's are this thread's.
            let before = unsafe { Vector::load(place) };
            let turn = delta - before;
            sums.along = sums.along + before * turn;
            sums.square = sums.square + turn * turn;
        }
        // SAFETY: as above.
        unsafe { delta.store(place) };
    }

    /// Returns a block's sums over all slots.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "dead is a count")]
    fn tally<const N: usize>(&self, sums: &Sums<T, N>) -> Tally {
        let mut tally = Tally::default();
        for change in sums.change.wide() {
            tally.change = if change > tally.change { change } else { tally.change };
        }
        if self.mode == Mode::Compare {
            tally.along = sums.along.wide().sum();
            tally.square = sums.square.wide().sum();
        }
        if self.mode == Mode::Residual {
            let sides = if self.view.layout.sublayer.is_mirror() { 1 } else { 2 };
            tally.dead = sides * sums.dead.wide().sum::<f64>() as u64;
        }
        tally
    }
}

/// Passes over the slab at `at` with these successors.
///
/// # Safety
///
/// The view's buffers are those of its layout and the words the slab's successors in it. No other thread reads or writes
/// the slab's blocks or their deltas, or writes what the words lead to, until this returns.
pub(crate) unsafe fn pass<T: Element>(
    view: &SweepView<'_, T>,
    (at, words): (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    let Slab { junior, columns, .. } = view.layout.slabs[at];
    let mut tally = Tally::default();
    let mut externals = view.externals.starts[at];
    let mut rest = words;
    for number in columns.0..columns.1 {
        let (block, next) = BlockWords::split(rest);
        rest = next;
        let shape = view.layout.shape(view.tables, view.layout.columns[number], junior);
        let places = block.at..block.at + shape.len(&view.layout.ranks);
        externals = shape.begin(externals);
        // SAFETY: the words of the slab come in the order of its blocks, and so do their external values; nobody else has
        // the block or writes what it reads, as the caller promises.
        unsafe {
            if is_to_do(view, number, block.sources, mode, places.clone()) {
                view.prefetch_block(places.clone(), mode);
                let values = view.external_values.wrapping_add(externals);
                scratch.inputs.read(view, (shape, block.at), block.reads, values);
                if number + 1 < columns.1 {
                    view.prefetch_copies(BlockWords::split(rest).0.reads);
                }
                let found = pass_block(view, shape, block, mode, scratch);
                note(view, number, mode, found);
                tally = tally.and(found);
            }
        }
        externals += block.externals * places.len();
    }
    tally
}

/// Notes what the backup of a block has found.
#[inline(always)]
fn note<T>(view: &SweepView<'_, T>, number: usize, mode: Mode, found: Tally) {
    let Some(active) = view.active else { return };
    if found.change > 0.0 {
        active.changed(number);
    }
    if mode == Mode::Compare {
        active.seems_further(number, found.further());
    }
}

/// Returns whether a block is backed up; marks it seen then, and makes its last deltas zero if it was at rest.
///
/// # Safety
///
/// As for [`pass`]; the sources and places are those of this block.
#[inline(always)]
unsafe fn is_to_do<T: Element>(
    view: &SweepView<'_, T>,
    number: usize,
    sources: &[u32],
    mode: Mode,
    places: Range<usize>,
) -> bool {
    let Some(active) = view.active else { return true };
    let Some(versions) = active.poll(number, sources) else { return false };
    if !active.mark_seen(number, versions) && mode == Mode::Compare {
        // SAFETY: sweeps that compare have room for the deltas of all blocks, and this block is the caller's.
        unsafe { view.clear_deltas(places) };
    }
    true
}

/// Passes over a block whose inputs have been read.
///
/// # Safety
///
/// As for [`pass`].
#[inline(always)]
unsafe fn pass_block<T: Element>(
    view: &SweepView<'_, T>,
    shape: BlockShape,
    BlockWords { at, reads, .. }: BlockWords<'_>,
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    let Scratch { inputs, bests, valid, .. } = scratch;
    let mut block = BlockBackup { view, inputs, bests, valid, reads, at, shape, mode };
    block.pass()
}
