//! Turns: the rolls of one side, and what the passes of both come to.
#![expect(unsafe_code, reason = "vector operations")]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use crate::simd::vector::{Element, Lanes};

/// One side's turn, for a row: the sum over rolls that move of chance times best value, and the chance of the others.
#[derive(Clone, Copy)]
pub(crate) struct Turn<L> {
    pub(crate) value: L,
    pub(crate) pass: L,
}

/// A turn before any throw that moves.
#[inline(always)]
pub(crate) unsafe fn idle<L: Lanes>(chance: L::Element) -> Turn<L> {
    // SAFETY: as the caller vouches.
    unsafe { Turn { value: L::splat(L::Element::from_f64(0.0)), pass: L::splat(chance) } }
}

/// Takes one throw into a turn: its best value, or a pass where nothing can be chosen.
#[inline(always)]
pub(crate) unsafe fn roll<const LITTLE: bool, L: Lanes>(
    turn: Turn<L>,
    best: L,
    chance: L::Element,
) -> Turn<L> {
    // SAFETY: as the caller vouches.
    unsafe {
        let chance = L::splat(chance);
        let (value, pass) = (turn.value.add(chance.mul(best)), turn.pass.add(chance));
        // Additions whose result is not taken cost nothing where vectors have masks.
        if LITTLE {
            let limit = L::splat(L::Element::from_f64(1.5));
            Turn {
                value: best.if_less(limit, value, turn.value),
                pass: limit.if_less(best, pass, turn.pass),
            }
        } else {
            let limit = L::splat(L::Element::from_f64(-0.5));
            Turn {
                value: limit.if_less(best, value, turn.value),
                pass: best.if_less(limit, pass, turn.pass),
            }
        }
    }
}

/// The value for the side with the lanes about to roll, with the passes of both sides summed to the end.
#[inline(always)]
pub(crate) unsafe fn solve<L: Lanes>(lanes: Turn<L>, rows: Turn<L>) -> L {
    // SAFETY: as the caller vouches.
    unsafe {
        let zero = L::splat(L::Element::from_f64(0.0));
        let one = L::splat(L::Element::from_f64(1.0));
        let half = L::splat(L::Element::from_f64(0.5));
        let left = one.sub(lanes.pass.mul(rows.pass));
        let solved = lanes.value.add(lanes.pass.mul(rows.value)).div(left);
        // Where nobody can ever move, nothing is left.
        zero.if_less(left, solved, half)
    }
}

#[inline(always)]
pub(crate) unsafe fn abs<L: Lanes>(lanes: L) -> L {
    // SAFETY: as the caller vouches.
    unsafe { lanes.max(L::splat(L::Element::from_f64(0.0)).sub(lanes)) }
}
