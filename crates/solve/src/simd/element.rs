//! The numbers that values are swept in: double and single precision.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use std::ops::{Add, Div, Mul, Sub};

/// A number that values are swept in.
pub(crate) trait Element:
    bytemuck::Pod
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Send
    + Sync
    + std::fmt::Debug
{
    /// Rounds from double precision.
    fn from_f64(value: f64) -> Self;
    /// Widens to double precision.
    fn to_f64(self) -> f64;
}

impl Element for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

impl Element for f32 {
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "that is what rounding is")]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}
