//! Moves of the slot side's pieces on pre squares and in hand.
//!
//! The slots of a row are the pre masks of one side. If one of its pre pieces moves, a slot takes the value of another slot:
//! of the same row if the piece stays on pre squares, of a block with one piece less to place if it enters the shared
//! squares.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows of other blocks are read through raw pointers")]

use std::marker::PhantomData;

use crate::dense::backup::inputs::{BlockInputs, Entry};
use crate::dense::layout::block::PreMask;
use crate::dense::layout::masks::{PRE, THROWS};
use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Registers;
use crate::simd::vector::Vector;

/// The best values of a row by throw.
pub(crate) type Bests<I, T, const N: usize> = [Vector<I, T, N>; THROWS];

/// How the `N` slots of a row hold pre masks; the slot side is `M`.
pub(crate) trait Row<T: Element, const N: usize> {
    /// Improves `bests` by the moves after which the turn passes or a piece enters; `own` is this row with the opponent about to
    /// roll.
    ///
    /// # Safety
    ///
    /// The inputs were read for a block with such rows, which has the row `at`, and no thread writes them.
    unsafe fn take_moves<I: Registers, M: Mover>(
        bests: &mut Bests<I, T, N>,
        own: Vector<I, T, N>,
        at: PreMask,
        inputs: &BlockInputs<T>,
    );

    /// Improves `bests` by the moves to the last pre square, which grants a roll; `own` is this row with the slot side about to
    /// roll.
    fn take_rosette<I: Registers, M: Mover>(bests: &mut Bests<I, T, N>, own: Vector<I, T, N>);
}

/// One slot: no piece left to place on a pre square.
pub(crate) struct Single;
/// Eight slots: at most one piece on pre squares.
pub(crate) struct Narrow;
/// Sixteen slots; `E` reads the rows of the block after a piece has entered.
pub(crate) struct Wide<E>(PhantomData<E>);

impl<T: Element> Row<T, 1> for Single {
    #[inline(always)]
    unsafe fn take_moves<I: Registers, M: Mover>(
        _bests: &mut Bests<I, T, 1>,
        _own: Vector<I, T, 1>,
        _at: PreMask,
        _inputs: &BlockInputs<T>,
    ) {
    }

    #[inline(always)]
    fn take_rosette<I: Registers, M: Mover>(_bests: &mut Bests<I, T, 1>, _own: Vector<I, T, 1>) {}
}

/// In slot n the piece is on square n, in slot 0 in hand. A throw leads from each slot as many slots further as it has steps.
impl<T: Element> Row<T, 8> for Narrow {
    #[inline(always)]
    unsafe fn take_moves<I: Registers, M: Mover>(
        bests: &mut Bests<I, T, 8>,
        own: Vector<I, T, 8>,
        at: PreMask,
        inputs: &BlockInputs<T>,
    ) {
        // Values by the square landed on, with room for the longest throw from the last slot.
        let mut landings = [T::from_f64(M::SENTINEL); 16];
        landings[1..PRE].copy_from_slice(&own.0[1..PRE]);
        for (landing, entry) in landings[PRE + 1..].iter_mut().zip(&inputs.entries) {
            // SAFETY: the row has a first slot, that of the empty mask: no other mask is left when the piece has entered.
            *landing = unsafe { *entry.row(at) };
        }
        for (steps, best) in (1..).zip(bests) {
            let landed = landings[steps..].first_chunk().expect("the longest throw ends inside");
            let landed = Vector::new(*landed);
            *best = best.better::<M>(landed);
        }
    }

    #[inline(always)]
    fn take_rosette<I: Registers, M: Mover>(bests: &mut Bests<I, T, 8>, own: Vector<I, T, 8>) {
        for (steps, best) in (1..).zip(bests) {
            best.0[PRE - steps] = M::better(best.0[PRE - steps], own.0[PRE]);
        }
    }
}

/// Reads rows of blocks with one piece less to place as sixteen slots.
pub(crate) trait EntryRow {
    /// Returns the row of `at` after an entry.
    ///
    /// # Safety
    ///
    /// As for [`Row::take_moves`].
    unsafe fn load<I: Registers, T: Element, M: Mover>(
        entry: &Entry<T>,
        at: PreMask,
    ) -> Vector<I, T, 16>;
}

