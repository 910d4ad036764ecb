//! The two sides of a sublayer, as types: code that differs by side is compiled once for each.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use crate::simd::element::Element;

/// A side of a sublayer that is about to choose a move.
///
/// While a sublayer is swept, every value is the chance of its senior side, so the senior makes it as large as possible, and the
/// junior as small as possible.
pub(crate) trait Mover: Copy {
    /// The other side.
    type Opponent: Mover<Opponent = Self>;
    /// Whether this is the senior side.
    const IS_SENIOR: bool;
    /// A value that this side never chooses. It fills places without a position, and is the best value of no moves.
    const SENTINEL: f64;
    /// The senior side's chance once this side has won.
    const WON: f64;

    /// Returns the better of two values for this side.
    fn better<T: Element>(a: T, b: T) -> T;

    /// Returns `(senior's, junior's)`, given this side's item and its opponent's.
    #[inline(always)]
    fn pair<V>(own: V, other: V) -> (V, V) {
        if Self::IS_SENIOR { (own, other) } else { (other, own) }
    }
}

/// The senior side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Senior;

/// The junior side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Junior;

impl Mover for Senior {
    type Opponent = Junior;
    const IS_SENIOR: bool = true;
    const SENTINEL: f64 = -1.0;
    const WON: f64 = 1.0;

    #[inline(always)]
    fn better<T: Element>(a: T, b: T) -> T {
        if a > b { a } else { b }
    }
}

impl Mover for Junior {
    type Opponent = Senior;
    const IS_SENIOR: bool = false;
    const SENTINEL: f64 = 2.0;
    const WON: f64 = 0.0;

    #[inline(always)]
    fn better<T: Element>(a: T, b: T) -> T {
        if a < b { a } else { b }
    }
}
