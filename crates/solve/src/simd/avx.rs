//! Lanes of x86 processors: AVX-512 and AVX2.
#![expect(unsafe_code, reason = "vector intrinsics")]
#![expect(clippy::cast_possible_truncation, reason = "lane masks have sixteen bits at most")]
#![expect(clippy::cast_possible_wrap, reason = "lane numbers are below 16")]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use crate::simd::vector::{Element, Instructions, Lanes, Wide};
use std::arch::x86_64::{
    __m256, __m256d, __m512, __m512d, _CMP_LT_OQ, _mm256_add_pd, _mm256_add_ps, _mm256_blendv_pd,
    _mm256_blendv_ps, _mm256_castsi256_pd, _mm256_castsi256_ps, _mm256_cmp_pd, _mm256_cmp_ps,
    _mm256_div_pd, _mm256_div_ps, _mm256_loadu_pd, _mm256_loadu_ps, _mm256_max_pd, _mm256_max_ps,
    _mm256_min_pd, _mm256_min_ps, _mm256_mul_pd, _mm256_mul_ps, _mm256_permute4x64_pd,
    _mm256_permutevar8x32_ps, _mm256_set1_pd, _mm256_set1_ps, _mm256_setr_epi32,
    _mm256_setr_epi64x, _mm256_storeu_pd, _mm256_storeu_ps, _mm256_sub_pd, _mm256_sub_ps,
    _mm512_add_pd, _mm512_add_ps, _mm512_cmp_pd_mask, _mm512_cmp_ps_mask, _mm512_div_pd,
    _mm512_div_ps, _mm512_loadu_pd, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mask_blend_pd,
    _mm512_mask_blend_ps, _mm512_max_pd, _mm512_max_ps, _mm512_min_pd, _mm512_min_ps,
    _mm512_mul_pd, _mm512_mul_ps, _mm512_permutexvar_pd, _mm512_permutexvar_ps, _mm512_set1_pd,
    _mm512_set1_ps, _mm512_setr_epi64, _mm512_storeu_pd, _mm512_storeu_ps, _mm512_sub_pd,
    _mm512_sub_ps,
};

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
                elements.map(Element::to_f64)
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
