//! Rows: what the pieces on pre squares and in hand of the side with the lanes can do.
//!
//! Such a piece takes a value from another lane: of the same row where it stays on pre squares, of a block with one
//! piece less to place where it enters the shared squares.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read through raw pointers")]

use std::mem::MaybeUninit;

use crate::dense::backup::view::{Entry, Sources};
use crate::dense::layout::block::{DARK_NEVER, LIGHT_NEVER, Placed};
use crate::dense::layout::masks::{PRE, THROWS};
use crate::simd::vector::{Element, Instructions, Lanes, Scalar, Wide};

/// How the lanes of a row hold pre masks. With `TURNED` the lanes are dark's, and dark wants little.
///
/// # Safety
///
/// As for [`Lanes`]; the sources are those of a block whose rows have these lanes.
pub(crate) trait Row<T: Element> {
    type Lanes: Lanes<Element = T>;
    /// Values by the square that a piece from a pre square or the hand lands on, where the turn passes or it enters.
    type Landings;
    /// Values by the pre square that a piece lands on where it rolls again.
    type Again;

    /// Collects the values that moves lead to; `own` is this row with the turn passed.
    unsafe fn landings<const TURNED: bool>(
        own: Self::Lanes,
        at: Placed,
        sources: &Sources<T>,
    ) -> Self::Landings;

    /// Takes the moves of `steps` squares into `best`.
    unsafe fn land<const TURNED: bool>(
        best: Self::Lanes,
        steps: usize,
        landings: &Self::Landings,
    ) -> Self::Lanes;

    /// Collects the values that moves to pre squares with another roll lead to; `own` is this row.
    unsafe fn again<const TURNED: bool>(own: Self::Lanes) -> Self::Again;

    /// Takes the moves of `steps` squares to pre squares with another roll into `best`.
    unsafe fn land_again<const TURNED: bool>(
        best: Self::Lanes,
        steps: usize,
        again: &Self::Again,
    ) -> Self::Lanes;
}

/// The better of two chances for the side with the lanes.
#[inline(always)]
pub(crate) unsafe fn better<const TURNED: bool, L: Lanes>(a: L, b: L) -> L {
    // SAFETY: as the caller vouches.
    unsafe { if TURNED { a.min(b) } else { a.max(b) } }
}

/// The chance that the side with the lanes never chooses.
#[inline(always)]
pub(crate) fn never<const TURNED: bool, T: Element>() -> T {
    T::from_f64(if TURNED { DARK_NEVER } else { LIGHT_NEVER })
}

/// A single lane: no piece left to place on a pre square.
pub(crate) struct Single;
/// Eight lanes: at most one piece on pre squares.
pub(crate) struct Narrow<I>(I);
/// Sixteen lanes, next to rows of eight: at most two pieces.
pub(crate) struct Two<I>(I);
/// Sixteen lanes among others: three pieces or more.
pub(crate) struct Many<I>(I);

impl<T: Element> Row<T> for Single
where
    Scalar<T>: Lanes<Element = T>,
{
    type Lanes = Scalar<T>;
    type Landings = ();
    type Again = ();

    #[inline(always)]
    unsafe fn landings<const TURNED: bool>(_own: Scalar<T>, _at: Placed, _sources: &Sources<T>) {}

    #[inline(always)]
    unsafe fn land<const TURNED: bool>(best: Scalar<T>, _steps: usize, _landed: &()) -> Scalar<T> {
        best
    }

    #[inline(always)]
    unsafe fn again<const TURNED: bool>(_own: Scalar<T>) {}

    #[inline(always)]
    unsafe fn land_again<const TURNED: bool>(
        best: Scalar<T>,
        _steps: usize,
        _again: &(),
    ) -> Scalar<T> {
        best
    }
}

/// Values by the square landed on, with room for the longest throw from the last lane.
const LANDINGS: usize = 32;

impl<I> Narrow<I> {
    /// Lane n is the piece on square n, lane 0 the piece in hand; all land `steps` further.
    #[inline(always)]
    unsafe fn moved<const TURNED: bool, T: Element>(
        best: I::Narrow,
        steps: usize,
        landed: &[T; LANDINGS],
    ) -> I::Narrow
    where
        I: Instructions<T>,
    {
        // SAFETY: throws are shorter than the room behind eight lanes.
        unsafe {
            let from = landed.as_ptr().add(steps % (LANDINGS - 8));
            better::<TURNED, _>(best, I::Narrow::load(from))
        }
    }

