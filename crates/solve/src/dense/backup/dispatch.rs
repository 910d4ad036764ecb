//! The kernel compiled for each instruction set, and the choice among them at run time.
#![expect(unsafe_code, reason = "calls code compiled for instructions found at run time")]

use crate::dense::backup::block::{self, Scratch};
use crate::dense::backup::view::SweepView;
use crate::drive::statistics::{Mode, Tally};
use crate::simd::select::InstructionSet;
use crate::simd::vector::Element;

/// Passes over the slab of this number and these successors with the instructions of `set`.
///
/// # Safety
///
/// As for [`block::pass`]; the processor has the instructions.
pub(crate) unsafe fn pass<T: Element>(
    set: InstructionSet,
    view: &SweepView<'_, T>,
    slab: (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    // SAFETY: the caller promises what `block::pass` asks for, and that the processor has the instructions.
    unsafe {
        match set {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512(view, slab, mode, scratch),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2(view, slab, mode, scratch),
            _ => block::pass(view, slab, mode, scratch),
        }
    }
}

/// # Safety
///
/// As for [`block::pass`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt")]
unsafe fn avx512<T: Element>(
    view: &SweepView<'_, T>,
    slab: (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    // SAFETY: the caller promises it.
    unsafe { block::pass(view, slab, mode, scratch) }
}

/// # Safety
///
/// As for [`block::pass`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn avx2<T: Element>(
    view: &SweepView<'_, T>,
    slab: (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    // SAFETY: the caller promises it.
    unsafe { block::pass(view, slab, mode, scratch) }
}
