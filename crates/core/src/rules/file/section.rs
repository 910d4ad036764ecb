//! One table of a rule file: its values, and the errors of wrong ones.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::wording::{excerpt, expected};
use crate::{
    Dice, DiceError, RuleError, RuleFileError, Square, StackOrder, Stacks, Turning, TurnsOn,
};

/// The keys of a rule file.
const KEYS: [&str; 18] = [
    "name",
    "path",
    "dice",
    "pieces",
    "goal",
    "safe_rosettes",
    "rosettes_grant_rolls",
    "captures_grant_rolls",
    "exact_exit",
    "turning_square",
    "turning_on",
    "like_captures_like",
    "stack_cap",
    "stack_order",
    "camps_of_one_kind",
    "last_protects_novices",
    "dead_position",
    "first_roll",
];

/// One table of a rule file, in which every key is known.
pub(super) struct Section<'a, 't> {
    pub(super) text: &'t str,
    table: &'a DeTable<'t>,
    /// The beginning of the full names of its keys.
    prefix: &'static str,
    offset: usize,
}

/// A value and its place in the text.
pub(super) type Found<'a, 't> = &'a Spanned<DeValue<'t>>;

impl<'a, 't> Section<'a, 't> {
    /// Opens the whole file.
    pub(super) fn file(text: &'t str, table: &'a DeTable<'t>) -> Result<Self, RuleFileError> {
        Self::open(text, table, "", &KEYS, 0)
    }

