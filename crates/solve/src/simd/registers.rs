//! The operations of vectors: as loops that every processor can run, or with the registers of one instruction set.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use crate::simd::element::Element;

/// The operations of a [`Vector`](super::vector::Vector) on its `N` numbers, slot by slot. All implementations give the same
/// bits: none fuses a multiplication with an addition, and none approximates.
///
/// The loops here are compiled for the instructions that their caller has. They are written out because `std::array::from_fn` may
/// be compiled as a function of its own, without these instructions.
pub(crate) trait Registers: Copy {
    /// Whether the kernel is compiled to be small rather than fast.
    const IS_SMALL: bool = false;

    #[inline(always)]
    fn add<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, T::add)
    }

    #[inline(always)]
    fn sub<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, T::sub)
    }

    #[inline(always)]
    fn mul<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, T::mul)
    }

    #[inline(always)]
    fn div<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, T::div)
    }

    /// Returns the greater number of each slot, and that of `b` if both are equal.
    #[inline(always)]
    fn max<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    /// Returns the lesser number of each slot, and that of `b` if both are equal.
    #[inline(always)]
    fn min<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    /// Returns `then` in the slots where `a` is less than `limit`, `otherwise` in the others.
    #[inline(always)]
    fn if_less<T: Element, const N: usize>([a, limit, then, otherwise]: [[T; N]; 4]) -> [T; N] {
        let mut chosen = otherwise;
        for slot in 0..N {
            chosen[slot] = if a[slot] < limit[slot] { then[slot] } else { otherwise[slot] };
        }
        chosen
    }

    /// Returns `a` with its slots exchanged: each slot gets the number of slot `slot ^ MASK`.
    #[inline(always)]
    fn exchange<const MASK: usize, T: Element, const N: usize>(a: [T; N]) -> [T; N] {
        let mut exchanged = a;
        for slot in 0..N {
            exchanged[slot] = a[slot ^ MASK];
        }
        exchanged
    }

    /// Returns `b` in the slots whose bit in `SLOTS` is set, `a` in the others.
    #[inline(always)]
    fn merge<const SLOTS: u16, T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        let mut merged = a;
        for slot in 0..N {
            merged[slot] = if SLOTS >> slot & 1 != 0 { b[slot] } else { a[slot] };
        }
        merged
    }
}

/// The operations as plain loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loops;

impl Registers for Loops {
    /// A page fetches the kernel before it runs. And a large kernel of loops is no faster: for x86-64 it takes 8 % longer.
    const IS_SMALL: bool = true;
}

/// Combines the two numbers of each slot by `with`.
#[inline(always)]
fn each<T: Element, const N: usize>(a: [T; N], b: [T; N], with: impl Fn(T, T) -> T) -> [T; N] {
    let mut combined = a;
    for slot in 0..N {
        combined[slot] = with(a[slot], b[slot]);
    }
    combined
}
