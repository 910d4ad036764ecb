//! The backups of one block, row by row.
//!
//! For a given configuration every move of a shared piece leads all values of a block to the same places of another block, so the
//! best of these moves takes a few vector loads and maxima. Moves of pieces on pre squares exchange slots or rows. No successor
//! of a single position is stored. See `docs/method.md`.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use crate::dense::backup::inputs::{BlockInputs, ROWS, SLOTS};
use crate::dense::backup::reduce::reduce_best;
use crate::dense::backup::roll_sum::RollSum;
use crate::dense::backup::row::{Bests, Row};
use crate::dense::backup::view::SweepView;
use crate::dense::layout::block::{BLOCK, BlockShape, PreMask};
use crate::dense::layout::masks::THROWS;
use crate::drive::statistics::{Mode, Tally};
use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Registers;
use crate::simd::vector::Vector;

/// For each value of a block: the best value that a shared or external move leads to, by side and throw.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct SharedBests<T>([[[T; BLOCK]; THROWS]; 2]);

impl<T: Element> SharedBests<T> {
    pub(crate) fn new() -> Self {
        Self([[[T::from_f64(0.0); BLOCK]; THROWS]; 2])
    }
}

/// Running sums of a block, slot by slot.
struct Sums<I, T, const N: usize> {
    change: Vector<I, T, N>,
    along: Vector<I, T, N>,
    square: Vector<I, T, N>,
    dead: Vector<I, T, N>,
}

/// The limits that offers set to the values of a row: with the slot side and with the row side about to roll. In the methods `M`
/// is the slot side.
#[derive(Clone, Copy)]
struct Limits<I, T, const N: usize>(Option<[Vector<I, T, N>; 2]>);

impl<I: Registers, T: Element, const N: usize> Limits<I, T, N> {
    /// Returns the better of rolling and the offer, for the slot side.
    #[inline(always)]
    fn of_slots<M: Mover>(self, rolling: Vector<I, T, N>) -> Vector<I, T, N> {
        match self.0 {
            Some([slots, _]) => rolling.better::<M>(slots),
            None => rolling,
        }
    }

    /// Returns the better of rolling and the offer, for the row side.
    #[inline(always)]
    fn of_rows<M: Mover>(self, rolling: Vector<I, T, N>) -> Vector<I, T, N> {
        match self.0 {
            Some([_, rows]) => rolling.better::<M::Opponent>(rows),
            None => rolling,
        }
    }

    /// Returns the value with the slot side about to roll, given the value without offers, `solved`, and this side's rolls.
    ///
    /// Passes lead to the other side's roll and back, so the value x is the fixed point of x -> slots(a + p rows(b + q x)). Since
    /// p q is below one, the lesser or greater of a line and a number has as its fixed point the lesser or greater of the line's
    /// fixed point and the number.
    #[inline(always)]
    fn of_pair<M: Mover>(
        self,
        solved: Vector<I, T, N>,
        rolls: RollSum<I, T, N>,
    ) -> Vector<I, T, N> {
        match self.0 {
            Some([slots, rows]) => {
                let taken = rolls.with_pass(rows);
                solved.better::<M::Opponent>(taken).better::<M>(slots)
            }
            None => solved,
        }
    }
}

/// One block at work.
pub(crate) struct BlockBackup<'a, T> {
    pub(crate) view: &'a SweepView<'a, T>,
    pub(crate) inputs: &'a BlockInputs<T>,
    pub(crate) bests: &'a mut SharedBests<T>,
    pub(crate) valid: &'a [[T; 16]; 5],
    pub(crate) reads: &'a [u32],
    pub(crate) at: usize,
    pub(crate) shape: BlockShape,
    pub(crate) mode: Mode,
}

/// Evaluates an expression for every throw. Unless the kernel is to be small, each throw is a compile-time constant: sums then
/// stay in registers.
macro_rules! each_throw {
    ($throw:ident, $action:expr) => {
        if I::IS_SMALL {
            for $throw in 0..THROWS {
                $action
            }
        } else {
            each_throw!(@ $throw, $action, 0, 1, 2, 3);
        }
    };
    (@ $throw:ident, $action:expr, $($number:literal),*) => {
        $({
            let $throw: usize = $number;
            $action
        })*
    };
}

