//! Instruction sets: which of them the processor has, and the kernel compiled for each.
#![expect(unsafe_code, reason = "calls code compiled for instructions found at run time")]

use std::fmt;
use std::str::FromStr;

use crate::arena::Arena;
use crate::kernel::{self, Scratch};
use crate::lanes::Portable;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::tally::{Mode, Tally};

/// The instructions that sweeps use. All give the same bits.
///
/// ```
/// use puabi_solve::InstructionSet;
/// let best = InstructionSet::best();
/// assert!(InstructionSet::available().any(|set| set == best));
/// assert_eq!("portable".parse(), Ok(InstructionSet::Portable));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructionSet {
    /// 512-bit vectors.
    Avx512,
    /// 256-bit vectors.
    Avx2,
    /// Whatever every processor of the target has.
    Portable,
}

impl InstructionSet {
    /// Returns the sets that this processor has, the fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Avx512, Self::Avx2, Self::Portable].into_iter().filter(|set| set.is_available())
    }

    /// Returns the fastest set that this processor has.
    pub fn best() -> Self {
        Self::available().next().unwrap_or(Self::Portable)
    }

    /// Returns whether this processor has the set.
    #[cfg(target_arch = "x86_64")]
    pub fn is_available(self) -> bool {
        match self {
            Self::Avx512 => {
                Self::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
            }
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            Self::Portable => true,
        }
    }

    /// Returns whether this processor has the set.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn is_available(self) -> bool {
        self == Self::Portable
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of a text that names no instruction set of this processor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is no instruction set of this processor: expected one of {available}")]
pub struct InstructionSetError {
    found: String,
    available: String,
}

impl FromStr for InstructionSet {
    type Err = InstructionSetError;

    fn from_str(text: &str) -> Result<Self, InstructionSetError> {
        Self::available().find(|set| set.name() == text).ok_or_else(|| InstructionSetError {
            found: text.to_owned(),
            available: Self::available().map(Self::name).collect::<Vec<_>>().join(", "),
        })
    }
}

/// A number that the kernel is compiled for.
pub(crate) trait Sweepable: crate::lanes::Element + bytemuck::Pod {
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
