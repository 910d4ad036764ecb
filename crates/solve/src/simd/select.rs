//! Instruction sets, and which of them the processor has.

use std::fmt;
use std::str::FromStr;

/// A set of instructions that sweeps can use. All sets give the same bits.
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
    /// The instructions that every processor of the target has.
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

/// An instruction set that this processor has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instructions(InstructionSet);

impl Instructions {
    /// Returns the instructions of `set`, or the portable ones if the processor lacks `set`.
    pub(crate) fn new(set: InstructionSet) -> Self {
        Self(if set.is_available() { set } else { InstructionSet::Portable })
    }

    pub(crate) const fn set(self) -> InstructionSet {
        self.0
    }
}

/// The error for a text that does not name an instruction set of this processor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this processor has no instruction set `{found}`: expected one of {available}")]
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
