//! Best: of several blocks, value by value.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use crate::dense::backup::row::{better, never};
use crate::simd::vector::Lanes;

/// The blocks that one throw leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a, T> {
    /// Where the values of the sublayer begin, and by how much each of the blocks among them is further.
    pub(crate) values: *const T,
    pub(crate) links: &'a [u32],
    /// Blocks that are no part of these.
    pub(crate) blocks: &'a [*const T],
}

/// Takes the best of some blocks, value by value.
#[inline(always)]
pub(crate) unsafe fn best_of<const LITTLE: bool, L: Lanes>(
    choice: Choice<'_, L::Element>,
    len: usize,
    to: *mut L::Element,
) {
    const TOGETHER: usize = 4;
    // SAFETY: the caller vouches for `len` elements everywhere, a multiple of the width.
    unsafe {
        let mut at = 0;
        while at + TOGETHER * L::WIDTH <= len {
            best_rows::<TOGETHER, LITTLE, L>(choice, at, to);
            at += TOGETHER * L::WIDTH;
        }
        match (len - at) / L::WIDTH {
            1 => best_rows::<1, LITTLE, L>(choice, at, to),
            2 => best_rows::<2, LITTLE, L>(choice, at, to),
            3 => best_rows::<3, LITTLE, L>(choice, at, to),
            _ => {}
        }
    }
}

/// Takes the best of `blocks` for so many rows from `at` on.
#[inline(always)]
unsafe fn best_rows<const ROWS: usize, const LITTLE: bool, L: Lanes>(
    choice: Choice<'_, L::Element>,
    at: usize,
    to: *mut L::Element,
) {
    // SAFETY: as the caller vouches.
    unsafe {
        let mut best = [L::splat(never::<LITTLE, _>()); ROWS];
        for &link in choice.links {
            take::<ROWS, LITTLE, L>(&mut best, choice.values.add(link as usize + at));
        }
        for &block in choice.blocks {
            take::<ROWS, LITTLE, L>(&mut best, block.add(at));
        }
        for (i, best) in best.into_iter().enumerate() {
            best.store(to.add(at + i * L::WIDTH));
        }
    }
}

/// Takes the rows from here on where they are better.
#[inline(always)]
unsafe fn take<const ROWS: usize, const LITTLE: bool, L: Lanes>(
    best: &mut [L; ROWS],
    rows: *const L::Element,
) {
    for (i, best) in best.iter_mut().enumerate() {
        // SAFETY: as the caller vouches.
        unsafe {
            *best = better::<LITTLE, _>(*best, L::load(rows.add(i * L::WIDTH)));
        }
    }
}