    /// The lanes of `own` that stand for pre squares with another roll, or without.
    #[inline(always)]
    unsafe fn own<const TURNED: bool, T: Element>(own: I::Narrow, again: bool) -> [T; LANDINGS]
    where
        I: Instructions<T>,
    {
        let mut lanes = [never::<TURNED, T>(); 8];
        let mut landed = [never::<TURNED, T>(); LANDINGS];
        // SAFETY: eight elements.
        unsafe { own.store(lanes.as_mut_ptr()) };
        for to in 1..=PRE {
            if (to == PRE) == again {
                landed[to] = lanes[to & 7];
            }
        }
        landed
    }
}

impl<T: Element, I: Instructions<T>> Row<T> for Narrow<I> {
    type Lanes = I::Narrow;
    type Landings = [T; LANDINGS];
    type Again = [T; LANDINGS];

    #[inline(always)]
    unsafe fn landings<const TURNED: bool>(
        own: I::Narrow,
        at: Placed,
        sources: &Sources<T>,
    ) -> [T; LANDINGS] {
        // SAFETY: with the piece entered, no lane but the first is left.
        unsafe {
            let mut landed = Self::own::<TURNED, T>(own, false);
            for (bit, entry) in sources.entries.iter().enumerate() {
                landed[(PRE + 1 + bit) % LANDINGS] = *entry.row(at);
            }
            landed
        }
    }

    #[inline(always)]
    unsafe fn land<const TURNED: bool>(
        best: I::Narrow,
        steps: usize,
        landed: &[T; LANDINGS],
    ) -> I::Narrow {
        // SAFETY: as the caller vouches.
        unsafe { Self::moved::<TURNED, T>(best, steps, landed) }
    }

    #[inline(always)]
    unsafe fn again<const TURNED: bool>(own: I::Narrow) -> [T; LANDINGS] {
        // SAFETY: as the caller vouches.
        unsafe { Self::own::<TURNED, T>(own, true) }
    }

    #[inline(always)]
    unsafe fn land_again<const TURNED: bool>(
        best: I::Narrow,
        steps: usize,
        landed: &[T; LANDINGS],
    ) -> I::Narrow {
        // SAFETY: as the caller vouches.
        unsafe { Self::moved::<TURNED, T>(best, steps, landed) }
    }
}

/// The lanes of the masks with a piece on `held` and none on `empty`; 0 asks for nothing.
const fn lanes_where(held: u32, empty: u32) -> u16 {
    let mut lanes = 0;
    let mut mask = 0_u32;
    while mask < 16 {
        let holds = held == 0 || mask >> (held - 1) & 1 != 0;
        let lacks = empty == 0 || mask >> (empty - 1) & 1 == 0;
        if holds && lacks {
            lanes |= 1 << mask;
        }
        mask += 1;
    }
    lanes
}

/// The bit of a pre square in a mask; none for the hand.
const fn bit_of(square: usize) -> usize {
    if square == 0 { 0 } else { 1 << (square - 1) }
}

/// Moves of sixteen lanes between pre squares.
#[inline(always)]
unsafe fn wide_advance<const TURNED: bool, W: Wide>(
    mut best: W,
    steps: usize,
    again: bool,
    own: W,
) -> W {
    macro_rules! advance {
        ($from:literal, $to:literal) => {
            if $to <= PRE && ($to == PRE) == again {
                // SAFETY: as the caller vouches.
                best = unsafe {
                    let from = own.exchange::<{ bit_of($from) ^ bit_of($to) }>();
                    best.merge::<{ lanes_where($from, $to) }>(better::<TURNED, _>(best, from))
                };
            }
        };
    }
    match steps {
        1 => {
            advance!(0, 1);
            advance!(1, 2);
            advance!(2, 3);
            advance!(3, 4);
        }
        2 => {
            advance!(0, 2);
            advance!(1, 3);
            advance!(2, 4);
        }
        3 => {
            advance!(0, 3);
            advance!(1, 4);
        }
        4 => {
            advance!(0, 4);
        }
        _ => {}
    }
    best
}

