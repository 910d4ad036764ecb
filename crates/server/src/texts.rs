//! The words of the page and the terminal in the reader's language. The English text is the key of its translations.
//!
//! The translations are those in `page/texts`: the page loads the same files. `scripts/check-texts` fails if a text of
//! either has none.

use std::collections::HashMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::OnceLock;

/// A language that the program speaks.
///
/// ```
/// use puabi_server::Language;
/// let german: Language = "de".parse()?;
/// assert_eq!(german.text("{player} wins.", &[("player", &german.translate("light"))]), "Hell gewinnt.");
/// assert_eq!(Language::English.text("{player} wins.", &[("player", &"light")]), "light wins.");
/// # Ok::<(), puabi_server::UnknownLanguage>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// The language of every key.
    #[default]
    English,
    /// Words from the left, a comma in numbers.
    German,
    /// Words from the right; numbers, moves and names of tiles from the left.
    Arabic,
}

/// The error of a code that is not that of a language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language: expected en, de or ar")]
pub struct UnknownLanguage(String);

/// The translations of a language by their English texts.
type Words = HashMap<String, String>;

/// The fewest letters beside its places that a text needs to be recognised by them.
const TELLING: usize = 5;

/// Opens a part of a line that is read from the left, and closes it; neither takes a column.
const FROM_THE_LEFT: [char; 2] = ['\u{2066}', '\u{2069}'];

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::Arabic];

    /// Returns the code, as in `LANG`.
    ///
    /// ```
    /// assert_eq!(puabi_server::Language::Arabic.code(), "ar");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Arabic => "ar",
        }
    }

    /// Returns the language in the first of the variables that is set in an environment; English if that language is not known
    /// here.
    ///
    /// ```
    /// use puabi_server::Language;
    /// let of = |set: &[(&str, &str)]| {
    ///     let value = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
    ///     Language::of_environment(value)
    /// };
    /// assert_eq!(of(&[("LANG", "de_AT.UTF-8")]), Language::German);
    /// assert_eq!(of(&[("LANG", "de_AT.UTF-8"), ("LC_ALL", "C")]), Language::English);
    /// assert_eq!(of(&[("LC_ALL", "C"), ("UR_LANGUAGE", "ar")]), Language::Arabic);
    /// ```
    pub fn of_environment(value: impl Fn(&str) -> Option<String>) -> Self {
        let names = ["UR_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"];
        let wanted = names.into_iter().filter_map(value).find(|value| !value.is_empty());
        let wanted = wanted.unwrap_or_default().to_lowercase();
        let code = wanted.split(['_', '-', '.', '@']).next().unwrap_or_default();
        code.parse().unwrap_or_default()
    }

    /// Returns the translation of a text of the program, with `values` in its places, as in `{player} wins.`; a text without a
    /// translation stays English.
    pub fn text(self, text: &str, values: &[(&str, &dyn Display)]) -> String {
        let mut rest = self.words().get(text).map_or(text, String::as_str);
        let mut filled = String::new();
        while let Some((before, place, after)) = next_place(rest) {
            filled.push_str(before);
            match values.iter().find(|(name, _)| *name == place) {
                Some((_, value)) => filled.push_str(&self.isolated(value.to_string())),
                None => filled.push_str(&rest[before.len()..rest.len() - after.len()]),
            }
            rest = after;
        }
        filled + rest
    }

    /// Translates a sentence that a library said in English, and its parts. A sentence that is not known stays English.
    ///
    /// ```
    /// use puabi_server::Language;
    /// let sentence = "left the rosette A4 and cost 3.2 points";
    /// assert_eq!(Language::German.translate(sentence), "verließ die Rosette A4 und kostete 3,2 Punkte");
    /// ```
    pub fn translate(self, sentence: impl Display) -> String {
        let sentence = sentence.to_string();
        if self == Self::English {
            return sentence;
        }
        if let Some(known) = self.words().get(&sentence) {
            return known.clone();
        }
        let by_places = self.patterns().iter().find_map(|pattern| {
            let found = values(&pattern.parts, &sentence)?;
            let translated: Vec<_> = found.into_iter().map(|value| self.translate(value)).collect();
            let named = pattern.places.iter().zip(&translated);
            let named: Vec<_> = named.map(|(name, value)| (*name, value as &dyn Display)).collect();
            Some(self.text(pattern.text, &named))
        });
        by_places.unwrap_or_else(|| self.number(sentence))
    }

    /// Translates each line of a text, as [`Language::translate`] does.
    pub fn lines(self, text: &str) -> String {
        text.split('\n').map(|line| self.translate(line)).collect::<Vec<_>>().join("\n")
    }

    /// Returns a number as this language writes it; other words stay as they are.
    ///
    /// ```
    /// use puabi_server::Language;
    /// assert_eq!(Language::German.number("-2.87"), "-2,87");
    /// assert_eq!(Language::German.number("5,610,131.5 kB"), "5.610.131,5 kB");
    /// assert_eq!(Language::German.number("A4."), "A4.");
    /// ```
    pub fn number(self, number: impl Display) -> String {
        let number = number.to_string();
        if self != Self::German || !is_number(&number) {
            return number;
        }
        let turned = |sign| match sign {
            '.' => ',',
            ',' => '.',
            sign => sign,
        };
        number.chars().map(turned).collect()
    }

    /// Returns a value for the inside of a sentence. In Arabic, marks keep a value that reads from the left in that order.
    fn isolated(self, value: String) -> String {
        let is_arabic = |letter: char| ('\u{0600}'..='\u{06ff}').contains(&letter);
        let is_word = value.contains(is_arabic) && !value.contains(['→', '>']);
        let is_count = value.bytes().all(|byte| byte.is_ascii_digit());
        if self != Self::Arabic || is_word || is_count {
            return value;
        }
        let [open, close] = FROM_THE_LEFT;
        format!("{open}{value}{close}")
    }

    fn words(self) -> &'static Words {
        static WORDS: [OnceLock<Words>; 3] = [const { OnceLock::new() }; 3];
        WORDS[self as usize].get_or_init(|| match self {
            Self::English => Words::new(),
            Self::German => read(include_str!("../page/texts/de.js")),
            Self::Arabic => read(include_str!("../page/texts/ar.js")),
        })
    }

    /// Returns the texts with places, those with more words of their own first.
    fn patterns(self) -> &'static [Pattern] {
        static PATTERNS: [OnceLock<Vec<Pattern>>; 3] = [const { OnceLock::new() }; 3];
        PATTERNS[self as usize].get_or_init(|| {
            let patterns = self.words().keys().map(|text| Pattern::new(text));
            let mut patterns: Vec<_> = patterns.filter(Pattern::is_telling).collect();
            patterns.sort_by_key(|pattern| (std::cmp::Reverse(pattern.own()), pattern.text));
            patterns
        })
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        let known = Self::ALL.into_iter().find(|language| language.code() == code);
        known.ok_or_else(|| UnknownLanguage(code.to_owned()))
    }
}

