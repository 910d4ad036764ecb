//! Rule files: a rule set as TOML, read with errors that say where and what would be right.
//!
//! [`RuleSet::to_toml`] writes one canonical text for each rule set, which table headers hold and hashes name;
//! [`RuleSet::from_toml`] reads that and whatever else says the same. `docs/rules.md` describes every key.

mod drawing;
mod section;

use std::borrow::Cow;

use toml::de::DeTable;

use crate::board::{Board, BoardError};
use crate::dice::{Dice, DiceError, Roll};
use crate::ground::Ground;
use crate::quote::quoted;
use crate::rules::RuleError;
use crate::ruleset::{Path, RuleSet};
use crate::stacking::{DeadPosition, StackOrder, TurnsOn};
use crate::tile::{Tile, TileError};
use crate::wording::hint;

use section::Section;

/// What is wrong with a rule file, and where.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = RuleSet::from_toml("path = \"bell\"\npices = 3").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 1));
/// assert!(error.to_string().contains("did you mean `pieces`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RuleFileError {
    line: usize,
    column: usize,
    problem: RuleFileProblem,
}

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

impl RuleFileError {
    /// Returns the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub const fn problem(&self) -> &RuleFileProblem {
        &self.problem
    }

    /// The error of the byte at `offset` of `text`.
    fn at(text: &str, offset: usize, problem: RuleFileProblem) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        Self { line, column: before[line_start..].chars().count() + 1, problem }
    }
}

impl RuleSet {
    /// The longest text that is read as a rule file, in bytes.
    pub const MAX_TOML_BYTES: usize = 1 << 16;

    /// Reads a rule file. The rules it returns always compile.
    ///
    /// `path` must be given; of the other keys, `name` is `unnamed` and the rest as in Finkel's rules where left out.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// let rule_set = RuleSet::from_toml("name = \"Safe Masters\"\npath = \"masters\"\ndice = \"3d0=4\"")?;
    /// assert_eq!(rule_set.pieces, 7);
    /// assert_eq!(RuleSet::from_toml(&rule_set.to_toml())?, rule_set);
    /// # Ok::<(), puabi_core::RuleFileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the text is no rule file, or its rules are no game; the error says line, column, key, what was found and
    /// what would be right.
    pub fn from_toml(text: &str) -> Result<Self, RuleFileError> {
        if text.len() > Self::MAX_TOML_BYTES {
            let problem = RuleFileProblem::TooLong { found: text.len() };
            return Err(RuleFileError::at(text, 0, problem));
        }
        let document = DeTable::parse(text).map_err(|error| syntax_error(text, &error))?;
        let file = Section::file(text, document.get_ref())?;
        let pieces = file.pieces()?.unwrap_or(Self::FINKEL.pieces);
        let rule_set = Self {
            name: file.string("name")?.map_or(Cow::Borrowed("unnamed"), Cow::Owned),
            path: file.path()?,
            dice: file.dice()?.unwrap_or(Self::FINKEL.dice),
            pieces,
            goal: file.number("goal", pieces)?,
            safe_rosettes: file.switch("safe_rosettes", Self::FINKEL.safe_rosettes)?,
            rosettes_grant_rolls: file
                .switch("rosettes_grant_rolls", Self::FINKEL.rosettes_grant_rolls)?,
            captures_grant_rolls: file
                .switch("captures_grant_rolls", Self::FINKEL.captures_grant_rolls)?,
            exact_exit: file.switch("exact_exit", Self::FINKEL.exact_exit)?,
            turning: file.turning()?,
            like_captures_like: file
                .switch("like_captures_like", Self::FINKEL.like_captures_like)?,
            stacks: file.stacks()?,
            last_protects_novices: file
                .switch("last_protects_novices", Self::FINKEL.last_protects_novices)?,
            dead_position: file
                .choice("dead_position", &DeadPosition::NAMES)?
                .unwrap_or(Self::FINKEL.dead_position),
            first_roll: file.number("first_roll", Dice::MAX_ROLL)?.map(Roll::new),
        };
        match rule_set.compile() {
            Ok(rules) => Ok(rules.rule_set().clone()),
            Err(error) => Err(file.rule_error(error)),
        }
    }

