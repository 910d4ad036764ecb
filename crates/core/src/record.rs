//! Game records: a game as text, to save, resume and pass on. `docs/notation.md` has the grammar.

mod reading;

use std::fmt;
use std::str::FromStr;

use crate::decision::MoveError;
use crate::game::{Game, GameError};
use crate::player::Player;
use crate::rulefile::RuleFileProblem;
use crate::rules::RuleError;
use crate::ruleset::PresetError;
use crate::setup::{PositionError, Setup, SetupError};
use crate::wording::excerpt;

/// A game and what is known about it: who plays, the seed of the dice, anything else.
///
/// ```
/// use puabi_core::Record;
/// let text = "format: urg 1\nrules: finkel\nlight: Ann\n\nL 4 0-4\nL 2 0-2 # not 4-6\nD 0 pass\nL 3\n";
/// let record: Record = text.parse()?;
/// assert_eq!(record.header("light"), Some("Ann"));
/// assert_eq!(record.game.setup().to_string(), "2,4:-:L3");
/// assert_eq!(record.to_string(), text.replace(" # not 4-6", ""));
/// # Ok::<(), puabi_core::RecordError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The game; the headers `rules` and `start` follow from it.
    pub game: Game,
    headers: Vec<(String, String)>,
}

/// The headers that follow from the game and the format.
const OWN_HEADERS: [&str; 3] = ["format", "rules", "start"];
/// The header with the seed of the dice.
const SEED: &str = "seed";
/// The first line of a record.
const FORMAT: &str = "urg 1";

impl Record {
    /// The longest text that is read as a record, in bytes.
    pub const MAX_BYTES: usize = 64 << 20;
    /// The most characters of a header's key.
    pub const MAX_KEY: usize = 40;

    /// Returns the record of `game` without further headers.
    pub const fn new(game: Game) -> Self {
        Self { game, headers: Vec::new() }
    }

    /// Returns the headers beside those that follow from the game, in the order of the text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the value of a header, such as `light`, the name of who plays light.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers().find(|&(known, _)| known == key).map(|(_, value)| value)
    }

    /// Returns the seed of the dice.
    pub fn seed(&self) -> Option<u64> {
        self.header(SEED)?.parse().ok()
    }

    /// Sets a header, such as `light`, `dark` or `seed`; an earlier value is replaced.
    ///
    /// # Errors
    ///
    /// Where the key is none or follows from the game, or where the value has a line break or another control
    /// character, spaces at an end, or is no seed.
    pub fn set_header(&mut self, key: &str, value: &str) -> Result<(), HeaderError> {
        check_header(key, value)?;
        let known = self.headers.iter_mut().find(|(known, _)| known == key);
        match known {
            Some((_, known)) => value.clone_into(known),
            None => self.headers.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }
}

fn check_header(key: &str, value: &str) -> Result<(), HeaderError> {
    let is_word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_key = (1..=Record::MAX_KEY).contains(&key.len()) && key.bytes().all(is_word);
    if !is_key || OWN_HEADERS.contains(&key) {
        return Err(HeaderError::Key { found: excerpt(key).into_owned() });
    }
    if value.trim() != value || value.contains(char::is_control) {
        return Err(HeaderError::Value { key: key.to_owned() });
    }
    let is_seed = value.parse().is_ok_and(|seed: u64| seed.to_string() == value);
    if key == SEED && !is_seed {
        return Err(HeaderError::Seed { found: excerpt(value).into_owned() });
    }
    Ok(())
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule_set = self.game.rules().rule_set();
        writeln!(f, "format: {FORMAT}")?;
        if rule_set.preset().is_some() {
            writeln!(f, "rules: {rule_set}")?;
        } else {
            writeln!(f, "rules: |")?;
            for line in rule_set.to_toml().lines() {
                writeln!(f, "{}", format!("| {line}").trim_end())?;
            }
        }
        let usual = Setup::new(self.game.rules().start(), Player::Light);
        if *self.game.start() != usual {
            writeln!(f, "start: {}", self.game.start())?;
        }
        for (key, value) in self.headers() {
            writeln!(f, "{}", format!("{key}: {value}").trim_end())?;
        }
        writeln!(f)?;
        for ply in self.game.plies() {
            writeln!(f, "{} {} {}", ply.player.letter(), ply.roll, ply.action)?;
        }
        match (self.game.turn(), self.game.pending()) {
            (Some(player), Some(roll)) => writeln!(f, "{} {roll}", player.letter()),
            _ => Ok(()),
        }
    }
}

/// The error of a header that a record cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The key is none, or follows from the game.
    #[error(
        "`{found}` cannot be a header: expected up to {max} of a to z, 0 to 9 and -, and none of format, rules, start",
        max = Record::MAX_KEY
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    line: usize,
    column: usize,
    problem: Box<RecordProblem>,
}

impl RecordError {
    /// Returns the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub const fn problem(&self) -> &RecordProblem {
        &self.problem
    }
}

/// What is wrong with a record: what was found and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// The text is longer than any record that is read.
    #[error("the text has {found} bytes: expected a record of at most {max}", max = Record::MAX_BYTES)]
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
        found: crate::Roll,
        /// The roll that the start names.
        expected: crate::Roll,
    },
    /// A move is missing on a line that is not the last.
    #[error("a roll without a move: expected one, as in `L 3 0-3`, on every ply but the last")]
    NoMove,
    /// The move cannot be read.
    #[error(transparent)]
    Move(MoveError),
    /// The rules forbid the ply.
    #[error(transparent)]
    Game(GameError),
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        reading::read(text)
    }
}
