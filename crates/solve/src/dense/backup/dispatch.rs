//! The backup of a block compiled for each instruction set, and the choice among them at run time.
//!
//! For fuzzing, which tests what is read, it is compiled once: each set takes the compiler as long as all the rest of the crate.
#![cfg_attr(
    all(target_arch = "x86_64", not(fuzzing)),
    expect(unsafe_code, reason = "calls code compiled for instructions found at run time")
)]

use crate::dense::backup::block::BlockBackup;
use crate::dense::backup::row::Row;
use crate::drive::statistics::Tally;
use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Loops;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use crate::simd::select::InstructionSet;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use crate::simd::x86::{Avx2, Avx512};

/// Backs up every row of a block with the instructions of its view. There is a function for each kind of row: compilers take far
/// longer for one function with all kinds.
pub(crate) fn pass_rows<T: Element, R: Row<T, N>, M: Mover, const N: usize>(
    block: &mut BlockBackup<'_, T>,
) -> Tally {
    match block.view.instructions.set() {
        // SAFETY: the processor has these instructions, as `Instructions::new` found.
        #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
        InstructionSet::Avx512 => unsafe { avx512::<T, R, M, N>(block) },
        // SAFETY: as above.
        #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
        InstructionSet::Avx2 => unsafe { avx2::<T, R, M, N>(block) },
        #[cfg(not(target_arch = "wasm32"))]
        _ => portable::<T, R, M, N>(block),
        // Every browser of today has these instructions; a page says at once if its browser lacks them.
        #[cfg(target_arch = "wasm32")]
        _ => simd128::<T, R, M, N>(block),
    }
}

#[cfg(target_arch = "wasm32")]
#[target_feature(enable = "simd128")]
fn simd128<T: Element, R: Row<T, N>, M: Mover, const N: usize>(
    block: &mut BlockBackup<'_, T>,
) -> Tally {
    block.pass_rows::<Loops, R, M, N>()
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt")]
fn avx512<T: Element, R: Row<T, N>, M: Mover, const N: usize>(
    block: &mut BlockBackup<'_, T>,
) -> Tally {
    block.pass_rows::<Avx512, R, M, N>()
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<T: Element, R: Row<T, N>, M: Mover, const N: usize>(
    block: &mut BlockBackup<'_, T>,
) -> Tally {
    block.pass_rows::<Avx2, R, M, N>()
}

#[cfg(not(target_arch = "wasm32"))]
#[inline(never)]
fn portable<T: Element, R: Row<T, N>, M: Mover, const N: usize>(
    block: &mut BlockBackup<'_, T>,
) -> Tally {
    block.pass_rows::<Loops, R, M, N>()
}
