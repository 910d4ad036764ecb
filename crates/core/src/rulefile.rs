//! Rule files: a rule set as TOML, read with errors that say where and what would be right.
//!
//! [`RuleSet::to_toml`] writes one canonical text for each rule set, which table headers hold and hashes name;
//! [`RuleSet::from_toml`] reads that and whatever else says the same. `docs/rules.md` describes every key.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::board::{Board, BoardError, Route};
use crate::dice::{Dice, DiceError};
use crate::nearest::hint;
use crate::player::Player;
use crate::rules::RuleError;
use crate::ruleset::{Path, RuleSet};
use crate::tile::{MAX_COLUMNS, MAX_ROWS, Tile, TileError};

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
        let file = Section::open(text, document.get_ref(), "", &KEYS, 0)?;
        let rule_set = Self {
            name: file.string("name")?.map_or(Cow::Borrowed("unnamed"), Cow::Owned),
            path: file.path()?,
            dice: file.dice()?.unwrap_or(Self::FINKEL.dice),
            pieces: file.pieces()?.unwrap_or(Self::FINKEL.pieces),
            safe_rosettes: file.switch("safe_rosettes", Self::FINKEL.safe_rosettes)?,
            rosettes_grant_rolls: file
                .switch("rosettes_grant_rolls", Self::FINKEL.rosettes_grant_rolls)?,
            captures_grant_rolls: file
                .switch("captures_grant_rolls", Self::FINKEL.captures_grant_rolls)?,
        };
        match rule_set.compile() {
            Ok(_) => Ok(rule_set),
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
        let mut text = format!("name = {}\n", quoted(&self.name));
        if let Path::Named(route) = &self.path {
            text += &format!("path = \"{}\"\n", route.name());
        }
        text += &format!("dice = \"{}\"\npieces = {}\n", self.dice, self.pieces);
        text += &format!("safe_rosettes = {}\n", self.safe_rosettes);
        text += &format!("rosettes_grant_rolls = {}\n", self.rosettes_grant_rolls);
        text += &format!("captures_grant_rolls = {}\n", self.captures_grant_rolls);
        if let Path::Drawn(board) = &self.path {
            text += &board_section(board);
        }
        text
    }
}

fn syntax_error(text: &str, error: &toml::de::Error) -> RuleFileError {
    let span = error.span().unwrap_or(0..0);
    let found = text.get(span.clone()).and_then(|found| found.lines().next()).unwrap_or_default();
    let mut message = error.message().to_owned();
    if !found.is_empty() {
        message += &format!("; found `{}`", found.chars().take(40).collect::<String>());
    }
    RuleFileError::at(text, span.start, RuleFileProblem::Syntax { message })
}

/// The keys of a rule file.
const KEYS: [&str; 7] = [
    "name",
    "path",
    "dice",
    "pieces",
    "safe_rosettes",
    "rosettes_grant_rolls",
    "captures_grant_rolls",
];
/// The keys of a drawn board.
const PATH_KEYS: [&str; 3] = ["path.board", "path.light", "path.dark"];

const PATH_EXPECTED: &str = "\"bell\", \"masters\", \"aseb\", \"murray\", \"skiriuk\", or a table [path] that draws a board";
const BOARD_EXPECTED: &str =
    "an array of one string a lane, such as \"*...  *.\": . a tile, * a rosette, space nothing";
const TILES_EXPECTED: &str =
    "the tiles of a path in order, such as \"A4 A3 A2 A1 B1\", or an array of them";

/// One table of a rule file, known to hold no key without meaning.
struct Section<'a, 't> {
    text: &'t str,
    table: &'a DeTable<'t>,
    /// What stands before its keys in `KEYS` and `PATH_KEYS`.
    prefix: &'static str,
    offset: usize,
}

type Found<'a, 't> = &'a Spanned<DeValue<'t>>;

impl<'a, 't> Section<'a, 't> {
    fn open(
        text: &'t str,
        table: &'a DeTable<'t>,
        prefix: &'static str,
        keys: &[&str],
        offset: usize,
    ) -> Result<Self, RuleFileError> {
        let unknown = |key: &&Spanned<_>| {
            let name: &Cow<'_, str> = key.get_ref();
            !keys.iter().any(|known| known.strip_prefix(prefix) == Some(name))
        };
        // The table is sorted by key: report the first in the file.
        match table.keys().filter(unknown).min_by_key(|key| key.span().start) {
            None => Ok(Self { text, table, prefix, offset }),
            Some(key) => {
                let known: Vec<_> =
                    keys.iter().filter_map(|key| key.strip_prefix(prefix)).collect();
                let problem = RuleFileProblem::UnknownKey {
                    key: key.get_ref().to_string(),
                    known: known.join(", "),
                };
                Err(RuleFileError::at(text, key.span().start, problem))
            }
        }
    }

    fn get(&self, key: &'static str) -> Option<Found<'a, 't>> {
        self.table.get(key.strip_prefix(self.prefix)?)
    }

