//! How precisely a table stores its values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a table stores a value, a chance in 0..=1.
///
/// ```
/// use puabi_tables::Precision;
/// let precision: Precision = "u16".parse()?;
/// assert_eq!(precision.bytes(), 2);
/// assert_eq!(precision.quantised(1.0), 1.0);
/// assert!((precision.quantised(0.3) - 0.3).abs() < 8e-6);
/// # Ok::<(), puabi_tables::PrecisionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// The solver's own eight bytes.
    #[default]
    F64,
    /// The nearest float of four bytes.
    F32,
    /// The nearest multiple of 1/65535, in two bytes.
    U16,
}

impl Precision {
    /// All precisions, finest first.
    pub const ALL: [Self; 3] = [Self::F64, Self::F32, Self::U16];

    /// Returns the number of bytes of a value.
    pub const fn bytes(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::U16 => 2,
        }
    }

    /// Returns the name: `f64`, `f32` or `u16`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::U16 => "u16",
        }
    }

    /// Returns what is read back after `value` was stored.
    pub fn quantised(self, value: f64) -> f64 {
        match self {
            Self::F64 => value,
            Self::F32 => f64::from(to_f32(value)),
            Self::U16 => f64::from(to_u16(value)) / U16_ONE,
        }
    }

    /// Returns a bound of the difference between a value and what is read back; 0 if values are stored unchanged.
    pub(crate) const fn rounding(self) -> f64 {
        match self {
            Self::F64 => 0.0,
            Self::F32 => f32::EPSILON as f64,
            Self::U16 => 1.0 / U16_ONE,
        }
    }

    /// Returns the largest difference between a value and its backup that a sound table may have: what rounding to a coarser
    /// precision leaves, and for f64 the largest tolerance that a solve may be given.
    pub const fn bound(self) -> f64 {
        match self {
            Self::F64 => 1e-12,
            coarse => coarse.rounding(),
        }
    }

    /// Stores `values` in `bytes`, which has exactly their length.
    pub(crate) fn encode(self, values: &[f64], bytes: &mut [u8]) {
        match self {
            Self::F64 => fill(values, bytes, f64::to_le_bytes),
            Self::F32 => fill(values, bytes, |value| to_f32(value).to_le_bytes()),
            Self::U16 => fill(values, bytes, |value| to_u16(value).to_le_bytes()),
        }
    }

    /// Returns the stored value at `at` of `bytes`.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` has fewer values.
    #[inline]
    pub(crate) fn decode(self, bytes: &[u8], at: usize) -> f64 {
        match self {
            Self::F64 => f64::from_le_bytes(word(bytes, at)),
            Self::F32 => f64::from(f32::from_le_bytes(word(bytes, at))),
            Self::U16 => f64::from(u16::from_le_bytes(word(bytes, at))) / U16_ONE,
        }
    }
}

/// The stored `u16` of a certain win.
const U16_ONE: f64 = 65535.0;

#[expect(clippy::cast_possible_truncation, reason = "a coarser precision stores fewer digits")]
fn to_f32(value: f64) -> f32 {
    value as f32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a chance in 0..=1 gives 0..=65535, and the cast saturates"
)]
fn to_u16(value: f64) -> u16 {
    (value * U16_ONE).round() as u16
}

fn fill<const N: usize>(values: &[f64], bytes: &mut [u8], stored: impl Fn(f64) -> [u8; N]) {
    for (word, &value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
        *word = stored(value);
    }
}

#[inline]
fn word<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.as_chunks().0[at]
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of a text that names no precision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a precision: expected f64, f32 or u16")]
pub struct PrecisionError {
    found: String,
}

impl FromStr for Precision {
    type Err = PrecisionError;

    fn from_str(text: &str) -> Result<Self, PrecisionError> {
        let known = Self::ALL.into_iter().find(|precision| precision.name() == text);
        known.ok_or_else(|| PrecisionError { found: text.to_owned() })
    }
}
