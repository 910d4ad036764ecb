//! Kernel: the backups of one slab, a row at a time.
//!
//! For a given configuration every move of a shared piece leads all values of a block to the same places of another, so
//! the best of them is a handful of vector loads and maxima. Moves of pieces on pre squares exchange lanes or rows. No
//! successor is stored. See `docs/method.md`.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(clippy::cast_sign_loss, reason = "the numbers are never negative")]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::dense::backup::best::best_of;
use crate::dense::backup::roll_sum::{Turn, abs, idle, roll, solve};
use crate::dense::backup::row::{Many, Narrow, Row, Single, Two};
use crate::dense::backup::view::{Arena, BLOCK, Sources};
use crate::dense::layout::block::{Placed, Ranks, Shape};
use crate::dense::layout::masks::THROWS;
use crate::dense::layout::plan::Slab;
use crate::dense::successors::links::Head;
use crate::drive::statistics::{Mode, Tally};
use crate::simd::vector::{Element, Instructions, Lanes, Scalar};

/// What a pass works with beside the arena; kept for the next pass.
#[derive(Debug)]
pub(crate) struct Scratch<T> {
    sources: Sources<T>,
    bests: Box<Bests<T>>,
    /// By pieces left to place: one in the lanes of masks that they can make, zero in the others.
    valid: [[T; 16]; 5],
    /// The links of one slab, where they are not kept.
    pub(crate) links: Vec<u32>,
}

impl<T: Element> Scratch<T> {
    pub(crate) fn new(ranks: &Ranks) -> Self {
        let none = [[T::from_f64(0.0); BLOCK]; THROWS];
        let bests = Box::new(Bests { lanes: none, rows: none });
        let mut valid = [[T::from_f64(0.0); 16]; 5];
        for (left, valid) in (0..).zip(&mut valid) {
            for at in ranks.masks(left) {
                valid[at.lane] = T::from_f64(1.0);
            }
        }
        Self { sources: Sources::new(), bests, valid, links: Vec::new() }
    }
}

/// Room for the best shared move of each value, by throw.
#[derive(Debug)]
#[repr(align(64))]
struct Bests<T> {
    lanes: [[T; BLOCK]; THROWS],
    rows: [[T; BLOCK]; THROWS],
}

/// Running sums of a block, lane by lane.
struct Sums<L> {
    change: L,
    along: L,
    square: L,
    dead: L,
}

/// One block at work. The side with the lanes is called *lanes*, the other *rows*.
struct Block<'a, T> {
    arena: &'a Arena<'a, T>,
    sources: &'a Sources<T>,
    bests: &'a mut Bests<T>,
    valid: &'a [[T; 16]; 5],
    at: usize,
    shape: Shape,
    mode: Mode,
}

/// Does something for every throw, known when this is compiled.
macro_rules! each_throw {
    ($throw:ident, $action:block) => {
        each_throw!(@ $throw, $action, 0, 1, 2, 3);
    };
    (@ $throw:ident, $action:block, $($number:literal),*) => {
        $({
            let $throw: usize = $number;
            $action
        })*
    };
}