    fn require(&self, key: &'static str, expected: &str) -> Result<Found<'a, 't>, RuleFileError> {
        let missing = || RuleFileProblem::MissingKey { key, expected: expected.to_owned() };
        self.get(key).ok_or_else(|| RuleFileError::at(self.text, self.offset, missing()))
    }

    /// The error of a value that should be `expected`.
    fn wrong(&self, key: &'static str, found: Found<'a, 't>, expected: &str) -> RuleFileError {
        let problem = RuleFileProblem::Value {
            key,
            found: described(found.get_ref()),
            expected: expected.to_owned(),
        };
        RuleFileError::at(self.text, found.span().start, problem)
    }

    fn string(&self, key: &'static str) -> Result<Option<String>, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(None) };
        match found.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.wrong(key, found, "a text in quotes")),
        }
    }

    fn switch(&self, key: &'static str, default: bool) -> Result<bool, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(default) };
        found.get_ref().as_bool().ok_or_else(|| self.wrong(key, found, "true or false"))
    }

    fn pieces(&self) -> Result<Option<u8>, RuleFileError> {
        let Some(found) = self.get("pieces") else { return Ok(None) };
        let number = found.get_ref().as_integer();
        let number = number.and_then(|n| u8::from_str_radix(n.as_str(), n.radix()).ok());
        let expected = || format!("a number from 1 to {}", RuleSet::MAX_PIECES);
        match number.filter(|pieces| (1..=RuleSet::MAX_PIECES).contains(pieces)) {
            Some(pieces) => Ok(Some(pieces)),
            None => Err(self.wrong("pieces", found, &expected())),
        }
    }

    fn dice(&self) -> Result<Option<Dice>, RuleFileError> {
        let Some(found) = self.get("dice") else { return Ok(None) };
        let Some(text) = found.get_ref().as_str() else {
            return Err(self.wrong("dice", found, "a text such as \"4d\" or \"3d0=4\""));
        };
        let problem = |error| RuleFileProblem::Dice(error);
        let dice = text
            .parse()
            .map_err(|error| RuleFileError::at(self.text, found.span().start, problem(error)))?;
        Ok(Some(dice))
    }

    fn path(&self) -> Result<Path, RuleFileError> {
        let found = self.require("path", PATH_EXPECTED)?;
        match found.get_ref() {
            DeValue::Table(table) => {
                let at = found.span().start;
                let drawing = Section::open(self.text, table, "path.", &PATH_KEYS, at)?;
                Ok(Path::Drawn(Box::new(drawing.board()?)))
            }
            DeValue::String(name) => {
                let names = Route::ALL.map(Route::name);
                let expected = || format!("{PATH_EXPECTED}{}", hint(name, names));
                let route = Route::named(name).map(Path::Named);
                route.ok_or_else(|| self.wrong("path", found, &expected()))
            }
            _ => Err(self.wrong("path", found, PATH_EXPECTED)),
        }
    }

    /// The error of rules that are no game, at the key to change.
    fn rule_error(&self, error: RuleError) -> RuleFileError {
        let key = match error {
            RuleError::Name { .. } | RuleError::PresetName { .. } => "name",
            RuleError::Pieces { .. } => "pieces",
            RuleError::ShortPath { .. } if self.get("dice").is_some() => "dice",
            _ => "path",
        };
        let offset = self.get(key).map_or(0, |found| found.span().start);
        RuleFileError::at(self.text, offset, RuleFileProblem::Rules { key, error })
    }
}

/// The drawing of a board in the table `path`.
impl Section<'_, '_> {
    fn board(&self) -> Result<Board, RuleFileError> {
        let (tiles, rosettes) = self.drawing()?;
        let light = self.tiles("path.light", self.require("path.light", TILES_EXPECTED)?)?;
        let dark = match self.get("path.dark") {
            Some(found) => self.tiles("path.dark", found)?,
            None => mirrored(&tiles, &light),
        };
        Board::new(tiles, rosettes, light, dark).map_err(|error| self.board_error(error))
    }

    fn drawing(&self) -> Result<(Vec<Tile>, Vec<Tile>), RuleFileError> {
        const KEY: &str = "path.board";
        let found = self.require(KEY, BOARD_EXPECTED)?;
        let lanes =
            found.get_ref().as_array().ok_or_else(|| self.wrong(KEY, found, BOARD_EXPECTED))?;
        if lanes.is_empty() || lanes.len() > usize::from(MAX_ROWS) {
            let problem = RuleFileProblem::Value {
                key: KEY,
                found: format!("an array of {} lanes", lanes.len()),
                expected: format!("1 to {MAX_ROWS} lanes"),
            };
            return Err(RuleFileError::at(self.text, found.span().start, problem));
        }
        let (mut tiles, mut rosettes) = (Vec::new(), Vec::new());
        for (row, lane) in (0..).zip(lanes) {
            let Some(signs) = lane.get_ref().as_str() else {
                return Err(self.wrong(KEY, lane, BOARD_EXPECTED));
            };
            for (index, (offset, sign)) in signs.char_indices().enumerate() {
                let tile = u8::try_from(index + 1).ok().and_then(|column| Tile::new(row, column));
                match (sign, tile) {
                    (' ', _) => continue,
                    ('.', Some(tile)) => tiles.push(tile),
                    ('*', Some(tile)) => {
                        tiles.push(tile);
                        rosettes.push(tile);
                    }
                    _ => return Err(self.bad_sign(lane.span(), signs, offset, row, index)),
                }
            }
        }
        Ok((tiles, rosettes))
    }