/// Loads the lanes of a row for one piece less, sixteen to a row; `never` in the lanes that have none less.
trait Down<T: Element, W: Wide<Element = T>> {
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: Placed) -> W;
}

/// What the moves of sixteen lanes lead to: the row itself, and by shared bit the rows of blocks with the piece entered.
pub(crate) struct WideLandings<W> {
    own: W,
    entered: [MaybeUninit<W>; THROWS],
}

/// Moves of sixteen lanes onto shared squares.
#[inline(always)]
unsafe fn wide_enter<const TURNED: bool, W: Wide>(
    mut best: W,
    steps: usize,
    entered: &[MaybeUninit<W>; THROWS],
) -> W {
    let pre = PRE;
    let reaches = |from: usize, to: usize| from <= pre && to > pre && to <= pre + THROWS;
    macro_rules! enter {
        ($from:literal) => {
            let to = $from + steps;
            if reaches($from, to) {
                // SAFETY: as the caller vouches; every bit in reach was loaded.
                best = unsafe {
                    let row = entered[(to - PRE - 1) % THROWS].assume_init();
                    let row = row.exchange::<{ bit_of($from) }>();
                    best.merge::<{ lanes_where($from, 0) }>(better::<TURNED, _>(best, row))
                };
            }
        };
    }
    enter!(0);
    enter!(1);
    enter!(2);
    enter!(3);
    enter!(4);
    best
}

impl<T: Element, I: Instructions<T>> Down<T, I::Wide> for Two<I> {
    #[inline(always)]
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: Placed) -> I::Wide {
        // SAFETY: a row for one piece has five lanes: none, and each pre square.
        unsafe {
            let row = entry.row(at);
            let step = entry.step();
            let lane = |at: usize| *row.add(at * step);
            I::Wide::splat(never::<TURNED, T>())
                .merge::<{ 1 << 0 }>(I::Wide::splat(lane(0)))
                .merge::<{ 1 << 1 }>(I::Wide::splat(lane(1)))
                .merge::<{ 1 << 2 }>(I::Wide::splat(lane(2)))
                .merge::<{ 1 << 4 }>(I::Wide::splat(lane(3)))
                .merge::<{ 1 << 8 }>(I::Wide::splat(lane(4)))
        }
    }
}

impl<T: Element, I: Instructions<T>> Down<T, I::Wide> for Many<I> {
    #[inline(always)]
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: Placed) -> I::Wide {
        // SAFETY: rows for two pieces or more have sixteen lanes.
        unsafe { I::Wide::load(entry.row(at)) }
    }
}

macro_rules! wide_row {
    ($row:ident) => {
        impl<T: Element, I: Instructions<T>> Row<T> for $row<I> {
            type Lanes = I::Wide;
            type Landings = WideLandings<I::Wide>;
            type Again = I::Wide;

            #[inline(always)]
            unsafe fn landings<const TURNED: bool>(
                own: I::Wide,
                at: Placed,
                sources: &Sources<T>,
            ) -> WideLandings<I::Wide> {
                let mut entered = [MaybeUninit::uninit(); THROWS];
                for (row, entry) in entered.iter_mut().zip(&sources.entries) {
                    // SAFETY: as the caller vouches.
                    row.write(unsafe { <Self as Down<T, I::Wide>>::load::<TURNED>(entry, at) });
                }
                WideLandings { own, entered }
            }

            #[inline(always)]
            unsafe fn land<const TURNED: bool>(
                best: I::Wide,
                steps: usize,
                landings: &WideLandings<I::Wide>,
            ) -> I::Wide {
                // SAFETY: as the caller vouches.
                unsafe {
                    let best = wide_advance::<TURNED, _>(best, steps, false, landings.own);
                    wide_enter::<TURNED, _>(best, steps, &landings.entered)
                }
            }

            #[inline(always)]
            unsafe fn again<const TURNED: bool>(own: I::Wide) -> I::Wide {
                own
            }

            #[inline(always)]
            unsafe fn land_again<const TURNED: bool>(
                best: I::Wide,
                steps: usize,
                own: &I::Wide,
            ) -> I::Wide {
                // SAFETY: as the caller vouches.
                unsafe { wide_advance::<TURNED, _>(best, steps, true, *own) }
            }
        }
    };
}

wide_row!(Two);
wide_row!(Many);