/// In these methods `M` is the slot side, `R` the rows of `N` slots that blocks of this shape have, and `I` the operations of
/// vectors.
///
/// In WebAssembly, where code is fetched before it runs, the larger methods are functions of their own.
///
/// The code that makes a [`BlockBackup`] promises what `slab::pass` requires: the view has this block of `shape.len` values at
/// `at`, the inputs were read for it, no other thread reads or writes the block, and no thread writes the inputs.
impl<T: Element> BlockBackup<'_, T> {
    /// Backs up every row; each slot of a row is one of the slot side's pre masks.
    #[inline(always)]
    pub(crate) fn pass_rows<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &mut self,
    ) -> Tally {
        self.reduce_shared_moves::<I, M, N>();
        let zero = Vector::splat(0.0);
        let mut sums = Sums { change: zero, along: zero, square: zero, dead: zero };
        let valid = &self.valid[usize::from(self.shape.slot_left.min(4))];
        let valid = Vector::new(*valid.first_chunk().expect("a row has sixteen slots at most"));
        for &at in self.view.layout.ranks.masks(self.shape.row_left) {
            self.back_up::<I, R, M, N>(at, valid, &mut sums);
        }
        self.tally(&sums)
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"), inline(never))]
    fn reduce_shared_moves<I: Registers, M: Mover, const N: usize>(&mut self) {
        let len = self.shape.len(&self.view.layout.ranks);
        for throw in 0..THROWS {
            // SAFETY: the inputs were read from these words. The inputs of throws are blocks of this shape, or copied into it, of
            // `len` values each, which no thread writes.
            unsafe {
                let slots = self.inputs.choice(self.view, self.reads, SLOTS, throw);
                let rows = self.inputs.choice(self.view, self.reads, ROWS, throw);
                reduce_best::<I, T, M, N>(slots, &mut self.bests.0[SLOTS][throw][..len]);
                reduce_best::<I, T, M::Opponent, N>(rows, &mut self.bests.0[ROWS][throw][..len]);
            }
        }
    }

    /// Returns the best values that shared or external moves from a row lead to.
    #[inline(always)]
    fn shared_bests<I: Registers, const N: usize>(
        &self,
        side: usize,
        throw: usize,
        at: PreMask,
    ) -> Vector<I, T, N> {
        Vector::new(self.bests.0[side][throw].as_chunks().0[at.rank])
    }

    /// Backs up one row with either side about to roll.
    #[inline(always)]
    fn back_up<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &mut self,
        at: PreMask,
        valid: Vector<I, T, N>,
        sums: &mut Sums<I, T, N>,
    ) {
        let zero = Vector::splat(0.0);
        let place = self.at + at.rank * N;
        let (slots_roll, rows_roll) = M::pair(self.view.senior, self.view.junior);
        let (slots_roll, rows_roll) =
            (slots_roll.wrapping_add(place), rows_roll.wrapping_add(place));
        // SAFETY: the row of `at` lies in the block, once with either side about to roll.
        let (old_slots, old_rows) = unsafe { (Vector::load(slots_roll), Vector::load(rows_roll)) };
        let limits = self.limits::<I, M, N>(place);
        let mut rows = self.sum_row_rolls::<I, M, N>(at);
        if self.mode == Mode::Residual {
            return self.measure::<I, R, M, N>(
                at,
                (old_slots, old_rows),
                (rows, limits),
                valid,
                sums,
            );
        }
        let fresh_rows =
            zero.if_less(valid, limits.of_rows::<M>(rows.with_pass(old_slots)), old_rows);
        let backed_up =
            self.back_up_slots::<I, R, M, N>(at, old_slots, fresh_rows, &mut rows, limits, valid);
        let new_slots = zero.if_less(valid, backed_up, old_slots);
        let new_rows =
            zero.if_less(valid, limits.of_rows::<M>(rows.with_pass(new_slots)), old_rows);
        // SAFETY: as above, and no other thread has the block.
        unsafe {
            new_slots.store(slots_roll);
            new_rows.store(rows_roll);
        }
        self.note_deltas::<I, M, N>(place, (new_slots - old_slots, new_rows - old_rows), sums);
    }

    /// Notes the deltas of the row that begins at `place`, with the slot side and with the row side about to roll.
    #[inline(always)]
    fn note_deltas<I: Registers, M: Mover, const N: usize>(
        &self,
        place: usize,
        (slots, rows): (Vector<I, T, N>, Vector<I, T, N>),
        sums: &mut Sums<I, T, N>,
    ) {
        sums.change = sums.change.max(slots.abs()).max(rows.abs());
        if matches!(self.mode, Mode::Record | Mode::Compare) {
            let (senior, junior) = M::pair(slots, rows);
            self.record(place, senior, sums);
            self.record(self.view.layout.swept + place, junior, sums);
        }
    }

    /// Returns the new values with the slot side about to roll, given the old ones. `fresh_rows` are the values with the row side
    /// about to roll as far as they are known, and `rows` that side's rolls.
    #[inline(always)]
    fn back_up_slots<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        old: Vector<I, T, N>,
        fresh_rows: Vector<I, T, N>,
        rows: &mut RollSum<I, T, N>,
        limits: Limits<I, T, N>,
        valid: Vector<I, T, N>,
    ) -> Vector<I, T, N> {
        let bests = self.slot_bests::<I, R, M, N>(at, fresh_rows);
        let slots = self.sum_slot_rolls::<I, R, M, N>(bests, old);
        // A move to a pre square that grants a roll leads to a slot of this row that is itself backed up now.
        let ahead = limits.of_slots::<M>(slots.with_pass(fresh_rows));
        let ahead = Vector::splat(0.0).if_less(valid, ahead, old);
        let slots = self.sum_slot_rolls::<I, R, M, N>(bests, ahead);
        if self.view.slack != 0.0 {
            // A dead position is a draw, and its value is exact: it has no slack.
            rows.value = slots.if_live(*rows, rows.value, Vector::splat(0.0));
        }
        let draw = Vector::splat(0.5);
        if self.mode == Mode::Polish {
            let backed_up = limits.of_slots::<M>(slots.with_pass(fresh_rows));
            return slots.if_live(*rows, backed_up, draw);
        }
        let solved = slots.solve_pass_pair(*rows);
        match limits.0 {
            Some(_) => slots.if_live(*rows, limits.of_pair::<M>(solved, slots), draw),
            None => solved,
        }
    }

    /// Returns the limits of the row that begins at `place`.
    #[inline(always)]
    fn limits<I: Registers, M: Mover, const N: usize>(&self, place: usize) -> Limits<I, T, N> {
        let SweepView { limits, layout, .. } = *self.view;
        if limits.is_null() {
            return Limits(None);
        }
        // SAFETY: limits have the places of the swept values, and no thread writes them.
        let of = |at: usize| unsafe { Vector::load(limits.add(at)) };
        let (slots, rows) = M::pair(of(place), of(layout.swept + place));
        Limits(Some([slots, rows]))
    }

    /// Sums the rolls of the row side.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"), inline(never))]
    fn sum_row_rolls<I: Registers, M: Mover, const N: usize>(
        &self,
        at: PreMask,
    ) -> RollSum<I, T, N> {
        let tables = self.view.tables;
        let hand = at.mask.count_ones() < u32::from(self.shape.row_left);
        let mut sum = RollSum::start(tables.zero_chance, self.view.slack);
        each_throw!(throw, {
            let mut best = self.shared_bests(ROWS, throw, at);
            for row_move in self.view.row_moves.moves(hand, at.mask, throw) {
                let block = self.inputs.by_row_move[usize::from(row_move.input)];
                let row = block.wrapping_add(usize::from(row_move.rank) * N);
                // SAFETY: the block has rows like this one, among them the row of each mask that a move leads to.
                best = best.better::<M::Opponent>(unsafe { Vector::load(row) });
            }
            sum = sum.add_roll::<M::Opponent>(best, tables.chances[throw]);
        });
        sum
    }

    /// Returns the values of the slot side's best moves by throw, without the moves to a pre square that grants a roll.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"), inline(never))]
    fn slot_bests<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        own_rows: Vector<I, T, N>,
    ) -> Bests<I, T, N> {
        let mut bests = [Vector::splat(0.0); THROWS];
        each_throw!(throw, bests[throw] = self.shared_bests(SLOTS, throw, at));
        // SAFETY: the inputs were read for this block, whose rows are `R`.
        unsafe { R::take_moves::<I, M>(&mut bests, own_rows, at, self.inputs) };
        bests
    }

    /// Sums the rolls of the slot side.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"), inline(never))]
    fn sum_slot_rolls<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        mut bests: Bests<I, T, N>,
        own_slots: Vector<I, T, N>,
    ) -> RollSum<I, T, N> {
        let tables = self.view.tables;
        R::take_rosette::<I, M>(&mut bests, own_slots);
        let mut sum = RollSum::start(tables.zero_chance, self.view.slack);
        each_throw!(throw, sum = sum.add_roll::<M>(bests[throw], tables.chances[throw]));
        sum
    }

    /// Compares both values of each slot of a row, with the slot side and with the row side about to roll, with their backups.
    #[inline(always)]
    fn measure<I: Registers, R: Row<T, N>, M: Mover, const N: usize>(
        &self,
        at: PreMask,
        (old_slots, old_rows): (Vector<I, T, N>, Vector<I, T, N>),
        (rows, limits): (RollSum<I, T, N>, Limits<I, T, N>),
        valid: Vector<I, T, N>,
        sums: &mut Sums<I, T, N>,
    ) {
        let (zero, one) = (Vector::splat(0.0), Vector::splat(1.0));
        let bests = self.slot_bests::<I, R, M, N>(at, old_rows);
        let slots = self.sum_slot_rolls::<I, R, M, N>(bests, old_slots);
        let backup = |value| slots.if_live(rows, value, Vector::splat(0.5));
        let dead = slots.if_live(rows, zero, one);
        sums.dead = sums.dead + zero.if_less(valid, dead, zero);
        let slots_off = backup(limits.of_slots::<M>(slots.with_pass(old_rows))) - old_slots;
        let rows_off = backup(limits.of_rows::<M>(rows.with_pass(old_slots))) - old_rows;
        for off in [slots_off, rows_off] {
            sums.change = sums.change.max(zero.if_less(valid, off.abs(), zero));
        }
    }

    /// Records the deltas of a row, and in `Mode::Compare` compares them with those recorded before.
    #[inline(always)]
    fn record<I: Registers, const N: usize>(
        &self,
        at: usize,
        delta: Vector<I, T, N>,
        sums: &mut Sums<I, T, N>,
    ) {
        let deltas = self.view.deltas;
        if self.mode == Mode::Compare {
            // SAFETY: deltas have the places of the swept values, and those of this block belong to this thread.
            let before = unsafe { deltas.load(at) };
            let turn = delta - before;
            sums.along = sums.along + before * turn;
            sums.square = sums.square + turn * turn;
        }
        // SAFETY: as above.
        unsafe { deltas.store(at, delta) };
    }

    /// Returns a block's sums over all slots.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "dead is a count")]
    fn tally<I: Registers, const N: usize>(&self, sums: &Sums<I, T, N>) -> Tally {
        let mut tally = Tally::default();
        for change in sums.change.wide() {
            tally.change = if change > tally.change { change } else { tally.change };
        }
        if self.mode == Mode::Compare {
            tally.along = sums.along.wide().sum();
            tally.square = sums.square.wide().sum();
        }
        if self.mode == Mode::Residual {
            tally.dead = sums.dead.wide().sum::<f64>() as u64;
        }
        tally
    }
}
