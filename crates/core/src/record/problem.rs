//! What is wrong with a header of a record.

use crate::record::grammar::MAX_KEY;

/// The error of a header that a record cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The key is malformed, or follows from the game.
    #[error(
        "`{found}` cannot be a header: expected up to {max} of a to z, 0 to 9 and -, and none of format, rules, start",
        max = MAX_KEY
    )]
    Key {
        /// The key.
        found: String,
    },
    /// The value is not one line of text.
    #[error(
        "the value of `{key}` has a control character or a space at an end: expected one line of text"
    )]
    Value {
        /// The key.
        key: String,
    },
    /// The seed is not a number of 64 bits.
    #[error("`{found}` is no seed: expected a whole number from 0 to {max}", max = u64::MAX)]
    Seed {
        /// The value.
        found: String,
    },
}
