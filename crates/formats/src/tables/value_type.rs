//! The number formats in which a `.rgu` table stores its values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::tables::error::ForeignTableError;

/// How a `.rgu` table stores a value, a chance in percent from 0 to 100.
///
/// ```
/// use puabi_formats::ValueType;
/// let kind: ValueType = "percent16".parse()?;
/// assert_eq!(kind.bytes(), 2);
/// # Ok::<(), puabi_formats::ForeignTableError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// A multiple of 100/65535 percent in two bytes.
    #[default]
    Percent16,
    /// A float of four bytes.
    F32,
    /// A float of eight bytes.
    F64,
}

/// The number that `percent16` stores for 100 percent.
const PERCENT16_ONE: f64 = 65535.0;

impl ValueType {
    /// All types, the coarsest first.
    pub const ALL: [Self; 3] = [Self::Percent16, Self::F32, Self::F64];

    /// Returns the number of bytes of a value.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Percent16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the name that the metadata uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Percent16 => "percent16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Returns the values, in percent, that `bytes` hold.
    ///
    /// Ignores bytes at the end that are too few for a value.
    pub(crate) fn decode(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Self::Percent16 => {
                read(bytes, |it| f64::from(u16::from_be_bytes(it)) * 100.0 / PERCENT16_ONE)
            }
            Self::F32 => read(bytes, |it| f64::from(f32::from_be_bytes(it))),
            Self::F64 => read(bytes, f64::from_be_bytes),
        }
    }

    /// Appends the stored form of `percent` to `bytes`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a table of f32 stores fewer digits by definition"
    )]
    pub(crate) fn encode(self, percent: f64, bytes: &mut Vec<u8>) {
        match self {
            Self::Percent16 => bytes.extend(to_percent16(percent).to_be_bytes()),
            Self::F32 => bytes.extend((percent as f32).to_be_bytes()),
            Self::F64 => bytes.extend(percent.to_be_bytes()),
        }
    }
}

/// Rounds halves up, as `RoyalUr` does.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0..=100 percent give 0..=65535, and the cast saturates"
)]
fn to_percent16(percent: f64) -> u16 {
    (percent.clamp(0.0, 100.0) / 100.0 * PERCENT16_ONE + 0.5).floor() as u16
}

fn read<const N: usize>(bytes: &[u8], value: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|&it| value(it)).collect()
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ValueType {
    type Err = ForeignTableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|kind| kind.name() == text);
        named.ok_or_else(|| {
            ForeignTableError::Malformed(format!(
                "`{text}` is not a value type of a table: expected percent16, f32 or f64"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_percent16_is_stored_as_it_was_read() {
        for stored in 0..=u16::MAX {
            let percent = ValueType::Percent16.decode(&stored.to_be_bytes())[0];
            assert_eq!(to_percent16(percent), stored);
        }
        assert_eq!(ValueType::Percent16.decode(&[255, 255]), [100.0]);
        assert_eq!(to_percent16(50.0), 32768);
    }
}
