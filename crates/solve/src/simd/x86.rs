//! The operations of vectors with registers of AVX-512 and AVX2. The loops give the same bits, but compilers split their
//! exchanges of slots into single numbers, and finkel takes a sixth more time (`docs/results.md`).
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "vector instructions")]
#![expect(clippy::cast_possible_truncation, reason = "there are 16 slots")]

use std::arch::x86_64::{
    _CMP_LT_OQ, _mm256_add_pd, _mm256_add_ps, _mm256_blendv_pd, _mm256_blendv_ps, _mm256_cmp_pd,
    _mm256_cmp_ps, _mm256_cmp_ps_mask, _mm256_div_pd, _mm256_div_ps, _mm256_mask_blend_ps,
    _mm256_max_pd, _mm256_max_ps, _mm256_min_pd, _mm256_min_ps, _mm256_mul_pd, _mm256_mul_ps,
    _mm256_permute4x64_pd, _mm256_permutevar8x32_ps, _mm256_sub_pd, _mm256_sub_ps, _mm512_add_pd,
    _mm512_add_ps, _mm512_cmp_pd_mask, _mm512_cmp_ps_mask, _mm512_div_pd, _mm512_div_ps,
    _mm512_mask_blend_pd, _mm512_mask_blend_ps, _mm512_max_pd, _mm512_max_ps, _mm512_min_pd,
    _mm512_min_ps, _mm512_mul_pd, _mm512_mul_ps, _mm512_permutexvar_pd, _mm512_permutexvar_ps,
    _mm512_sub_pd, _mm512_sub_ps,
};

use crate::simd::element::Element;
use crate::simd::registers::{Loops, Registers};

/// AVX-512. Its operations may be called only in code that is compiled for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512;

/// AVX2. Its operations may be called only in code that is compiled for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2;

/// The same bits as numbers and as registers.
#[derive(Clone, Copy)]
#[repr(C)]
union Bits<A: Copy, B: Copy> {
    numbers: A,
    registers: B,
}

/// A register that may begin at any byte.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned<R>(R);

/// Loads register `at` from an array of numbers, floating-point or integer.
#[inline(always)]
fn register<T: Copy, const N: usize, R: Copy>(numbers: &[T; N], at: usize) -> R {
    debug_assert!((at + 1) * size_of::<R>() <= size_of::<[T; N]>());
    let register = numbers.as_ptr().cast::<Unaligned<R>>().wrapping_add(at);
    // SAFETY: the register lies within the numbers, and any bits are numbers.
    unsafe { (*register).0 }
}

/// Returns the numbers in these registers.
#[inline(always)]
fn numbers<T: Element, const N: usize, R: Copy, const COUNT: usize>(
    registers: [R; COUNT],
) -> [T; N] {
    debug_assert!(size_of::<[T; N]>() == size_of::<[R; COUNT]>());
    // SAFETY: both have the same size, and any bits are numbers.
    unsafe { Bits { registers }.numbers }
}

/// Returns for each of `N` slots the slot from which an exchange takes its number.
#[inline(always)]
fn exchanged<T: From<u8>, const N: usize>(mask: usize) -> [T; N] {
    std::array::from_fn(|slot| T::from((slot ^ mask & (N - 1)) as u8))
}

/// Returns all bits set in each slot whose bit in `slots` is set, and none in the others.
#[inline(always)]
fn taken<T: From<i8>, const N: usize>(slots: u16) -> [T; N] {
    std::array::from_fn(|slot| T::from(-((slots >> slot & 1) as i8)))
}

/// Evaluates an expression for each of the given register indices, and returns the numbers in the resulting registers.
macro_rules! each_register {
    (|$at:ident| $register:expr, [$($index:literal),*]) => {
        numbers([$({
            let $at: usize = $index;
            $register
        }),*])
    };
}

/// Returns numbers by the expression for their kind of register: eight doubles, sixteen singles or eight singles. Other numbers
/// are left to the loops.
macro_rules! avx512 {
    ($loops:expr, |$at:ident| [$doubles:expr, $singles:expr, $eight:expr]) => {
        // SAFETY: `Avx512` is used only in code that is compiled for these instructions, and runs only on processors that have them.
        unsafe {
            match (size_of::<T>(), N) {
                (8, 16) => each_register!(|$at| $doubles, [0, 1]),
                (8, 8) => each_register!(|$at| $doubles, [0]),
                (4, 16) => each_register!(|$at| $singles, [0]),
                (4, 8) => each_register!(|$at| $eight, [0]),
                _ => $loops,
            }
        }
    };
}