impl Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.code())
    }
}

/// Reads the translations of a module of the page, which exports JSON.
fn read(module: &str) -> Words {
    let json = module.split_once("export default").map_or("", |(_, json)| json);
    serde_json::from_str(json.trim().trim_end_matches(';'))
        .expect("what a language exports is JSON")
}

/// Returns whether a text is a number as English writes it, maybe with a sign before it and a unit after it.
fn is_number(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['+', '-', '≈', '~']);
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let (whole, rest) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut groups = whole.split(',');
    unit.chars().all(|sign| sign.is_alphabetic() || sign == '%')
        && groups.next().is_some_and(are_digits)
        && groups.all(|group| group.len() == 3 && are_digits(group))
        && are_digits(rest)
}

/// Returns the first place of a text, as in `{name}`, with what is before and after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (place, after) = rest.split_once('}')?;
    Some((before, place, after))
}

/// A text with places, which finds the values of a sentence of its form.
#[derive(Debug)]
struct Pattern {
    text: &'static str,
    places: Vec<&'static str>,
    /// What stands before, between and after the places.
    parts: Vec<&'static str>,
}

impl Pattern {
    fn new(text: &'static str) -> Self {
        let (mut places, mut parts, mut rest) = (Vec::new(), Vec::new(), text);
        while let Some((before, place, after)) = next_place(rest) {
            parts.push(before);
            places.push(place);
            rest = after;
        }
        parts.push(rest);
        Self { text, places, parts }
    }