impl<T: Element> Block<'_, T> {
    /// Backs up every row of the block, by its shape.
    #[inline(always)]
    unsafe fn pass_shape<I: Instructions<T>>(&mut self, tally: &mut Tally)
    where
        Scalar<T>: Lanes<Element = T>,
    {
        let Shape { lane_left, turned, .. } = self.shape;
        // SAFETY: as the caller vouches.
        unsafe {
            match (lane_left, turned) {
                (0, _) => self.pass::<Single, false>(tally),
                (1, false) => self.pass::<Narrow<I>, false>(tally),
                (1, true) => self.pass::<Narrow<I>, true>(tally),
                (2, false) => self.pass::<Two<I>, false>(tally),
                (2, true) => self.pass::<Two<I>, true>(tally),
                (_, false) => self.pass::<Many<I>, false>(tally),
                (_, true) => self.pass::<Many<I>, true>(tally),
            }
        }
    }

    /// Backs up every row of the block.
    #[inline(always)]
    unsafe fn pass<R: Row<T>, const TURNED: bool>(&mut self, tally: &mut Tally) {
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            self.best_shared_moves::<R, TURNED>();
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let mut sums = Sums { change: zero, along: zero, square: zero, dead: zero };
            let valid = self.valid_lanes::<R>();
            let ranks = &self.arena.plan.ranks;
            for &at in ranks.masks(self.shape.row_left) {
                self.back_up::<R, TURNED>(at, valid, &mut sums);
            }
            self.count::<R>(&sums, tally);
        }
    }

    #[inline(always)]
    unsafe fn best_shared_moves<R: Row<T>, const TURNED: bool>(&mut self) {
        let len = self.shape.len(&self.arena.plan.ranks);
        for throw in 0..THROWS {
            let lanes = self.bests.lanes[throw].as_mut_ptr();
            let rows = self.bests.rows[throw].as_mut_ptr();
            // SAFETY: sources are blocks of this layout; the caller vouches for the instruction set.
            unsafe {
                let (lane_choice, row_choice) = (
                    self.sources.choice::<true>(self.arena, throw),
                    self.sources.choice::<false>(self.arena, throw),
                );
                best_of::<TURNED, R::Lanes>(lane_choice, len, lanes);
                if TURNED {
                    best_of::<false, R::Lanes>(row_choice, len, rows);
                } else {
                    best_of::<true, R::Lanes>(row_choice, len, rows);
                }
            }
        }
    }

    /// One in the lanes of masks that the pieces can make, zero in the others.
    #[inline(always)]
    unsafe fn valid_lanes<R: Row<T>>(&self) -> R::Lanes {
        let valid = &self.valid[usize::from(self.shape.lane_left.min(4))];
        // SAFETY: sixteen elements are enough for any row.
        unsafe { R::Lanes::load(valid.as_ptr()) }
    }

    /// Backs up one row with either side about to roll.
    #[inline(always)]
    unsafe fn back_up<R: Row<T>, const TURNED: bool>(
        &mut self,
        at: Placed,
        valid: R::Lanes,
        sums: &mut Sums<R::Lanes>,
    ) {
        let place = self.at + at.rank * R::Lanes::WIDTH;
        let arena = self.arena;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let (lanes_roll, rows_roll) = if TURNED {
                (arena.dark.add(place), arena.light.add(place))
            } else {
                (arena.light.add(place), arena.dark.add(place))
            };
            let (old_lanes, old_rows) = (R::Lanes::load(lanes_roll), R::Lanes::load(rows_roll));
            let rows = self.rows_turn::<R, TURNED>(at);
            if self.mode == Mode::Residual {
                return self.measure::<R, TURNED>(at, old_lanes, (rows, old_rows), valid, sums);
            }
            let after_pass = rows.value.add(rows.pass.mul(old_lanes));
            let fresh_rows = zero.if_less(valid, after_pass, old_rows);
            let new = (fresh_rows, rows);
            let backed_up = self.lanes_backed_up::<R, TURNED>(at, old_lanes, new, valid);
            let new_lanes = zero.if_less(valid, backed_up, old_lanes);
            let solved = rows.value.add(rows.pass.mul(new_lanes));
            let new_rows = zero.if_less(valid, solved, old_rows);
            new_lanes.store(lanes_roll);
            new_rows.store(rows_roll);
            let (lanes_move, rows_move) = (new_lanes.sub(old_lanes), new_rows.sub(old_rows));
            sums.change = sums.change.max(abs(lanes_move)).max(abs(rows_move));
            if matches!(self.mode, Mode::Record | Mode::Compare) {
                let (light, dark) =
                    if TURNED { (rows_move, lanes_move) } else { (lanes_move, rows_move) };
                self.record::<R>(place, light, sums);
                self.record::<R>(arena.plan.swept + place, dark, sums);
            }
        }
    }

    /// The values with the side with the lanes about to roll; `new` is the row with the other side about to roll, as far
    /// as it is known, and that side's turn.
    #[inline(always)]
    unsafe fn lanes_backed_up<R: Row<T>, const TURNED: bool>(
        &self,
        at: Placed,
        old: R::Lanes,
        new: (R::Lanes, Turn<R::Lanes>),
        valid: R::Lanes,
    ) -> R::Lanes {
        let (fresh_rows, rows) = new;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let bests = self.lane_bests::<R, TURNED>(at, fresh_rows);
            let mut lanes = self.lanes_turn::<R, TURNED>(&bests, old);
            // A move to a pre square that grants a roll leads to a lane of this row that is itself backed up now.
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let ahead = lanes.value.add(lanes.pass.mul(fresh_rows));
            let ahead = zero.if_less(valid, ahead, old);
            lanes = self.lanes_turn::<R, TURNED>(&bests, ahead);
            if self.mode == Mode::Polish {
                lanes.value.add(lanes.pass.mul(fresh_rows))
            } else {
                solve::<R::Lanes>(lanes, rows)
            }
        }
    }

    /// The turn of the side with the rows.
    #[inline(always)]
    unsafe fn rows_turn<R: Row<T>, const TURNED: bool>(&self, at: Placed) -> Turn<R::Lanes> {
        let terrain = self.arena.terrain;
        let width = R::Lanes::WIDTH;
        let hand = at.mask.count_ones() < u32::from(self.shape.row_left);
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let mut turn = idle::<R::Lanes>(T::from_f64(terrain.idle));
            each_throw!(throw, {
                let row = self.bests.rows[throw].as_ptr().add(at.rank * width);
                let mut best = R::Lanes::load(row);
                for action in self.arena.rows.of(hand, at.mask, throw) {
                    let source = self.sources.by_row_move[usize::from(action.source)];
                    let row = R::Lanes::load(source.add(usize::from(action.rank) * width));
                    best = if TURNED { best.max(row) } else { best.min(row) };
                }
                let chance = T::from_f64(terrain.throws[throw].chance);
                turn = if TURNED {
                    roll::<false, R::Lanes>(turn, best, chance)
                } else {
                    roll::<true, R::Lanes>(turn, best, chance)
                };
            });
            turn
        }
    }

    /// The best moves of the side with the lanes by throw, but for those to a pre square that grants a roll.
    #[inline(always)]
    unsafe fn lane_bests<R: Row<T>, const TURNED: bool>(
        &self,
        at: Placed,
        own_rows: R::Lanes,
    ) -> [MaybeUninit<R::Lanes>; THROWS] {
        let mut bests = [MaybeUninit::uninit(); THROWS];
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let landings = R::landings::<TURNED>(own_rows, at, self.sources);
            each_throw!(throw, {
                let row = self.bests.lanes[throw].as_ptr().add(at.rank * R::Lanes::WIDTH);
                let shared = R::Lanes::load(row);
                let steps = throw + 1;
                bests[throw].write(R::land::<TURNED>(shared, steps, &landings));
            });
        }
        bests
    }

    /// The turn of the side with the lanes.
    #[inline(always)]
    unsafe fn lanes_turn<R: Row<T>, const TURNED: bool>(
        &self,
        bests: &[MaybeUninit<R::Lanes>; THROWS],
        own_lanes: R::Lanes,
    ) -> Turn<R::Lanes> {
        let terrain = self.arena.terrain;
        // SAFETY: the caller vouches for the arena and the instruction set; every throw has a best move.
        unsafe {
            let again = R::again::<TURNED>(own_lanes);
            let mut turn = idle::<R::Lanes>(T::from_f64(terrain.idle));
            each_throw!(throw, {
                let best = bests[throw].assume_init();
                let steps = throw + 1;
                let best = R::land_again::<TURNED>(best, steps, &again);
                let chance = T::from_f64(terrain.throws[throw].chance);
                turn = roll::<TURNED, R::Lanes>(turn, best, chance);
            });
            turn
        }
    }

    /// Compares a row with its backup.
    #[inline(always)]
    unsafe fn measure<R: Row<T>, const TURNED: bool>(
        &self,
        at: Placed,
        old_lanes: R::Lanes,
        (rows, old_rows): (Turn<R::Lanes>, R::Lanes),
        valid: R::Lanes,
        sums: &mut Sums<R::Lanes>,
    ) {
        // SAFETY: the caller vouches for the instruction set.
        unsafe {
            let bests = self.lane_bests::<R, TURNED>(at, old_rows);
            let lanes = self.lanes_turn::<R, TURNED>(&bests, old_lanes);
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let one = R::Lanes::splat(T::from_f64(1.0));
            let left = one.sub(lanes.pass.mul(rows.pass));
            let dead = zero.if_less(left, zero, one);
            sums.dead = sums.dead.add(zero.if_less(valid, dead, zero));
            let lanes_off = lanes.value.add(lanes.pass.mul(old_rows)).sub(old_lanes);
            let rows_off = rows.value.add(rows.pass.mul(old_lanes)).sub(old_rows);
            // In a sublayer that mirrors itself, light's turn is all there is; or both turns of half the columns.
            let mirror = self.arena.plan.sublayer.is_mirror() && !self.arena.plan.halved;
            if !mirror || !self.shape.turned {
                sums.change = sums.change.max(zero.if_less(valid, abs(lanes_off), zero));
            }
            if !mirror || self.shape.turned {
                sums.change = sums.change.max(zero.if_less(valid, abs(rows_off), zero));
            }
        }
    }

    /// Keeps how far a row moved.
    #[inline(always)]
    unsafe fn record<R: Row<T>>(&self, at: usize, step: R::Lanes, sums: &mut Sums<R::Lanes>) {
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let place = self.arena.moves.add(at);
            if self.mode == Mode::Compare {
                let before = R::Lanes::load(place);
                let turn = step.sub(before);
                sums.along = sums.along.add(before.mul(turn));
                sums.square = sums.square.add(turn.mul(turn));
            }
            step.store(place);
        }
    }

    /// Adds a block's sums to the tally.
    #[inline(always)]
    unsafe fn count<R: Row<T>>(&self, sums: &Sums<R::Lanes>, tally: &mut Tally) {
        let lanes = |sums: R::Lanes| {
            // SAFETY: the caller vouches for the instruction set.
            let array = unsafe { sums.to_array() };
            array.into_iter().take(R::Lanes::WIDTH)
        };
        for change in lanes(sums.change) {
            tally.change = if change > tally.change { change } else { tally.change };
        }
        match self.mode {
            Mode::Sweep | Mode::Record | Mode::Polish => {}
            Mode::Compare => {
                tally.along += lanes(sums.along).sum::<f64>();
                tally.square += lanes(sums.square).sum::<f64>();
            }
            Mode::Residual => {
                let sides = if self.arena.plan.sublayer.is_mirror() { 1 } else { 2 };
                tally.dead += sides * lanes(sums.dead).sum::<f64>() as u64;
            }
        }
    }
}

