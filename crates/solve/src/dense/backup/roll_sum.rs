//! The rolls of one side, summed, and the pass pair of both.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Registers;
use crate::simd::vector::Vector;

/// One side's rolls for a row: the sum of chance times best value over the rolls that move, and the chance of those that do not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RollSum<I, T, const N: usize> {
    pub(crate) value: Vector<I, T, N>,
    pub(crate) pass: Vector<I, T, N>,
}

impl<I: Registers, T: Element, const N: usize> RollSum<I, T, N> {
    /// Returns the sum before any throw: only rolls of zero, which have the chance `zero_chance`, pass.
    #[inline(always)]
    pub(crate) fn start(zero_chance: f64, slack: f64) -> Self {
        Self { value: Vector::splat(slack), pass: Vector::splat(zero_chance) }
    }

    /// Adds a throw: its best value, or a pass in slots that have no move.
    #[inline(always)]
    pub(crate) fn add_roll<M: Mover>(self, best: Vector<I, T, N>, chance: f64) -> Self {
        let chance = Vector::splat(chance);
        let (value, pass) = (self.value + chance * best, self.pass + chance);
        // The limit is half-way between the chances and the sentinel. Both sums are made first: in vectors with masks, an
        // addition whose result is not taken costs nothing.
        if M::IS_SENIOR {
            let limit = Vector::splat(-0.5);
            Self {
                value: limit.if_less(best, value, self.value),
                pass: best.if_less(limit, pass, self.pass),
            }
        } else {
            let limit = Vector::splat(1.5);
            Self {
                value: best.if_less(limit, value, self.value),
                pass: limit.if_less(best, pass, self.pass),
            }
        }
    }

    /// Returns the value, given that `other` is the value after a pass, with the opponent about to roll.
    #[inline(always)]
    pub(crate) fn with_pass(self, other: Vector<I, T, N>) -> Vector<I, T, N> {
        self.value + self.pass * other
    }

    /// Returns the chance that the two sides do not both pass, one after the other.
    #[inline(always)]
    fn moves(self, other: Self) -> Vector<I, T, N> {
        Vector::splat(1.0) - self.pass * other.pass
    }

    /// Returns `value`, or `draw` on dead boards, on which neither side can ever move.
    #[inline(always)]
    pub(crate) fn if_live(
        self,
        other: Self,
        value: Vector<I, T, N>,
        draw: Vector<I, T, N>,
    ) -> Vector<I, T, N> {
        Vector::splat(0.0).if_less(self.moves(other), value, draw)
    }

    /// Returns the value if both sides may pass any number of times.
    ///
    /// A board and the same board with the other side about to roll lead to each other by passes. Solving both equations
    /// at once takes the place of sweeps that would only pass the turn to and fro.
    #[inline(always)]
    pub(crate) fn solve_pass_pair(self, other: Self) -> Vector<I, T, N> {
        let solved = self.with_pass(other.value) / self.moves(other);
        self.if_live(other, solved, Vector::splat(0.5))
    }
}