    /// Writes these rules as a rule file, the same text for the same rules.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// let text = RuleSet::FINKEL.to_toml();
    /// assert!(text.starts_with("name = \"finkel\"\npath = \"bell\"\ndice = \"4d\"\npieces = 7\n"));
    /// assert_eq!(RuleSet::from_toml(&text), Ok(RuleSet::FINKEL));
    /// ```
    pub fn to_toml(&self) -> String {
        // The table of a drawn board comes last: what follows it would belong to it.
        let (path, drawing) = match &self.path {
            Path::Named(route) => (format!("path = \"{}\"\n", route.name()), String::new()),
            Path::Drawn(board) => (String::new(), drawing(board)),
        };
        format!(
            "name = {}\n{path}dice = \"{}\"\npieces = {}\nsafe_rosettes = {}\nrosettes_grant_rolls = {}\n\
             captures_grant_rolls = {}\n{}{drawing}",
            quoted(&self.name),
            self.dice,
            self.pieces,
            self.safe_rosettes,
            self.rosettes_grant_rolls,
            self.captures_grant_rolls,
            self.rare_keys(),
        )
    }

    /// The keys of what only some games have, where it differs from the games that do not.
    fn rare_keys(&self) -> String {
        let usual = Self::FINKEL;
        let turning = self.turning.map(|it| it.square.to_string());
        let turns_on = self.turning.map(|it| named(&TurnsOn::NAMES, it.on));
        let order = named(&StackOrder::NAMES, self.stacks.order);
        let dead = named(&DeadPosition::NAMES, self.dead_position);
        let goal = self.goal.filter(|&goal| goal != self.pieces);
        let keys = [
            ("goal", goal.map(|goal| goal.to_string())),
            ("exact_exit", (!self.exact_exit).then(|| self.exact_exit.to_string())),
            ("turning_square", turning),
            ("turning_on", turns_on),
            ("like_captures_like", self.like_captures_like.then(|| true.to_string())),
            (
                "stack_cap",
                Some(self.stacks.cap.to_string()).filter(|_| self.stacks.cap != usual.stacks.cap),
            ),
            ("stack_order", Some(order).filter(|_| self.stacks.order != usual.stacks.order)),
            ("camps_of_one_kind", self.stacks.camps_of_one_kind.then(|| true.to_string())),
            ("last_protects_novices", self.last_protects_novices.then(|| true.to_string())),
            ("dead_position", Some(dead).filter(|_| self.dead_position != usual.dead_position)),
            ("first_roll", self.first_roll.map(|roll| roll.to_string())),
        ];
        keys.into_iter()
            .filter_map(|(key, value)| value.map(|value| format!("{key} = {value}\n")))
            .collect()
    }
}

/// The name of a choice, in quotes.
fn named<T: PartialEq + Copy>(names: &[(&str, T)], choice: T) -> String {
    let found = names.iter().find(|(_, known)| *known == choice);
    found.map_or(String::new(), |(name, _)| quoted(name))
}

fn syntax_error(text: &str, error: &toml::de::Error) -> RuleFileError {
    let span = error.span().unwrap_or(0..0);
    let found = text.get(span.clone()).and_then(|found| found.lines().next()).unwrap_or_default();
    let message = match found.chars().take(40).collect::<String>() {
        found if found.is_empty() => error.message().to_owned(),
        found => format!("{}; found `{found}`", error.message()),
    };
    RuleFileError::at(text, span.start, RuleFileProblem::Syntax { message })
}

fn drawing(board: &Board) -> String {
    let names = |path: &[Tile]| path.iter().map(Tile::to_string).collect::<Vec<_>>().join(" ");
    let last = board.tiles().last().map_or(0, |tile| tile.row());
    let lanes: String = (0..=last).map(|row| lane_line(board, row)).collect();
    let (light, dark) = (names(board.light()), names(board.dark()));
    format!("\n[path]\nboard = [\n{lanes}]\nlight = \"{light}\"\ndark = \"{dark}\"\n")
}

fn lane_line(board: &Board, row: u8) -> String {
    let mut signs = String::new();
    for tile in board.tiles().iter().filter(|tile| tile.row() == row) {
        let sign = board.ground(*tile).unwrap_or(Ground::Plain).sign();
        signs.extend(std::iter::repeat_n(' ', usize::from(tile.column()) - 1 - signs.len()));
        signs.push(sign);
    }
    format!("  \"{signs}\",\n")
}