/// Passes over the slab at `at` with these links.
///
/// # Safety
///
/// The arena's buffers are those of its plan and the links those of the slab, no slab passed over at the same time writes
/// what this one reads or writes, and the processor has the instructions `I`.
#[inline(always)]
pub(crate) unsafe fn pass<T: Element, I>(
    arena: &Arena<'_, T>,
    (at, links): (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally
where
    I: Instructions<T>,
    Scalar<T>: Lanes<Element = T>,
{
    let Slab { dark, columns, .. } = arena.plan.slabs[at];
    let mut tally = Tally::default();
    // SAFETY: as the caller vouches.
    unsafe {
        let mut exits = arena.exits.starts[at];
        let mut links = links.as_ptr();
        for number in columns.0..columns.1 {
            let light = arena.plan.columns[number];
            let head = Head::read(links);
            let shape = arena.plan.shape(arena.terrain, dark, light);
            let (at, len) = (head.at, shape.len(&arena.plan.ranks));
            exits = shape.begin(exits);
            if is_to_do(arena, number, head.sources, mode, at..at + len) {
                arena.ask_for(at..at + len, mode);
                scratch.sources.shape = shape;
                let exits = arena.leaving.add(exits);
                arena.read(at, head.places, exits, &mut scratch.sources);
                if number + 1 < columns.1 {
                    arena.ask_for_copies(head.next);
                }
                let block = pass_block::<T, I>(arena, at, mode, scratch);
                note(arena, number, mode, block);
                tally = tally.and(block);
            }
            links = head.next;
            exits += head.exits * len;
        }
    }
    tally
}

/// Notes what the backup of a block has found.
#[inline(always)]
fn note<T>(arena: &Arena<'_, T>, number: usize, mode: Mode, block: Tally) {
    let Some(listening) = arena.listening else { return };
    if block.change > 0.0 {
        listening.changed(number);
    }
    if mode == Mode::Compare {
        listening.seems_further(number, block.further());
    }
}

/// Returns whether a block is backed up; notes that, and makes its last moves zero where it was at rest.
///
/// # Safety
///
/// The arena's buffers are those of its plan, and the sources and lanes those of this block.
#[inline(always)]
unsafe fn is_to_do<T: Element>(
    arena: &Arena<'_, T>,
    number: usize,
    sources: &[u32],
    mode: Mode,
    lanes: Range<usize>,
) -> bool {
    let Some(listening) = arena.listening else { return true };
    let Some(heard) = listening.hear(number, sources) else { return false };
    if !listening.take_in(number, heard) && mode == Mode::Compare {
        // SAFETY: as the caller vouches.
        unsafe { arena.forget_moves(lanes) };
    }
    true
}

/// Passes over the block that begins at `at`, whose sources have been read.
///
/// # Safety
///
/// As for [`pass`].
#[inline(always)]
unsafe fn pass_block<T: Element, I>(
    arena: &Arena<'_, T>,
    at: usize,
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally
where
    I: Instructions<T>,
    Scalar<T>: Lanes<Element = T>,
{
    let Scratch { sources, bests, valid, .. } = scratch;
    let shape = sources.shape;
    let mut tally = Tally::default();
    let mut block = Block { arena, sources, bests, valid, at, shape, mode };
    // SAFETY: as the caller vouches.
    unsafe { block.pass_shape::<I>(&mut tally) };
    tally
}
