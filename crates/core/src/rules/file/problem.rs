//! What is wrong with a rule file: what was found, where, and what would be right.

use crate::board::BoardError;
use crate::board::tile::TileError;
use crate::rules::dice::DiceError;
use crate::rules::error::RuleError;
use crate::rules::rule_set::RuleSet;
use crate::text::located::Located;
use crate::text::wording::hint;

/// What is wrong with a rule file, and where.
pub type RuleFileError = Located<RuleFileProblem>;

/// What is wrong with a rule file: what was found and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleFileProblem {
    /// The text is longer than any rule file.
    #[error("the text has {found} bytes: expected a rule file of at most {max}", max = RuleSet::MAX_TOML_BYTES)]
    TooLong {
        /// Bytes of the text.
        found: usize,
    },
    /// The text is no TOML.
    #[error("this is no TOML: {message}")]
    Syntax {
        /// What was found and what was expected.
        message: String,
    },
    /// A key has no meaning.
    #[error("unknown key `{key}`: expected one of {known}{hint}", hint = hint(key, known.split(", ")))]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys that have a meaning there.
        known: String,
    },
    /// A key that must be there is not.
    #[error("`{key}` is missing: expected {expected}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What its value should be.
        expected: String,
    },
    /// A value has the wrong type or is out of range.
    #[error("`{key}` is {found}: expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        found: String,
        /// What its value should be.
        expected: String,
    },
    /// The dice cannot be read.
    #[error("`dice`: {0}")]
    Dice(DiceError),
    /// A path names no tile.
    #[error("`{key}`: {error}")]
    Tile {
        /// Whose path.
        key: &'static str,
        /// What is no tile.
        error: TileError,
    },
    /// The drawing is no board.
    #[error("`path`: {0}")]
    Board(BoardError),
    /// The rules are no game.
    #[error("`{key}`: {error}")]
    Rules {
        /// The key to change.
        key: &'static str,
        /// What is wrong.
        error: RuleError,
    },
}