    /// Opens the table at `offset` of `text`, each of whose keys must be one of `keys`.
    pub(super) fn open(
        text: &'t str,
        table: &'a DeTable<'t>,
        prefix: &'static str,
        keys: &[&str],
        offset: usize,
    ) -> Result<Self, RuleFileError> {
        let known: Vec<_> = keys.iter().filter_map(|key| key.strip_prefix(prefix)).collect();
        let unknown = table.keys().filter(|key| !known.contains(&&**key.get_ref()));
        // The table is sorted by key: report the unknown key that comes first in the file.
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(Self { text, table, prefix, offset }),
            Some(key) => {
                let name = excerpt(key.get_ref()).into_owned();
                let keys = format!("one of {}", known.join(", "));
                let message = format!("unknown key `{name}`: {}", expected(&name, known, &keys));
                Err(RuleFileError::at(text, key.span().start, &message))
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
            let message = format!("`{key}` is missing: expected {expected}");
            RuleFileError::at(self.text, self.offset, &message)
        })
    }

    /// Reads a value that may be left out; if `read` refuses it, the error says what was `expected`.
    fn optional<T>(
        &self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&DeValue<'t>) -> Option<T>,
    ) -> Result<Option<T>, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(None) };
        read(found.get_ref()).map(Some).ok_or_else(|| self.wrong(key, found, expected))
    }

    pub(super) fn string(&self, key: &'static str) -> Result<Option<String>, RuleFileError> {
        self.optional(key, "a text in quotes", |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn switch(&self, key: &'static str, default: bool) -> Result<bool, RuleFileError> {
        let switch = self.optional(key, "true or false", DeValue::as_bool)?;
        Ok(switch.unwrap_or(default))
    }

    /// Reads a number from 1 to `most`.
    pub(super) fn number(&self, key: &'static str, most: u8) -> Result<Option<u8>, RuleFileError> {
        self.optional(key, &format!("a whole number from 1 to {most}"), |value| {
            let number = value.as_integer()?;
            let number = u8::from_str_radix(number.as_str(), number.radix()).ok()?;
            (1..=most).contains(&number).then_some(number)
        })
    }

    /// Reads one of several named choices.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &'static str,
        names: &[(&str, T)],
    ) -> Result<Option<T>, RuleFileError> {
        let Some(found) = self.get(key) else { return Ok(None) };
        let text = found.get_ref().as_str();
        if let Some(&(_, choice)) = names.iter().find(|(name, _)| Some(*name) == text) {
            return Ok(Some(choice));
        }
        let known: Vec<_> = names.iter().map(|(name, _)| format!("{name:?}")).collect();
        Err(self.misnamed(key, found, names.iter().map(|&(name, _)| name), &known.join(" or ")))
    }

    /// Reads where pieces turn; `turning_on` without `turning_square` is an error.
    pub(super) fn turning(&self) -> Result<Option<Turning>, RuleFileError> {
        let on = self.choice("turning_on", &TurnsOn::NAMES)?;
        match self.number("turning_square", Square::MAX)? {
            Some(square) => Ok(Some(Turning { square, on: on.unwrap_or(TurnsOn::Leaving) })),
            None if on.is_none() => Ok(None),
            None => {
                let expected =
                    "the square of the path at which pieces turn, because `turning_on` is given";
                self.require("turning_square", expected).map(|_| None)
            }
        }
    }

    /// Reads how pieces lie on each other.
    pub(super) fn stacks(&self) -> Result<Stacks, RuleFileError> {
        let Stacks { cap, order, camps_of_one_kind } = Stacks::DEFAULT;
        Ok(Stacks {
            cap: self.number("stack_cap", Stacks::MAX_CAP)?.unwrap_or(cap),
            order: self.choice("stack_order", &StackOrder::NAMES)?.unwrap_or(order),
            camps_of_one_kind: self.switch("camps_of_one_kind", camps_of_one_kind)?,
        })
    }

    pub(super) fn dice(&self) -> Result<Option<Dice>, RuleFileError> {
        let text = self.optional("dice", "a text such as \"4d\" or \"3d0=4\"", |value| {
            value.as_str().map(str::parse)
        })?;
        text.transpose().map_err(|error: DiceError| self.refused("dice", "dice", &error))
    }

    /// Returns the error of a value that does not meet the `expectation`.
    pub(super) fn wrong(
        &self,
        key: &'static str,
        found: Found<'_, '_>,
        expectation: &str,
    ) -> RuleFileError {
        self.misnamed(key, found, [], expectation)
    }

    /// Returns the error of a value that is not one of the `known` names, or does not meet the `expectation`.
    pub(super) fn misnamed<'k>(
        &self,
        key: &'static str,
        found: Found<'_, '_>,
        known: impl IntoIterator<Item = &'k str>,
        expectation: &str,
    ) -> RuleFileError {
        let words = expected(found.get_ref().as_str().unwrap_or_default(), known, expectation);
        let message = format!("`{key}` is {}: {words}", described(found.get_ref()));
        RuleFileError::at(self.text, found.span().start, &message)
    }

    /// Returns the error of rules that are not a game, at the key to change.
    pub(super) fn rule_error(&self, error: &RuleError) -> RuleFileError {
        let key = match error {
            RuleError::Name { .. } | RuleError::PresetName { .. } => "name",
            RuleError::Pieces { .. } => "pieces",
            RuleError::Goal { .. } => "goal",
            RuleError::Turning { .. } => "turning_square",
            RuleError::StackCap { .. } => "stack_cap",
            RuleError::FirstRoll { .. } => "first_roll",
            RuleError::ShortPath { .. } if self.get("dice").is_some() => "dice",
            _ => "path",
        };
        self.refused(key, key, &error)
    }

    /// Returns the error of the value of `key`, at the table itself if the key is left out; the message names `called`.
    pub(super) fn refused(
        &self,
        key: &'static str,
        called: &str,
        error: &dyn std::fmt::Display,
    ) -> RuleFileError {
        let offset = self.get(key).map_or(self.offset, |found| found.span().start);
        RuleFileError::at(self.text, offset, &format!("`{called}`: {error}"))
    }

    /// Returns an error at byte `offset` of a text value, or at its beginning if the value is written with escapes.
    pub(super) fn error_inside(
        &self,
        found: Found<'_, '_>,
        offset: usize,
        message: &impl ToString,
    ) -> RuleFileError {
        let span = found.span();
        let raw = self.text.get(span.start + 1..span.end.saturating_sub(1));
        let plain = raw.is_some() && raw == found.get_ref().as_str();
        let at = if plain { span.start + 1 + offset } else { span.start };
        RuleFileError::at(self.text, at, message)
    }
}

/// Describes a value in the words of an error message.
fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text \"{}\"", excerpt(text)),
        DeValue::Integer(number) => format!("the number {}", excerpt(&number.to_string())),
        DeValue::Float(number) => format!("the number {}", excerpt(&number.to_string())),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Datetime(time) => format!("the date {time}"),
        DeValue::Array(items) => format!("an array of {}", items.len()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
