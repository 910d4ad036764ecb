//! The error of bytes that are not a pocket.

use puabi_core::{RuleError, RuleFileError, TooManyPositions};

use crate::models::net::NetError;

/// The error of bytes that are not a pocket.
///
/// ```
/// use puabi_engine::Pocket;
/// let error = Pocket::read(b"finkel").unwrap_err();
/// assert_eq!(error.to_string(), "the file has 6 bytes: a pocket has at least 80");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PocketError {
    /// The file is too short to be a pocket.
    #[error("the file has {found} bytes: a pocket has at least {expected}")]
    Short {
        /// The number of bytes.
        found: usize,
        /// The smallest number of bytes of a pocket.
        expected: usize,
    },
    /// The file does not begin with the bytes of a pocket.
    #[error("the first bytes are not those of a pocket")]
    Magic,
    /// The file is of another version.
    #[error("the pocket is of version {found}: this program reads version {expected}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// The file is longer or shorter than its header says.
    #[error("the pocket has {found} bytes: expected {expected}")]
    Length {
        /// The number of bytes.
        found: usize,
        /// The number of bytes that the header says.
        expected: u64,
    },
    /// A part does not match its checksum.
    #[error("the {part} of the pocket is damaged: it does not match its checksum")]
    Damaged {
        /// The part.
        part: &'static str,
    },
    /// The header is not text.
    #[error("the header of the pocket is not UTF-8")]
    Text,
    /// The header lacks a key, or a value is of the wrong kind or out of range.
    #[error("the header of the pocket is not valid")]
    Header(#[source] Box<toml::de::Error>),
    /// The header says something impossible.
    #[error("the header of the pocket says {what}")]
    Facts {
        /// What it says, and what would be right.
        what: String,
    },
    /// The rules in the header are not a rule file.
    #[error("the rules in the pocket cannot be read")]
    RuleText(#[from] RuleFileError),
    /// The rules in the header are not valid.
    #[error("the rules in the pocket cannot be played")]
    Rules(#[from] RuleError),
    /// The rules have too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The net is not one for the rules.
    #[error("the net of the pocket cannot be read")]
    Net(#[from] NetError),
    /// A shard of a ribbon is too small.
    #[error("a shard of the pocket has {rows} bits: expected 0, or at least 128")]
    Shard {
        /// The bits of the shard.
        rows: u16,
    },
    /// A ribbon has more or fewer bits than its shards say.
    #[error("a ribbon of the pocket has {found} bytes: expected {expected}")]
    Ribbon {
        /// The number of bytes.
        found: usize,
        /// The number of bytes that the shards need.
        expected: usize,
    },
}
