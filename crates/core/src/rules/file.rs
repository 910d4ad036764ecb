//! Rule files: a rule set as TOML, read with errors that say where the fault is and what would be right.
//!
//! [`RuleSet::to_toml`] writes one canonical text for each rule set. Table headers contain this text, and hashes of rule sets
//! are hashes of it. [`RuleSet::from_toml`] reads it, and every other text with the same meaning. `docs/rules.md` describes
//! every key.

mod drawing;
mod section;

use std::borrow::Cow;

use toml::de::DeTable;

use crate::rules::file::section::Section;
use crate::text::quote::quoted;
use crate::{DeadPosition, Dice, Path, Roll, RuleFileError, RuleSet, StackOrder, TurnsOn};

impl RuleSet {
    /// The longest text that is read as a rule file, in bytes.
    pub const MAX_TOML_BYTES: usize = 1 << 16;

    /// Reads a rule file. The rules it returns always compile.
    ///
    /// `path` must be given; of the other keys, a missing `name` is `unnamed`, and the rest default to Finkel's rules.
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
    /// Returns an error if the text is not a rule file, or if its rules are not a game. The error says line, column, key, what
    /// was found and what would be right.
    pub fn from_toml(text: &str) -> Result<Self, RuleFileError> {
        if text.len() > Self::MAX_TOML_BYTES {
            let (found, max) = (text.len(), Self::MAX_TOML_BYTES);
            let message =
                format!("the text has {found} bytes: expected a rule file of at most {max}");
            return Err(RuleFileError::at(text, 0, &message));
        }
        let document = DeTable::parse(text).map_err(|error| syntax_error(text, &error))?;
        let file = Section::file(text, document.get_ref())?;
        let pieces = file.number("pieces", Self::MAX_PIECES)?.unwrap_or(Self::FINKEL.pieces);
        let rule_set = Self {
            name: file.string("name")?.map_or(Cow::Borrowed("unnamed"), Cow::Owned),
            path: drawing::path(&file)?,
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
            Err(error) => Err(file.rule_error(&error)),
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
        // The table of a drawn board comes last: keys after it would belong to it.
        let (path, drawing) = match &self.path {
            Path::Named(route) => (format!("path = \"{}\"\n", route.name()), String::new()),
            Path::Drawn(board) => (String::new(), drawing::write(board)),
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

    /// Returns the lines of the keys that only some games use, except those with the value of Finkel's rules.
    fn rare_keys(&self) -> String {
        let keys = self.all_rare_keys().into_iter().zip(Self::FINKEL.all_rare_keys());
        let lines = keys.filter(|(key, usual)| key != usual);
        let lines = lines.map(|((key, value), _)| format!("{key} = {value}\n"));
        lines.collect::<Vec<_>>().concat()
    }

    /// Returns the keys that only some games use, with their values; the value is empty if the game does not have such a rule.
    fn all_rare_keys(&self) -> [(&'static str, String); 11] {
        let goal = self.goal.filter(|&goal| goal != self.pieces);
        let turns_on = self.turning.map(|it| named(&TurnsOn::NAMES, it.on));
        [
            ("goal", goal.map_or(String::new(), |it| it.to_string())),
            ("exact_exit", self.exact_exit.to_string()),
            ("turning_square", self.turning.map_or(String::new(), |it| it.square.to_string())),
            ("turning_on", turns_on.unwrap_or_default()),
            ("like_captures_like", self.like_captures_like.to_string()),
            ("stack_cap", self.stacks.cap.to_string()),
            ("stack_order", named(&StackOrder::NAMES, self.stacks.order)),
            ("camps_of_one_kind", self.stacks.camps_of_one_kind.to_string()),
            ("last_protects_novices", self.last_protects_novices.to_string()),
            ("dead_position", named(&DeadPosition::NAMES, self.dead_position)),
            ("first_roll", self.first_roll.map_or(String::new(), |it| it.to_string())),
        ]
    }
}

/// Returns the name of a choice, in quotes.
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
    RuleFileError::at(text, span.start, &format!("this is not TOML: {message}"))
}