/// Returns numbers by the expression for their kind of register: four doubles or eight singles. Others are left to the loops.
macro_rules! avx2 {
    ($loops:expr, |$at:ident| [$doubles:expr, $singles:expr]) => {
        // SAFETY: `Avx2` is used only in code that is compiled for these instructions, and runs only on processors that have them.
        unsafe {
            match (size_of::<T>(), N) {
                (8, 16) => each_register!(|$at| $doubles, [0, 1, 2, 3]),
                (8, 8) => each_register!(|$at| $doubles, [0, 1]),
                (4, 16) => each_register!(|$at| $singles, [0, 1]),
                (4, 8) => each_register!(|$at| $singles, [0]),
                _ => $loops,
            }
        }
    };
}

/// Defines operations that are one instruction for each kind of register.
macro_rules! pairwise {
    ($by:ident: $($method:ident: $($instruction:ident),*;)*) => {$(
        #[inline(always)]
        fn $method<T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
            $by!(Loops::$method(a, b), |at| [$($instruction(register(&a, at), register(&b, at))),*])
        }
    )*};
}

impl Registers for Avx512 {
    pairwise! { avx512:
        add: _mm512_add_pd, _mm512_add_ps, _mm256_add_ps;
        sub: _mm512_sub_pd, _mm512_sub_ps, _mm256_sub_ps;
        mul: _mm512_mul_pd, _mm512_mul_ps, _mm256_mul_ps;
        div: _mm512_div_pd, _mm512_div_ps, _mm256_div_ps;
        max: _mm512_max_pd, _mm512_max_ps, _mm256_max_ps;
        min: _mm512_min_pd, _mm512_min_ps, _mm256_min_ps;
    }

    #[inline(always)]
    fn if_less<T: Element, const N: usize>([a, limit, then, otherwise]: [[T; N]; 4]) -> [T; N] {
        macro_rules! choose {
            ($at:ident, $compare:ident, $blend:ident) => {
                $blend(
                    $compare::<_CMP_LT_OQ>(register(&a, $at), register(&limit, $at)),
                    register(&otherwise, $at),
                    register(&then, $at),
                )
            };
        }
        avx512!(Loops::if_less([a, limit, then, otherwise]), |at| [
            choose!(at, _mm512_cmp_pd_mask, _mm512_mask_blend_pd),
            choose!(at, _mm512_cmp_ps_mask, _mm512_mask_blend_ps),
            choose!(at, _mm256_cmp_ps_mask, _mm256_mask_blend_ps)
        ])
    }

    #[inline(always)]
    fn exchange<const MASK: usize, T: Element, const N: usize>(a: [T; N]) -> [T; N] {
        avx512!(Loops::exchange::<MASK, T, N>(a), |at| [
            _mm512_permutexvar_pd(
                register(&exchanged::<i64, 8>(MASK), 0),
                register(&a, at ^ MASK >> 3)
            ),
            _mm512_permutexvar_ps(register(&exchanged::<i32, 16>(MASK), 0), register(&a, at)),
            _mm256_permutevar8x32_ps(register(&a, at), register(&exchanged::<i32, 8>(MASK), 0))
        ])
    }

    #[inline(always)]
    fn merge<const SLOTS: u16, T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        avx512!(Loops::merge::<SLOTS, T, N>(a, b), |at| [
            _mm512_mask_blend_pd((SLOTS >> (8 * at)) as u8, register(&a, at), register(&b, at)),
            _mm512_mask_blend_ps(SLOTS, register(&a, at), register(&b, at)),
            _mm256_mask_blend_ps(SLOTS as u8, register(&a, at), register(&b, at))
        ])
    }
}

impl Registers for Avx2 {
    pairwise! { avx2:
        add: _mm256_add_pd, _mm256_add_ps;
        sub: _mm256_sub_pd, _mm256_sub_ps;
        mul: _mm256_mul_pd, _mm256_mul_ps;
        div: _mm256_div_pd, _mm256_div_ps;
        max: _mm256_max_pd, _mm256_max_ps;
        min: _mm256_min_pd, _mm256_min_ps;
    }

    #[inline(always)]
    fn if_less<T: Element, const N: usize>([a, limit, then, otherwise]: [[T; N]; 4]) -> [T; N] {
        macro_rules! choose {
            ($at:ident, $compare:ident, $blend:ident) => {
                $blend(
                    register(&otherwise, $at),
                    register(&then, $at),
                    $compare::<_CMP_LT_OQ>(register(&a, $at), register(&limit, $at)),
                )
            };
        }
        avx2!(Loops::if_less([a, limit, then, otherwise]), |at| [
            choose!(at, _mm256_cmp_pd, _mm256_blendv_pd),
            choose!(at, _mm256_cmp_ps, _mm256_blendv_ps)
        ])
    }

