//! Lanes: the few vector operations that a sweep is made of, for each instruction set.
//!
//! A row holds one value for every pre mask of one side. Sweeps are written once, over these traits, and compiled for
//! AVX-512, AVX2 and plain code. All of them do the same operations in the same order, never fuse a multiplication with
//! an addition and never approximate, so their results have the same bits.
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
    #[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
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
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Instructions, Lanes, Wide};
    use std::arch::x86_64::*;

    /// AVX-512.
    pub(crate) struct Avx512;
    /// AVX2.
    pub(crate) struct Avx2;

    macro_rules! register_lanes {
        ($name:ident, $element:ty, $register:ty, $count:literal, $each:literal, $load:ident, $store:ident, $splat:ident,
         $max:ident, $min:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $if_less:expr) => {
            #[derive(Clone, Copy)]
            pub(crate) struct $name([$register; $count]);

            impl $name {
                #[inline(always)]
                fn with(self, other: Self, op: impl Fn($register, $register) -> $register) -> Self {
                    Self(std::array::from_fn(|i| op(self.0[i], other.0[i])))
                }
            }

            // SAFETY (of every block below): the caller vouches for the instruction set and the pointers.
            impl Lanes for $name {
                type Element = $element;
                const WIDTH: usize = $count * $each;

                #[inline(always)]
                unsafe fn load(from: *const $element) -> Self {
                    Self(std::array::from_fn(|i| unsafe { $load(from.add(i * $each)) }))
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $element) {
                    for (i, register) in self.0.into_iter().enumerate() {
                        unsafe { $store(to.add(i * $each), register) };
                    }
                }
                #[inline(always)]
                unsafe fn splat(value: $element) -> Self {
                    Self([unsafe { $splat(value) }; $count])
                }
                #[inline(always)]
                unsafe fn max(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $max(a, b) })
                }
                #[inline(always)]
                unsafe fn min(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $min(a, b) })
                }
                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $add(a, b) })
                }
                #[inline(always)]
                unsafe fn sub(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $sub(a, b) })
                }
                #[inline(always)]
                unsafe fn mul(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $mul(a, b) })
                }
                #[inline(always)]
                unsafe fn div(self, other: Self) -> Self {
                    self.with(other, |a, b| unsafe { $div(a, b) })
                }
                #[inline(always)]
                unsafe fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
                    let choose = $if_less;
                    Self(std::array::from_fn(|i| {
                        choose(self.0[i], limit.0[i], then.0[i], otherwise.0[i])
                    }))
                }
                #[inline(always)]
                unsafe fn to_array(self) -> [f64; 16] {
                    let mut elements = [<$element>::default(); 16];
                    unsafe { self.store(elements.as_mut_ptr()) };
                    elements.map(super::Element::to_f64)
                }
            }
        };
    }

    macro_rules! masked_choice {
        ($compare:ident, $blend:ident) => {
            |a, limit, then, otherwise| unsafe {
                $blend($compare::<_CMP_LT_OQ>(a, limit), otherwise, then)
            }
        };
    }

    macro_rules! vector_choice {
        ($compare:ident, $blend:ident) => {
            |a, limit, then, otherwise| unsafe {
                $blend(otherwise, then, $compare::<_CMP_LT_OQ>(a, limit))
            }
        };
    }

    register_lanes!(
        Wide64x512,
        f64,
        __m512d,
        2,
        8,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_set1_pd,
        _mm512_max_pd,
        _mm512_min_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        masked_choice!(_mm512_cmp_pd_mask, _mm512_mask_blend_pd)
    );
    register_lanes!(
        Narrow64x512,
        f64,
        __m512d,
        1,
        8,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_set1_pd,
        _mm512_max_pd,
        _mm512_min_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        masked_choice!(_mm512_cmp_pd_mask, _mm512_mask_blend_pd)
    );
    register_lanes!(
        Wide32x512,
        f32,
        __m512,
        1,
        16,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_set1_ps,
        _mm512_max_ps,
        _mm512_min_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        _mm512_mul_ps,
        _mm512_div_ps,
        masked_choice!(_mm512_cmp_ps_mask, _mm512_mask_blend_ps)
    );
    register_lanes!(
        Wide64x256,
        f64,
        __m256d,
        4,
        4,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_set1_pd,
        _mm256_max_pd,
        _mm256_min_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        vector_choice!(_mm256_cmp_pd, _mm256_blendv_pd)
    );
    register_lanes!(
        Narrow64x256,
        f64,
        __m256d,
        2,
        4,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_set1_pd,
        _mm256_max_pd,
        _mm256_min_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        vector_choice!(_mm256_cmp_pd, _mm256_blendv_pd)
    );
    register_lanes!(
        Wide32x256,
        f32,
        __m256,
        2,
        8,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_set1_ps,
        _mm256_max_ps,
        _mm256_min_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_mul_ps,
        _mm256_div_ps,
        vector_choice!(_mm256_cmp_ps, _mm256_blendv_ps)
    );
    register_lanes!(
        Narrow32x256,
        f32,
        __m256,
        1,
        8,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_set1_ps,
        _mm256_max_ps,
        _mm256_min_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_mul_ps,
        _mm256_div_ps,
        vector_choice!(_mm256_cmp_ps, _mm256_blendv_ps)
    );

    // SAFETY (of every block below): the caller vouches for the instruction set.
    impl Wide for Wide64x512 {
        type Narrow = Narrow64x512;

        #[inline(always)]
        unsafe fn exchange<const MASK: usize>(self) -> Self {
            let low = |x: i64| x ^ (MASK & 7) as i64;
            let order = unsafe {
                _mm512_setr_epi64(low(0), low(1), low(2), low(3), low(4), low(5), low(6), low(7))
            };
            Self(std::array::from_fn(|i| unsafe {
                _mm512_permutexvar_pd(order, self.0[i ^ (MASK >> 3)])
            }))
        }
        #[inline(always)]
        unsafe fn merge<const LANES: u16>(self, other: Self) -> Self {
            Self(std::array::from_fn(|i| unsafe {
                let lanes = (LANES >> (8 * i) & 255) as u8;
                _mm512_mask_blend_pd(lanes, self.0[i], other.0[i])
            }))
        }
    }

    impl Wide for Wide32x512 {
        type Narrow = Narrow32x256;

        #[inline(always)]
        unsafe fn exchange<const MASK: usize>(self) -> Self {
            let order: [i32; 16] = const {
                let mut order = [0; 16];
                let mut i = 0;
                while i < 16 {
                    order[i] = (i ^ MASK) as i32;
                    i += 1;
                }
                order
            };
            unsafe {
                let order = _mm512_loadu_si512(order.as_ptr().cast());
                Self([_mm512_permutexvar_ps(order, self.0[0])])
            }
        }
        #[inline(always)]
        unsafe fn merge<const LANES: u16>(self, other: Self) -> Self {
            Self([unsafe { _mm512_mask_blend_ps(LANES, self.0[0], other.0[0]) }])
        }
    }

    impl Wide for Wide64x256 {
        type Narrow = Narrow64x256;

        #[inline(always)]
        unsafe fn exchange<const MASK: usize>(self) -> Self {
            Self(std::array::from_fn(|i| {
                let register = self.0[i ^ (MASK >> 2)];
                match MASK & 3 {
                    0 => register,
                    1 => unsafe { _mm256_permute4x64_pd::<0b10_11_00_01>(register) },
                    2 => unsafe { _mm256_permute4x64_pd::<0b01_00_11_10>(register) },
                    _ => unsafe { _mm256_permute4x64_pd::<0b00_01_10_11>(register) },
                }
            }))
        }
        #[inline(always)]
        unsafe fn merge<const LANES: u16>(self, other: Self) -> Self {
            let all_ones = |lane: usize| -i64::from(LANES >> lane & 1);
            Self(std::array::from_fn(|i| unsafe {
                let at = 4 * i;
                let lanes = _mm256_setr_epi64x(
                    all_ones(at),
                    all_ones(at + 1),
                    all_ones(at + 2),
                    all_ones(at + 3),
                );
                _mm256_blendv_pd(self.0[i], other.0[i], _mm256_castsi256_pd(lanes))
            }))
        }
    }

    impl Wide for Wide32x256 {
        type Narrow = Narrow32x256;

        #[inline(always)]
        unsafe fn exchange<const MASK: usize>(self) -> Self {
            let low = |x: i32| x ^ (MASK & 7) as i32;
            let order = unsafe {
                _mm256_setr_epi32(low(0), low(1), low(2), low(3), low(4), low(5), low(6), low(7))
            };
            Self(std::array::from_fn(|i| unsafe {
                _mm256_permutevar8x32_ps(self.0[i ^ (MASK >> 3)], order)
            }))
        }
        #[inline(always)]
        unsafe fn merge<const LANES: u16>(self, other: Self) -> Self {
            let all_ones = |lane: usize| -i32::from((LANES >> lane & 1) as u8);
            Self(std::array::from_fn(|i| unsafe {
                let at = 8 * i;
                let lanes = _mm256_setr_epi32(
                    all_ones(at),
                    all_ones(at + 1),
                    all_ones(at + 2),
                    all_ones(at + 3),
                    all_ones(at + 4),
                    all_ones(at + 5),
                    all_ones(at + 6),
                    all_ones(at + 7),
                );
                _mm256_blendv_ps(self.0[i], other.0[i], _mm256_castsi256_ps(lanes))
            }))
        }
    }

    impl Instructions<f64> for Avx512 {
        type Wide = Wide64x512;
        type Narrow = Narrow64x512;
    }

    impl Instructions<f32> for Avx512 {
        type Wide = Wide32x512;
        type Narrow = Narrow32x256;
    }

    impl Instructions<f64> for Avx2 {
        type Wide = Wide64x256;
        type Narrow = Narrow64x256;
    }

    impl Instructions<f32> for Avx2 {
        type Wide = Wide32x256;
        type Narrow = Narrow32x256;
    }
}
