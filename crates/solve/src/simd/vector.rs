//! Vectors: the few operations that a sweep is made of, on a fixed number of values at once.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "vectors are loaded and stored through raw pointers")]

use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Sub};

use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Registers;

/// `N` numbers that the operations `I` work on at once, each in its *slot*.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector<I, T, const N: usize>(pub(crate) [T; N], PhantomData<I>);

impl<I: Registers, T: Element, const N: usize> Vector<I, T, N> {
    #[inline(always)]
    pub(crate) const fn new(numbers: [T; N]) -> Self {
        Self(numbers, PhantomData)
    }

    /// Reads `N` numbers.
    ///
    /// # Safety
    ///
    /// `N` numbers may be read at `from`, which no other thread writes.
    #[inline(always)]
    pub(crate) unsafe fn load(from: *const T) -> Self {
        // SAFETY: `N` numbers are stored there, and an array of numbers may begin wherever a number may.
        Self::new(unsafe { from.cast::<[T; N]>().read() })
    }

    /// Writes `N` numbers.
    ///
    /// # Safety
    ///
    /// `N` numbers may be written at `to`, which no other thread reads or writes.
    #[inline(always)]
    pub(crate) unsafe fn store(self, to: *mut T) {
        // SAFETY: there is room for `N` numbers, and an array of numbers may begin wherever a number may.
        unsafe { to.cast::<[T; N]>().write(self.0) }
    }

    #[inline(always)]
    pub(crate) fn splat(value: f64) -> Self {
        Self::new([T::from_f64(value); N])
    }

    /// Returns the better number of each slot for the side `M`.
    #[inline(always)]
    pub(crate) fn better<M: Mover>(self, other: Self) -> Self {
        if M::IS_SENIOR { self.max(other) } else { Self::new(I::min(self.0, other.0)) }
    }

    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        Self::new(I::max(self.0, other.0))
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.max(Self::splat(0.0) - self)
    }

    /// Returns `then` in the slots whose number is less than that of `limit`, `otherwise` in the others.
    #[inline(always)]
    pub(crate) fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        Self::new(I::if_less([self.0, limit.0, then.0, otherwise.0]))
    }

    /// Returns the numbers with their slots exchanged: each slot gets the number of slot `slot ^ MASK`.
    #[inline(always)]
    pub(crate) fn exchange<const MASK: usize>(self) -> Self {
        Self::new(I::exchange::<MASK, T, N>(self.0))
    }

    /// Takes from `other` the slots whose bit in `SLOTS` is set.
    #[inline(always)]
    pub(crate) fn merge<const SLOTS: u16>(self, other: Self) -> Self {
        Self::new(I::merge::<SLOTS, T, N>(self.0, other.0))
    }

    /// Returns the numbers in double precision, slot by slot.
    pub(crate) fn wide(self) -> impl Iterator<Item = f64> {
        self.0.into_iter().map(Element::to_f64)
    }
}

macro_rules! slot_by_slot {
    ($($name:ident, $method:ident;)*) => {$(
        impl<I: Registers, T: Element, const N: usize> $name for Vector<I, T, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::new(I::$method(self.0, other.0))
            }
        }
    )*};
}

slot_by_slot! {
    Add, add;
    Sub, sub;
    Mul, mul;
    Div, div;
}
