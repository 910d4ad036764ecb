//! Rows: what the pieces on pre squares and in hand of the side with the lanes can do.
//!
//! Such a piece takes a value from another lane: of the same row where it stays on pre squares, of a block with one
//! piece less to place where it enters the shared squares.
#![expect(unsafe_code, reason = "rows are read through raw pointers")]

use crate::arena::{Entry, Sources};
use crate::lanes::{Element, Instructions, Lanes, Scalar, Wide};
use crate::shape::{DARK_NEVER, LIGHT_NEVER};
use crate::terrain::Terrain;

/// The row at work: the pre mask of the side with the rows, and its rank.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowAt {
    pub(crate) mask: u32,
    pub(crate) rank: usize,
}

/// How the lanes of a row hold pre masks. With `TURNED` the lanes are dark's, and dark wants little.
///
/// # Safety
///
/// As for [`Lanes`]; the sources are those of a block whose rows have these lanes.
pub(crate) trait Row<T: Element> {
    type Lanes: Lanes<Element = T>;

    /// Takes the moves between pre squares after which the mover rolls again (`again`), or after which the turn passes,
    /// into `best`; `own` is the row that they lead to.
    unsafe fn advance<const TURNED: bool>(
        best: Self::Lanes,
        steps: usize,
        again: bool,
        own: Self::Lanes,
        terrain: &Terrain,
    ) -> Self::Lanes;

    /// Takes the moves onto shared squares into `best`.
    unsafe fn enter<const TURNED: bool>(
        best: Self::Lanes,
        steps: usize,
        at: RowAt,
        sources: &Sources<T>,
        terrain: &Terrain,
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

/// The entry that a piece from pre square `from` (0 for the hand) makes.
#[inline(always)]
fn entry<'s, T>(
    from: usize,
    steps: usize,
    sources: &'s Sources<T>,
    terrain: &Terrain,
) -> Option<&'s Entry<T>> {
    let to = from + steps;
    let enters = from <= terrain.pre && to > terrain.pre && to <= terrain.pre + terrain.shared;
    enters.then(|| &sources.entries[to - terrain.pre - 1])
}

/// A single lane: no pre square, or no piece left to place on one.
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

    #[inline(always)]
    unsafe fn advance<const TURNED: bool>(
        best: Scalar<T>,
        _steps: usize,
        _again: bool,
        _own: Scalar<T>,
        _terrain: &Terrain,
    ) -> Scalar<T> {
        best
    }

    #[inline(always)]
    unsafe fn enter<const TURNED: bool>(
        best: Scalar<T>,
        steps: usize,
        at: RowAt,
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> Scalar<T> {
        if terrain.pre > 0 {
            return best;
        }
        match entry(0, steps, sources, terrain) {
            // SAFETY: without pre squares a block is one value.
            Some(entry) => unsafe { better::<TURNED, _>(best, Scalar(*entry.row(at.mask, at.rank))) },
            None => best,
        }
    }
}

impl<T: Element, I: Instructions<T>> Row<T> for Narrow<I> {
    type Lanes = I::Narrow;

    #[inline(always)]
    unsafe fn advance<const TURNED: bool>(
        best: I::Narrow,
        steps: usize,
        again: bool,
        own: I::Narrow,
        terrain: &Terrain,
    ) -> I::Narrow {
        // Lane n is the piece on square n, lane 0 the piece in hand; all land `steps` further.
        let mut lanes = [never::<TURNED, T>(); 8];
        let mut landed = lanes;
        // SAFETY: eight elements.
        unsafe { own.store(lanes.as_mut_ptr()) };
        for to in steps..=terrain.pre {
            if terrain.again[to] == again {
                landed[to - steps] = lanes[to & 7];
            }
        }
        // SAFETY: eight elements.
        unsafe { better::<TURNED, _>(best, I::Narrow::load(landed.as_ptr())) }
    }

    #[inline(always)]
    unsafe fn enter<const TURNED: bool>(
        best: I::Narrow,
        steps: usize,
        at: RowAt,
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> I::Narrow {
        let mut landed = [never::<TURNED, T>(); 8];
        for from in 0..=terrain.pre {
            if let Some(entry) = entry(from, steps, sources, terrain) {
                // SAFETY: with the piece entered, no lane but the first is left.
                landed[from & 7] = unsafe { *entry.row(at.mask, at.rank) };
            }
        }
        // SAFETY: eight elements.
        unsafe { better::<TURNED, _>(best, I::Narrow::load(landed.as_ptr())) }
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
    terrain: &Terrain,
) -> W {
    macro_rules! advance {
        ($from:literal, $to:literal) => {
            if $to <= terrain.pre && terrain.again[$to] == again {
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
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: RowAt) -> W;
}

/// Moves of sixteen lanes onto shared squares.
#[inline(always)]
unsafe fn wide_enter<const TURNED: bool, W: Wide, D: Down<W::Element, W>>(
    mut best: W,
    steps: usize,
    at: RowAt,
    sources: &Sources<W::Element>,
    terrain: &Terrain,
) -> W {
    // SAFETY: as the caller vouches.
    unsafe {
        if let Some(hand) = entry(0, steps, sources, terrain) {
            best = better::<TURNED, _>(best, D::load::<TURNED>(hand, at));
        }
        macro_rules! enter {
            ($from:literal) => {
                if let Some(entry) = entry($from, steps, sources, terrain) {
                    let row = D::load::<TURNED>(entry, at).exchange::<{ bit_of($from) }>();
                    best = best.merge::<{ lanes_where($from, 0) }>(better::<TURNED, _>(best, row));
                }
            };
        }
        enter!(1);
        enter!(2);
        enter!(3);
        enter!(4);
    }
    best
}

impl<T: Element, I: Instructions<T>> Down<T, I::Wide> for Two<I> {
    #[inline(always)]
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: RowAt) -> I::Wide {
        // SAFETY: a row for one piece has five lanes: none, and each pre square.
        unsafe {
            let row = entry.row(at.mask, at.rank);
            let lane = |at: usize| *row.add(at * entry.step);
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
    unsafe fn load<const TURNED: bool>(entry: &Entry<T>, at: RowAt) -> I::Wide {
        // SAFETY: rows for two pieces or more have sixteen lanes.
        unsafe { I::Wide::load(entry.row(at.mask, at.rank)) }
    }
}

macro_rules! wide_row {
    ($row:ident) => {
        impl<T: Element, I: Instructions<T>> Row<T> for $row<I> {
            type Lanes = I::Wide;

            #[inline(always)]
            unsafe fn advance<const TURNED: bool>(
                best: I::Wide,
                steps: usize,
                again: bool,
                own: I::Wide,
                terrain: &Terrain,
            ) -> I::Wide {
                // SAFETY: as the caller vouches.
                unsafe { wide_advance::<TURNED, _>(best, steps, again, own, terrain) }
            }

            #[inline(always)]
            unsafe fn enter<const TURNED: bool>(
                best: I::Wide,
                steps: usize,
                at: RowAt,
                sources: &Sources<T>,
                terrain: &Terrain,
            ) -> I::Wide {
                // SAFETY: as the caller vouches.
                unsafe { wide_enter::<TURNED, _, Self>(best, steps, at, sources, terrain) }
            }
        }
    };
}

wide_row!(Two);
wide_row!(Many);