/// One of two pieces is left, so that rows have five slots in use: the empty mask, and each pre square.
pub(crate) struct FromNarrow;
/// Two pieces or more are left, so that rows have sixteen slots again.
pub(crate) struct FromWide;

impl EntryRow for FromNarrow {
    #[inline(always)]
    unsafe fn load<I: Registers, T: Element, M: Mover>(
        entry: &Entry<T>,
        at: PreMask,
    ) -> Vector<I, T, 16> {
        let mut slots = Vector::splat(M::SENTINEL);
        for (from, to) in [0, 1, 2, 4, 8].into_iter().enumerate() {
            // SAFETY: the row has these five slots, `step` apart.
            slots.0[to] = unsafe { *entry.row(at).add(from * entry.step()) };
        }
        slots
    }
}

impl EntryRow for FromWide {
    #[inline(always)]
    unsafe fn load<I: Registers, T: Element, M: Mover>(
        entry: &Entry<T>,
        at: PreMask,
    ) -> Vector<I, T, 16> {
        // SAFETY: the row has sixteen slots side by side, or was copied so.
        unsafe { Vector::load(entry.row(at)) }
    }
}

/// Returns the slots of the masks with a piece on `held` and none on `empty`; 0 stands for no such square.
const fn slots_where(held: usize, empty: usize) -> u16 {
    let (held, empty) = (bit_of(held), bit_of(empty));
    let (mut slots, mut mask) = (0, 0);
    while mask < 16 {
        if mask & held == held && mask & empty == 0 {
            slots |= 1 << mask;
        }
        mask += 1;
    }
    slots
}

/// Returns the bit of a pre square in a mask, or 0 for the hand.
const fn bit_of(square: usize) -> usize {
    if square == 0 { 0 } else { 1 << (square - 1) }
}

/// Improves the best values by the moves from one pre square, or the hand, to another.
macro_rules! advance {
    ($bests:ident, $own:ident: $($from:literal to $to:literal),*) => {$({
        let best = &mut $bests[$to - $from - 1];
        let landed = $own.exchange::<{ bit_of($from) ^ bit_of($to) }>();
        *best = best.merge::<{ slots_where($from, $to) }>(best.better::<M>(landed));
    })*};
}

/// Improves the best values by the moves from a pre square onto shared squares.
macro_rules! enter {
    ($bests:ident, $entered:ident: $($from:literal to $bit:literal),*) => {$({
        let best = &mut $bests[PRE + $bit - $from];
        let landed = $entered[$bit].exchange::<{ bit_of($from) }>();
        *best = best.merge::<{ slots_where($from, 0) }>(best.better::<M>(landed));
    })*};
}

impl<T: Element, E: EntryRow> Row<T, 16> for Wide<E> {
    #[inline(always)]
    unsafe fn take_moves<I: Registers, M: Mover>(
        bests: &mut Bests<I, T, 16>,
        own: Vector<I, T, 16>,
        at: PreMask,
        inputs: &BlockInputs<T>,
    ) {
        // Written out: `map` may be compiled as a function of its own, without the instructions of its caller.
        let [first, second, third, fourth] = &inputs.entries;
        // SAFETY: entries have the rows that this row leads to when a piece enters, as the caller promises of the inputs.
        let entered = unsafe {
            [
                E::load::<I, T, M>(first, at),
                E::load::<I, T, M>(second, at),
                E::load::<I, T, M>(third, at),
                E::load::<I, T, M>(fourth, at),
            ]
        };
        advance!(bests, own: 0 to 1, 0 to 2, 0 to 3, 1 to 2, 1 to 3, 2 to 3);
        enter!(bests, entered: 1 to 0, 2 to 0, 2 to 1, 3 to 0, 3 to 1, 3 to 2);
        enter!(bests, entered: 4 to 0, 4 to 1, 4 to 2, 4 to 3);
    }

    #[inline(always)]
    fn take_rosette<I: Registers, M: Mover>(bests: &mut Bests<I, T, 16>, own: Vector<I, T, 16>) {
        advance!(bests, own: 0 to 4, 1 to 4, 2 to 4, 3 to 4);
    }
}