    #[inline(always)]
    fn exchange<const MASK: usize, T: Element, const N: usize>(a: [T; N]) -> [T; N] {
        avx2!(Loops::exchange::<MASK, T, N>(a), |at| [
            match MASK & 3 {
                1 => _mm256_permute4x64_pd::<0b10_11_00_01>(register(&a, at ^ MASK >> 2)),
                2 => _mm256_permute4x64_pd::<0b01_00_11_10>(register(&a, at ^ MASK >> 2)),
                3 => _mm256_permute4x64_pd::<0b00_01_10_11>(register(&a, at ^ MASK >> 2)),
                _ => register(&a, at ^ MASK >> 2),
            },
            _mm256_permutevar8x32_ps(
                register(&a, at ^ MASK >> 3),
                register(&exchanged::<i32, 8>(MASK), 0)
            )
        ])
    }

    #[inline(always)]
    fn merge<const SLOTS: u16, T: Element, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
        avx2!(Loops::merge::<SLOTS, T, N>(a, b), |at| [
            _mm256_blendv_pd(
                register(&a, at),
                register(&b, at),
                register(&taken::<i64, 4>(SLOTS >> (4 * at)), 0)
            ),
            _mm256_blendv_ps(
                register(&a, at),
                register(&b, at),
                register(&taken::<i32, 8>(SLOTS >> (8 * at)), 0)
            )
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::select::InstructionSet;

    /// Returns numbers like those of a sweep: chances, sentinels of either side and both zeros. Some slots are equal for several
    /// seeds.
    fn some<T: Element, const N: usize>(seed: usize) -> [T; N] {
        const NUMBERS: [f64; 7] = [0.0, -0.0, 1.0, 0.5, -1.0, 2.0, 0.3];
        std::array::from_fn(|slot| T::from_f64(NUMBERS[(slot * seed + slot / 3 + seed) % 7]))
    }

    fn assert_same<T: Element, const N: usize>(found: [T; N], expected: [T; N], what: &str) {
        let bits = |numbers: [T; N]| numbers.map(|number| number.to_f64().to_bits());
        assert!(bits(found) == bits(expected), "{what} of {N}: {found:?} for {expected:?}");
    }

    fn check<I: Registers, T: Element, const N: usize>() {
        for seed in 1..40 {
            let [a, b, c, d] = [1, 2, 3, 5].map(|factor| some::<T, N>(factor * seed));
            assert_same(I::add(a, b), Loops::add(a, b), "sum");
            assert_same(I::sub(a, b), Loops::sub(a, b), "difference");
            assert_same(I::mul(a, b), Loops::mul(a, b), "product");
            let divisors =
                b.map(|number| if number.to_f64() == 0.0 { T::from_f64(3.0) } else { number });
            assert_same(I::div(a, divisors), Loops::div(a, divisors), "quotient");
            assert_same(I::max(a, b), Loops::max(a, b), "greater");
            assert_same(I::min(a, b), Loops::min(a, b), "lesser");
            assert_same(I::if_less([a, b, c, d]), Loops::if_less([a, b, c, d]), "choice");
            assert_same(
                I::merge::<0b1010_0111_0110_0101, T, N>(a, b),
                Loops::merge::<0b1010_0111_0110_0101, T, N>(a, b),
                "merge",
            );
        }
    }

    fn check_exchanges<I: Registers, T: Element, const N: usize>() {
        fn check<const MASK: usize, I: Registers, T: Element, const N: usize>() {
            let numbers = std::array::from_fn(|slot| T::from_f64(slot as f64));
            let found = I::exchange::<MASK, T, N>(numbers);
            assert_same(found, Loops::exchange::<MASK, T, N>(numbers), "exchange");
        }
        check::<1, I, T, N>();
        check::<3, I, T, N>();
        check::<6, I, T, N>();
        if N == 16 {
            check::<8, I, T, 16>();
            check::<9, I, T, 16>();
            check::<15, I, T, 16>();
        }
    }

    fn check_all<I: Registers>() {
        check::<I, f64, 1>();
        check::<I, f64, 8>();
        check::<I, f64, 16>();
        check::<I, f32, 1>();
        check::<I, f32, 8>();
        check::<I, f32, 16>();
        check_exchanges::<I, f64, 8>();
        check_exchanges::<I, f64, 16>();
        check_exchanges::<I, f32, 8>();
        check_exchanges::<I, f32, 16>();
    }

    #[test]
    fn registers_give_the_bits_that_loops_give() {
        for set in InstructionSet::available() {
            match set {
                InstructionSet::Avx512 => check_all::<Avx512>(),
                InstructionSet::Avx2 => check_all::<Avx2>(),
                InstructionSet::Portable => check_all::<Loops>(),
            }
        }
    }
}