    fn bad_sign(
        &self,
        span: Range<usize>,
        signs: &str,
        offset: usize,
        row: u8,
        index: usize,
    ) -> RuleFileError {
        let sign = signs[offset..].chars().next().unwrap_or(' ');
        let place = format!(
            "`{}` in column {} of lane {}",
            sign.escape_default(),
            index + 1,
            lane_letter(row)
        );
        let expected = if index < usize::from(MAX_COLUMNS) {
            ". for a tile, * for a rosette or a space for nothing".to_owned()
        } else {
            format!("at most {MAX_COLUMNS} columns")
        };
        let problem = RuleFileProblem::Value { key: "path.board", found: place, expected };
        RuleFileError::at(self.text, self.inside(span, signs, offset), problem)
    }

    /// The place of a byte of a string's value in the file, or of the string where it is written with escapes.
    fn inside(&self, span: Range<usize>, value: &str, offset: usize) -> usize {
        match self.text.get(span.start + 1..span.end.saturating_sub(1)) {
            Some(raw) if raw == value => span.start + 1 + offset,
            _ => span.start,
        }
    }

    fn tiles(&self, key: &'static str, found: Found<'_, '_>) -> Result<Vec<Tile>, RuleFileError> {
        let mut tiles = Vec::new();
        let items = match found.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![found],
        };
        for item in items {
            let Some(names) = item.get_ref().as_str() else {
                let problem = RuleFileProblem::Value {
                    key,
                    found: described(item.get_ref()),
                    expected: TILES_EXPECTED.to_owned(),
                };
                return Err(RuleFileError::at(self.text, item.span().start, problem));
            };
            for name in names.split_whitespace() {
                let offset = name.as_ptr() as usize - names.as_ptr() as usize;
                let tile = name.parse().map_err(|error| {
                    let at = self.inside(item.span(), names, offset);
                    RuleFileError::at(self.text, at, RuleFileProblem::Tile { key, error })
                })?;
                tiles.push(tile);
            }
        }
        Ok(tiles)
    }

    /// The error of a drawing that is no board, at the path to change.
    fn board_error(&self, error: BoardError) -> RuleFileError {
        let key = match error.player() {
            Some(Player::Light) => "path.light",
            Some(Player::Dark) => "path.dark",
            None => "path.board",
        };
        let offset = self.get(key).map_or(self.offset, |found| found.span().start);
        RuleFileError::at(self.text, offset, RuleFileProblem::Board(error))
    }
}

/// Light's path seen from the other side of the board: dark's where a file gives none.
fn mirrored(tiles: &[Tile], light: &[Tile]) -> Vec<Tile> {
    let last = tiles.iter().map(|tile| tile.row()).max().unwrap_or(0);
    light.iter().map(|tile| Tile::at(last.saturating_sub(tile.row()), tile.column())).collect()
}

fn lane_letter(row: u8) -> char {
    char::from(b'A' + row)
}

/// What a value is, in the words of an error message.
fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            let shown: String = text.chars().take(40).collect();
            let rest = if shown.len() < text.len() { "..." } else { "" };
            format!("the text \"{}{rest}\"", shown.escape_debug())
        }
        DeValue::Integer(number) => format!("the number {}", short(&number.to_string())),
        DeValue::Float(number) => format!("the number {}", short(&number.to_string())),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Datetime(time) => format!("the date {time}"),
        DeValue::Array(items) => format!("an array of {}", items.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn board_section(board: &Board) -> String {
    let names = |path: &[Tile]| path.iter().map(Tile::to_string).collect::<Vec<_>>().join(" ");
    let last = board.tiles().last().map_or(0, |tile| tile.row());
    let mut text = String::from("\n[path]\nboard = [\n");
    for row in 0..=last {
        text += &format!("  \"{}\",\n", lane_signs(board, row));
    }
    text + &format!("]\nlight = \"{}\"\ndark = \"{}\"\n", names(board.light()), names(board.dark()))
}

fn lane_signs(board: &Board, row: u8) -> String {
    let mut signs = String::new();
    for tile in board.tiles().iter().filter(|tile| tile.row() == row) {
        let sign = if board.is_rosette(*tile) { '*' } else { '.' };
        signs.extend(std::iter::repeat_n(' ', usize::from(tile.column()) - 1 - signs.len()));
        signs.push(sign);
    }
    signs
}
