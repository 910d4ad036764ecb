//! Vectors of numbers, and the instruction sets they are compiled for.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx;
pub(crate) mod select;
pub(crate) mod vector;
