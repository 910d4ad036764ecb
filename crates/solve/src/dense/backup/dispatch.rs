//! The kernel compiled for each instruction set, and the choice among them at run time.
#![expect(unsafe_code, reason = "calls code compiled for instructions found at run time")]

use crate::dense::backup::kernel::{self, Scratch};
use crate::dense::backup::view::Arena;
use crate::drive::statistics::{Mode, Tally};
use crate::simd::select::InstructionSet;
use crate::simd::vector::Portable;
#[cfg(target_arch = "x86_64")]
use crate::simd::vector::{Avx2, Avx512};

/// A number that the kernel is compiled for.
pub(crate) trait Sweepable: crate::simd::vector::Element + bytemuck::Pod {
    /// Passes over the slab of this number and these links.
    ///
    /// # Safety
    ///
    /// As for [`kernel::pass`]; the processor has the instructions of `set`.
    unsafe fn pass(
        set: InstructionSet,
        arena: &Arena<'_, Self>,
        slab: (usize, &[u32]),
        mode: Mode,
        scratch: &mut Scratch<Self>,
    ) -> Tally;
}

macro_rules! sweepable {
    ($element:ty) => {
        impl Sweepable for $element {
            unsafe fn pass(
                set: InstructionSet,
                arena: &Arena<'_, Self>,
                slab: (usize, &[u32]),
                mode: Mode,
                scratch: &mut Scratch<Self>,
            ) -> Tally {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt")]
                fn avx512(
                    arena: &Arena<'_, $element>,
                    slab: (usize, &[u32]),
                    mode: Mode,
                    scratch: &mut Scratch<$element>,
                ) -> Tally {
                    // SAFETY: as the caller of the caller vouches.
                    unsafe { kernel::pass::<$element, Avx512>(arena, slab, mode, scratch) }
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
                fn avx2(
                    arena: &Arena<'_, $element>,
                    slab: (usize, &[u32]),
                    mode: Mode,
                    scratch: &mut Scratch<$element>,
                ) -> Tally {
                    // SAFETY: as the caller of the caller vouches.
                    unsafe { kernel::pass::<$element, Avx2>(arena, slab, mode, scratch) }
                }
                // SAFETY: as the caller vouches.
                unsafe {
                    match set {
                        #[cfg(target_arch = "x86_64")]
                        InstructionSet::Avx512 => avx512(arena, slab, mode, scratch),
                        #[cfg(target_arch = "x86_64")]
                        InstructionSet::Avx2 => avx2(arena, slab, mode, scratch),
                        _ => kernel::pass::<$element, Portable>(arena, slab, mode, scratch),
                    }
                }
            }
        }
    };
}

sweepable!(f64);
sweepable!(f32);
