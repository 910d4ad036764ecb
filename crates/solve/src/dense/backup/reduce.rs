//! The best of several blocks, value by value.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "blocks that other threads may read are read through raw pointers")]

use crate::dense::layout::block::place_of;
use crate::mover::Mover;
use crate::simd::element::Element;
use crate::simd::registers::Registers;
use crate::simd::vector::Vector;

/// The blocks that one throw leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a, T> {
    /// Where the values of the sublayer begin.
    pub(crate) values: *const T,
    /// Blocks among these values, by the numbers of their places.
    pub(crate) places: &'a [u32],
    /// Blocks elsewhere.
    pub(crate) blocks: &'a [*const T],
}

/// Writes the best of the blocks of `choice` to `to`, value by value.
///
/// # Safety
///
/// Each block has as many values as `to`, which no thread writes at the same time.
#[inline(always)]
pub(crate) unsafe fn reduce_best<I: Registers, T: Element, M: Mover, const N: usize>(
    choice: Choice<'_, T>,
    to: &mut [T],
) {
    // Vectors that are reduced together wait for memory at the same time.
    let together = if I::IS_SMALL { 1 } else { 4 };
    let mut at = 0;
    // SAFETY: `reduce_rows` reads as many values from `at` on as it writes to `to`, which every block has.
    unsafe {
        while at + together * N <= to.len() {
            if I::IS_SMALL {
                reduce_rows::<I, T, M, N, 1>(choice, at, to);
            } else {
                reduce_rows::<I, T, M, N, 4>(choice, at, to);
            }
            at += together * N;
        }
        match (to.len() - at) / N {
            1 if !I::IS_SMALL => reduce_rows::<I, T, M, N, 1>(choice, at, to),
            2 if !I::IS_SMALL => reduce_rows::<I, T, M, N, 2>(choice, at, to),
            3 if !I::IS_SMALL => reduce_rows::<I, T, M, N, 3>(choice, at, to),
            _ => {}
        }
    }
}

/// Writes the best of the blocks of `choice` to `ROWS` vectors of `to` from `at` on.
///
/// # Safety
///
/// Each block has `at + ROWS * N` values, which no thread writes at the same time.
#[inline(always)]
unsafe fn reduce_rows<I: Registers, T: Element, M: Mover, const N: usize, const ROWS: usize>(
    choice: Choice<'_, T>,
    at: usize,
    to: &mut [T],
) {
    let mut best = [Vector::<I, T, N>::splat(M::SENTINEL); ROWS];
    let places = choice.places.iter().map(|&place| choice.values.wrapping_add(place_of(place)));
    // SAFETY: the caller's blocks have this many values.
    unsafe {
        for block in places {
            take_better::<I, T, M, N, ROWS>(&mut best, block.add(at));
        }
        for block in choice.blocks {
            take_better::<I, T, M, N, ROWS>(&mut best, block.add(at));
        }
    }
    for (best, to) in best.into_iter().zip(to[at..].chunks_exact_mut(N)) {
        to.copy_from_slice(&best.0);
    }
}

/// Replaces each value of `best` by the one in `rows` if that is better.
///
/// # Safety
///
/// There are `ROWS * N` values, which no thread writes at the same time.
#[inline(always)]
unsafe fn take_better<I: Registers, T: Element, M: Mover, const N: usize, const ROWS: usize>(
    best: &mut [Vector<I, T, N>; ROWS],
    rows: *const T,
) {
    for (i, best) in best.iter_mut().enumerate() {
        // SAFETY: vector `i` lies within these values.
        *best = best.better::<M>(unsafe { Vector::load(rows.add(i * N)) });
    }
}
