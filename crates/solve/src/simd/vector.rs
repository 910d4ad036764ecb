//! Lanes: the few vector operations that a sweep is made of, for each instruction set.
//!
//! A row holds one value for every pre mask of one side. Sweeps are written once, over these traits, and compiled for
//! AVX-512, AVX2 and plain code. All of them do the same operations in the same order, never fuse a multiplication with
//! an addition and never approximate, so their results have the same bits.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "vector intrinsics and raw rows")]

/// A number that values are swept in.
pub(crate) trait Element:
    Copy + PartialOrd + Send + Sync + std::fmt::Debug + 'static
{
    /// Rounds from double precision.
    fn from_f64(value: f64) -> Self;
    /// Widens to double precision.
    fn to_f64(self) -> f64;
    /// The number `times` a step further.
    fn moved(self, times: Self, step: Self) -> Self;
}

impl Element for f64 {
    #[inline(always)]
    fn moved(self, times: Self, step: Self) -> Self {
        self + times * step
    }
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
    fn moved(self, times: Self, step: Self) -> Self {
        self + times * step
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

/// A few numbers worked on at once.
///
/// # Safety
///
/// Every method may use instructions of its instruction set; the caller makes sure that the processor has them. `load`
/// and `store` touch `WIDTH` elements at their pointer.
pub(crate) trait Lanes: Copy {
    type Element: Element;
    const WIDTH: usize;

    unsafe fn load(from: *const Self::Element) -> Self;
    unsafe fn store(self, to: *mut Self::Element);
    unsafe fn splat(value: Self::Element) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    /// `then` where `self < limit`, `otherwise` elsewhere.
    unsafe fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self;
    /// Widened to double precision, in lane order; the first `WIDTH` of the result count.
    unsafe fn to_array(self) -> [f64; 16];
}

/// Sixteen lanes, one for each pre mask: lane `m` holds the value of mask `m`.
pub(crate) trait Wide: Lanes {
    /// The type of five values, none and each single pre square, in eight lanes.
    type Narrow: Lanes<Element = Self::Element>;

    /// Lane `m` of the result is lane `m ^ MASK` of `self`.
    unsafe fn exchange<const MASK: usize>(self) -> Self;
    /// Takes from `other` the lanes whose bit in `LANES` is set.
    unsafe fn merge<const LANES: u16>(self, other: Self) -> Self;
}

/// An instruction set's lanes of an element.
pub(crate) trait Instructions<T>: 'static {
    type Wide: Wide<Element = T, Narrow = Self::Narrow>;
    type Narrow: Lanes<Element = T>;
}

/// Elements in plain code.
#[derive(Clone, Copy)]
pub(crate) struct Plain<T, const N: usize>([T; N]);

macro_rules! plain_lanes {
    ($element:ty) => {
        impl<const N: usize> Lanes for Plain<$element, N> {
            type Element = $element;
            const WIDTH: usize = N;

            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: the caller vouches for `N` elements.
                Self(unsafe { from.cast::<[$element; N]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: the caller vouches for `N` elements.
                unsafe { to.cast::<[$element; N]>().write_unaligned(self.0) }
            }
            #[inline(always)]
            unsafe fn splat(value: $element) -> Self {
                Self([value; N])
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }
                }))
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }
                }))
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
            }
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] / other.0[i]))
            }
            #[inline(always)]
            unsafe fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    if self.0[i] < limit.0[i] { then.0[i] } else { otherwise.0[i] }
                }))
            }
            #[inline(always)]
            unsafe fn to_array(self) -> [f64; 16] {
                std::array::from_fn(|i| if i < N { self.0[i].to_f64() } else { 0.0 })
            }
        }

        impl Wide for Plain<$element, 16> {
            type Narrow = Plain<$element, 8>;

            #[inline(always)]
            unsafe fn exchange<const MASK: usize>(self) -> Self {
                Self(std::array::from_fn(|i| self.0[i ^ MASK]))
            }
            #[inline(always)]
            unsafe fn merge<const LANES: u16>(self, other: Self) -> Self {
                Self(std::array::from_fn(
                    |i| {
                        if LANES >> i & 1 != 0 { other.0[i] } else { self.0[i] }
                    },
                ))
            }
        }
    };
}

plain_lanes!(f64);
plain_lanes!(f32);

/// A single element.
#[derive(Clone, Copy)]
pub(crate) struct Scalar<T>(pub(crate) T);

macro_rules! scalar_lanes {
    ($element:ty) => {
        // SAFETY (of every block below): the caller vouches for the pointers.
        impl Lanes for Scalar<$element> {
            type Element = $element;
            const WIDTH: usize = 1;
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                Self(unsafe { *from })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                unsafe { *to = self.0 };
            }
            #[inline(always)]
            unsafe fn splat(value: $element) -> Self {
                Self(value)
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Self(if self.0 > other.0 { self.0 } else { other.0 })
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Self(if self.0 < other.0 { self.0 } else { other.0 })
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Self(self.0 * other.0)
            }
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                Self(self.0 / other.0)
            }
            #[inline(always)]
            unsafe fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
                if self.0 < limit.0 { then } else { otherwise }
            }
            #[inline(always)]
            unsafe fn to_array(self) -> [f64; 16] {
                let mut array = [0.0; 16];
                array[0] = self.0.to_f64();
                array
            }
        }
    };
}

scalar_lanes!(f64);
scalar_lanes!(f32);

/// Code for any processor.
pub(crate) struct Portable;

impl Instructions<f64> for Portable {
    type Wide = Plain<f64, 16>;
    type Narrow = Plain<f64, 8>;
}

impl Instructions<f32> for Portable {
    type Wide = Plain<f32, 16>;
    type Narrow = Plain<f32, 8>;
}

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::simd::avx::{Avx2, Avx512};
