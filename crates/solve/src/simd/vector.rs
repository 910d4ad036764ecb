//! Vectors: the few operations that a sweep is made of, on a fixed number of values at once.
//!
//! They are loops over arrays, written once; [`crate::dense::backup::dispatch`] compiles them for each instruction set.
//! None fuses a multiplication with an addition and none approximates, so all sets give the same bits. The loops stand here
//! in full: `std::array::from_fn` may be compiled as a function of its own, without the instructions of its caller.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "vectors are loaded and stored through raw pointers")]

use std::ops::{Add, Div, Mul, Sub};

/// Whether the kernel is compiled to be small: a page fetches it before it runs.
pub(crate) const IS_SMALL: bool = cfg!(target_arch = "wasm32");

/// A number that values are swept in.
pub(crate) trait Element:
    bytemuck::Pod
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Send
    + Sync
    + std::fmt::Debug
{
    /// Rounds from double precision.
    fn from_f64(value: f64) -> Self;
    /// Widens to double precision.
    fn to_f64(self) -> f64;
}

impl Element for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Element for f32 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "that is what rounding is")]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

/// `N` numbers worked on at once, each in its *slot*.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vector<T, const N: usize>(pub(crate) [T; N]);

impl<T: Element, const N: usize> Vector<T, N> {
    /// Reads `N` numbers.
    ///
    /// # Safety
    ///
    /// `N` numbers may be read at `from`, which no other thread writes.
    #[inline(always)]
    pub(crate) unsafe fn load(from: *const T) -> Self {
        // SAFETY: an array of `N` numbers lies there, wherever a number may begin.
        Self(unsafe { from.cast::<[T; N]>().read() })
    }

    /// Writes `N` numbers.
    ///
    /// # Safety
    ///
    /// `N` numbers may be written at `to`, which no other thread reads or writes.
    #[inline(always)]
    pub(crate) unsafe fn store(self, to: *mut T) {
        // SAFETY: there is room for an array of `N` numbers, wherever a number may begin.
        unsafe { to.cast::<[T; N]>().write(self.0) }
    }

    #[inline(always)]
    pub(crate) fn splat(value: f64) -> Self {
        Self([T::from_f64(value); N])
    }

    /// Combines the numbers of each slot.
    #[inline(always)]
    pub(crate) fn zip(self, other: Self, with: impl Fn(T, T) -> T) -> Self {
        let mut combined = self;
        for slot in 0..N {
            combined.0[slot] = with(self.0[slot], other.0[slot]);
        }
        combined
    }

    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.max(Self::splat(0.0) - self)
    }

    /// Returns `then` in the slots that are less than `limit`, `otherwise` in the others.
    #[inline(always)]
    pub(crate) fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
        let mut chosen = otherwise;
        for slot in 0..N {
            let is_less = self.0[slot] < limit.0[slot];
            chosen.0[slot] = if is_less { then.0[slot] } else { otherwise.0[slot] };
        }
        chosen
    }

    /// Returns the number of slot `slot ^ MASK` in each slot.
    #[inline(always)]
    pub(crate) fn exchange<const MASK: usize>(self) -> Self {
        let mut exchanged = self;
        for slot in 0..N {
            exchanged.0[slot] = self.0[slot ^ MASK];
        }
        exchanged
    }

    /// Takes from `other` the slots whose bit in `SLOTS` is set.
    #[inline(always)]
    pub(crate) fn merge<const SLOTS: u16>(self, other: Self) -> Self {
        let mut merged = self;
        for slot in 0..N {
            merged.0[slot] = if SLOTS >> slot & 1 != 0 { other.0[slot] } else { self.0[slot] };
        }
        merged
    }

    /// Returns the numbers in double precision, slot by slot.
    pub(crate) fn wide(self) -> impl Iterator<Item = f64> {
        self.0.into_iter().map(Element::to_f64)
    }
}

macro_rules! slot_by_slot {
    ($($name:ident, $method:ident;)*) => {$(
        impl<T: Element, const N: usize> $name for Vector<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, T::$method)
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
