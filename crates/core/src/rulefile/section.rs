//! One table of a rule file: its values, and the errors of wrong ones.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{RuleFileError, RuleFileProblem, drawing};
use crate::board::Route;
use crate::dice::Dice;
use crate::rules::RuleError;
use crate::ruleset::{Path, RuleSet};
use crate::wording::{excerpt, hint};

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

const PATH_EXPECTED: &str = "\"bell\", \"masters\", \"aseb\", \"murray\", \"skiriuk\", or a table [path] that draws a board";

/// One table of a rule file, known to hold no key without meaning.
pub(super) struct Section<'a, 't> {
    text: &'t str,
    table: &'a DeTable<'t>,
    /// What stands before its keys where they are named in full.
    prefix: &'static str,
    offset: usize,
}

/// A value and where it stands in the text.
pub(super) type Found<'a, 't> = &'a Spanned<DeValue<'t>>;

impl<'a, 't> Section<'a, 't> {
    /// The whole file.
    pub(super) fn file(text: &'t str, table: &'a DeTable<'t>) -> Result<Self, RuleFileError> {
        Self::open(text, table, "", &KEYS, 0)
    }

    /// The table at `offset` of `text`, where each of its keys is one of `keys`.
    pub(super) fn open(
        text: &'t str,
        table: &'a DeTable<'t>,
        prefix: &'static str,
        keys: &[&str],
        offset: usize,
    ) -> Result<Self, RuleFileError> {
        let known: Vec<_> = keys.iter().filter_map(|key| key.strip_prefix(prefix)).collect();
        let unknown = table.keys().filter(|key| !known.contains(&&**key.get_ref()));
        // The table is sorted by key: report the first in the file.
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Self { text, table, prefix, offset }),
            Some(key) => {
                let name = excerpt(key.get_ref()).into_owned();
                let problem = RuleFileProblem::UnknownKey { key: name, known: known.join(", ") };
                Err(RuleFileError::at(text, key.span().start, problem))
            }
        }
    }

    pub(super) fn get(&self, key: &'static str) -> Option<Found<'a, 't>> {
        self.table.get(key.strip_prefix(self.prefix)?)
    }

    pub(super) fn require(
        &self,
        key: &'static str,
        expected: &str,
    ) -> Result<Found<'a, 't>, RuleFileError> {
        self.get(key).ok_or_else(|| {
            let problem = RuleFileProblem::MissingKey { key, expected: expected.to_owned() };
            RuleFileError::at(self.text, self.offset, problem)
        })
    }

    pub(super) fn string(&self, key: &'static str) -> Result<Option<String>, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(None) };
        match found.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.wrong(key, found, "a text in quotes")),
        }
    }

    pub(super) fn switch(&self, key: &'static str, default: bool) -> Result<bool, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(default) };
        found.get_ref().as_bool().ok_or_else(|| self.wrong(key, found, "true or false"))
    }

    pub(super) fn pieces(&self) -> Result<Option<u8>, RuleFileError> {
        let Some(found) = self.get("pieces") else { return Ok(None) };
        let number = found.get_ref().as_integer();
        let pieces = number.and_then(|n| u8::from_str_radix(n.as_str(), n.radix()).ok());
        if pieces.is_some_and(|pieces| (1..=RuleSet::MAX_PIECES).contains(&pieces)) {
            return Ok(pieces);
        }
        let expected = format!("a number from 1 to {}", RuleSet::MAX_PIECES);
        Err(self.wrong("pieces", found, &expected))
    }

    pub(super) fn dice(&self) -> Result<Option<Dice>, RuleFileError> {
        let Some(found) = self.get("dice") else { return Ok(None) };
        let Some(text) = found.get_ref().as_str() else {
            return Err(self.wrong("dice", found, "a text such as \"4d\" or \"3d0=4\""));
        };
        let dice = text.parse().map_err(RuleFileProblem::Dice);
        dice.map(Some).map_err(|problem| self.error_at_key("dice", problem))
    }

    pub(super) fn path(&self) -> Result<Path, RuleFileError> {
        let found = self.require("path", PATH_EXPECTED)?;
        match found.get_ref() {
            DeValue::Table(table) => {
                let board = drawing::read(self.text, table, found.span().start)?;
                Ok(Path::Drawn(Box::new(board)))
            }
            DeValue::String(name) => Route::named(name).map(Path::Named).ok_or_else(|| {
                let hint = hint(name, Route::ALL.map(Route::name));
                self.wrong("path", found, &format!("{PATH_EXPECTED}{hint}"))
            }),
            _ => Err(self.wrong("path", found, PATH_EXPECTED)),
        }
    }

    /// The error of a value that should be `expected`.
    pub(super) fn wrong(
        &self,
        key: &'static str,
        found: Found<'_, '_>,
        expected: &str,
    ) -> RuleFileError {
        let problem = RuleFileProblem::Value {
            key,
            found: described(found.get_ref()),
            expected: expected.to_owned(),
        };
        RuleFileError::at(self.text, found.span().start, problem)
    }

    /// The error of rules that are no game, at the key to change.
    pub(super) fn rule_error(&self, error: RuleError) -> RuleFileError {
        let key = match error {
            RuleError::Name { .. } | RuleError::PresetName { .. } => "name",
            RuleError::Pieces { .. } => "pieces",
            RuleError::ShortPath { .. } if self.get("dice").is_some() => "dice",
            _ => "path",
        };
        self.error_at_key(key, RuleFileProblem::Rules { key, error })
    }

    /// An error at the value of `key`, or at the table where the key is left out.
    pub(super) fn error_at_key(
        &self,
        key: &'static str,
        problem: RuleFileProblem,
    ) -> RuleFileError {
        let offset = self.get(key).map_or(self.offset, |found| found.span().start);
        RuleFileError::at(self.text, offset, problem)
    }

    /// An error at byte `offset` of a text, or at the whole of it where it is written with escapes.
    pub(super) fn error_inside(
        &self,
        found: Found<'_, '_>,
        offset: usize,
        problem: RuleFileProblem,
    ) -> RuleFileError {
        let span = found.span();
        let raw = self.text.get(span.start + 1..span.end.saturating_sub(1));
        let plain = raw.is_some() && raw == found.get_ref().as_str();
        let at = if plain { span.start + 1 + offset } else { span.start };
        RuleFileError::at(self.text, at, problem)
    }
}

/// What a value is, in the words of an error message.
fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {:?}", excerpt(text)),
        DeValue::Integer(number) => format!("the number {}", excerpt(&number.to_string())),
        DeValue::Float(number) => format!("the number {}", excerpt(&number.to_string())),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Datetime(time) => format!("the date {time}"),
        DeValue::Array(items) => format!("an array of {}", items.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