    /// Returns the number of letters beside the places.
    fn own(&self) -> usize {
        self.parts.iter().map(|part| part.chars().count()).sum()
    }

    fn is_telling(&self) -> bool {
        !self.places.is_empty() && self.own() >= TELLING
    }
}

/// Returns the texts that a sentence has between the parts of a pattern, each as short as possible; `None` if it does not fit.
fn values<'s>(parts: &[&str], sentence: &'s str) -> Option<Vec<&'s str>> {
    let (first, others) = parts.split_first()?;
    let rest = sentence.strip_prefix(first)?;
    let Some(next) = others.first() else { return rest.is_empty().then(Vec::new) };
    let ends = rest.match_indices(next).map(|(end, _)| end).filter(|&end| end > 0);
    ends.into_iter().find_map(|end| {
        let mut found = values(others, &rest[end..])?;
        found.insert(0, &rest[..end]);
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::{Language, values};

    #[test]
    fn the_way_of_play_of_every_rule_set_is_told_in_every_language() {
        for preset in RuleSet::PRESETS {
            let chapters = preset.compile().unwrap().way_of_play();
            let said = chapters
                .into_iter()
                .flat_map(|it| std::iter::once(String::from(it.title)).chain(it.sentences));
            let introduction = preset.introduction().map(str::to_owned);
            for sentence in said.chain(introduction) {
                assert_eq!(Language::English.translate(&sentence), sentence);
                for language in [Language::German, Language::Arabic] {
                    assert_ne!(language.translate(&sentence), sentence, "{language}");
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_position_is_told_in_every_language() {
        let rules = RuleSet::SKIRIUK.compile().unwrap();
        let wrong = |text: &str| match text.parse() {
            Err(error) => format!("{error}"),
            Ok(setup) => rules.position(&setup).unwrap_err().to_string(),
        };
        let positions = [
            "1:2",
            "1:2:X",
            "1,x:-:L",
            "1:-:L:B7",
            "24:-:L",
            "1,1,1,1,1,1,1,1:-:L",
            "5:5:L",
            "1:-:L:A4=L1",
            "7:7:L",
            "7:7:L:B3=D7",
            "3:-:L:B7=L11.L17",
            "4,4:-:L",
            "6:6,22:L",
        ];
        for position in positions {
            let sentence = wrong(position);
            for language in [Language::German, Language::Arabic] {
                assert_ne!(language.translate(&sentence), sentence, "{position} in {language}");
            }
        }
    }

    #[test]
    fn values_are_what_a_sentence_has_between_the_parts_of_a_pattern() {
        assert_eq!(values(&["", " has ", ""], "light has has 2"), Some(vec!["light", "has 2"]));
        assert_eq!(values(&["a ", "."], "a b.c."), Some(vec!["b.c"]));
        assert_eq!(values(&["a ", "."], "a ."), None);
        assert_eq!(values(&["a"], "ab"), None);
    }

    #[test]
    fn arabic_sentences_keep_moves_and_signed_numbers_from_the_left() {
        let told = |value| Language::Arabic.isolated(String::from(value));
        assert_eq!(told("-2.87"), "\u{2066}-2.87\u{2069}");
        assert_eq!(told("اليد→B4"), "\u{2066}اليد→B4\u{2069}");
        assert_eq!(told("الفاتح"), "الفاتح");
        assert_eq!(told("12"), "12");
    }
}
