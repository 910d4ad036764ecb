//! What is wrong with a record: what was found, where, and what would be right.

use crate::board::player::Player;
use crate::play::action::MoveError;
use crate::play::game::GameError;
use crate::position::error::PositionError;
use crate::position::setup::SetupError;
use crate::record::grammar::{FORMAT, MAX_BYTES, MAX_KEY};
use crate::record::note::EndingError;
use crate::rules::dice::Roll;
use crate::rules::error::RuleError;
use crate::rules::file::problem::RuleFileProblem;
use crate::rules::rule_set::PresetError;
use crate::text::located::Located;

/// The error of a header that a record cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The key is none, or follows from the game.
    #[error(
        "`{found}` cannot be a header: expected up to {max} of a to z, 0 to 9 and -, and none of format, rules, start",
        max = MAX_KEY
    )]
    Key {
        /// The key.
        found: String,
    },
    /// The value is none.
    #[error(
        "the value of `{key}` has a control character or a space at an end: expected one line of text"
    )]
    Value {
        /// The key.
        key: String,
    },
    /// The seed is none.
    #[error("`{found}` is no seed: expected a whole number from 0 to {max}", max = u64::MAX)]
    Seed {
        /// The value.
        found: String,
    },
}

/// What is wrong with a record, and where.
///
/// ```
/// use puabi_core::Record;
/// let error = "format: urg 1\nrules: finkel\n\nL 4 0-3".parse::<Record>().unwrap_err();
/// assert_eq!(error.to_string(), "line 4, column 5: 0-3 is not legal with a roll of 4: legal is only 0-4");
/// ```
pub type RecordError = Located<RecordProblem>;

/// What is wrong with a record: what was found and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The text is longer than any record that is read.
    #[error("the text has {found} bytes: expected a record of at most {max}", max = MAX_BYTES)]
    TooLong {
        /// Bytes of the text.
        found: usize,
    },
    /// The first line is not that of a record.
    #[error("found `{found}`: expected `format: {FORMAT}` as the first line of a game record")]
    Format {
        /// The first line.
        found: String,
    },
    /// A line before the first blank one is no header.
    #[error("`{found}` is no header: expected `key: value`, or a blank line before the first ply")]
    HeaderLine {
        /// The line.
        found: String,
    },
    /// A header cannot be.
    #[error(transparent)]
    Header(HeaderError),
    /// A header comes twice.
    #[error("a second header `{key}`: expected one")]
    Twice {
        /// The key.
        key: String,
    },
    /// The rules are not named.
    #[error(
        "the header `rules` is missing: expected `rules: finkel`, another preset, or `rules: |` and a rule file"
    )]
    NoRules,
    /// The preset is none.
    #[error(transparent)]
    Preset(PresetError),
    /// The rule file within is none.
    #[error(transparent)]
    RuleFile(RuleFileProblem),
    /// The rules are no game.
    #[error(transparent)]
    Rules(RuleError),
    /// The start cannot be read.
    #[error(transparent)]
    Start(SetupError),
    /// The start breaks the rules.
    #[error(transparent)]
    StartPosition(PositionError),
    /// A line after the headers is no ply.
    #[error("`{found}` is no ply: expected player, roll and move, as in `L 3 0-3`")]
    Ply {
        /// What cannot be read.
        found: String,
    },
    /// It is the other player's turn.
    #[error("found a ply of {found}: expected one of {}, whose turn it is", found.opponent())]
    Turn {
        /// Whose ply it says it is.
        found: Player,
    },
    /// A roll differs from the one that the start names.
    #[error("found a roll of {found}: expected {expected}, which the start names")]
    StartRoll {
        /// The roll of the first ply.
        found: Roll,
        /// The roll that the start names.
        expected: Roll,
    },
    /// A move is missing on a line that is not the last.
    #[error(
        "no move here, but the record goes on: expected one, as in `L 3 0-3`, on every ply but the last"
    )]
    NoMove,
    /// A line in quotes is no tag.
    #[error(
        "`{found}` is no tag: expected a key and a value in quotes, as in `\"Event\": \"Final\"`"
    )]
    Tag {
        /// The line.
        found: String,
    },
    /// The ending cannot be read.
    #[error(transparent)]
    End(EndingError),
    /// The player is said to have won and has not.
    #[error("{found} has not won: expected `won` only where the piece that wins is home")]
    NotWon {
        /// Who is said to have won.
        found: Player,
    },
    /// The game is said to be drawn and is not.
    #[error("the game is not drawn: expected `drawn` only where neither player can ever move")]
    NotDrawn,
    /// The move cannot be read.
    #[error(transparent)]
    Move(MoveError),
    /// The rules forbid the ply.
    #[error(transparent)]
    Game(GameError),
}
