//! Best: of several blocks, value by value.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use crate::lanes::Lanes;
use crate::rows::better;

/// Returns where the best of some blocks lies, value by value: at the only one, or else in `room`, where it is written now.
/// Of none it is `never`.
#[inline(always)]
pub(crate) unsafe fn best_of<const LITTLE: bool, L: Lanes>(
    blocks: &[*const L::Element],
    never: *const L::Element,
    len: usize,
    room: *mut L::Element,
) -> *const L::Element {
    // SAFETY: the caller vouches for `len` elements everywhere, a multiple of the width.
    unsafe {
        match *blocks {
            [] => never,
            [only] => only,
            _ => {
                best_of_some::<LITTLE, L>(blocks, len, room);
                room
            }
        }
    }
}

#[inline(always)]
unsafe fn best_of_some<const LITTLE: bool, L: Lanes>(
    blocks: &[*const L::Element],
    len: usize,
    to: *mut L::Element,
) {
    const TOGETHER: usize = 4;
    // SAFETY: as the caller vouches.
    unsafe {
        let mut at = 0;
        while at + TOGETHER * L::WIDTH <= len {
            best_rows::<TOGETHER, LITTLE, L>(blocks, at, to);
            at += TOGETHER * L::WIDTH;
        }
        match (len - at) / L::WIDTH {
            1 => best_rows::<1, LITTLE, L>(blocks, at, to),
            2 => best_rows::<2, LITTLE, L>(blocks, at, to),
            3 => best_rows::<3, LITTLE, L>(blocks, at, to),
            _ => {}
        }
    }
}

/// Takes the best of `blocks` for so many rows from `at` on.
#[inline(always)]
unsafe fn best_rows<const ROWS: usize, const LITTLE: bool, L: Lanes>(
    blocks: &[*const L::Element],
    at: usize,
    to: *mut L::Element,
) {
    // SAFETY: as the caller vouches; there is a block.
    unsafe {
        let (first, others) = blocks.split_first().unwrap_unchecked();
        let row = |block: &*const L::Element, i: usize| L::load(block.add(at + i * L::WIDTH));
        let mut best: [L; ROWS] = std::array::from_fn(|i| row(first, i));
        for block in others {
            for (i, best) in best.iter_mut().enumerate() {
                *best = better::<LITTLE, _>(*best, row(block, i));
            }
        }
        for (i, best) in best.into_iter().enumerate() {
            best.store(to.add(at + i * L::WIDTH));
        }
    }
}
