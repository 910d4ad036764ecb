//! The tags of RGN: `[Name value]`, a line each.

use std::collections::HashSet;

use puabi_core::RecordError;

use crate::records::problem::{Problem, Remarks, excerpt};
use crate::records::tags::RULES;

/// The tag of a start other than the usual one; its value is a position. `RoyalUr` does not know it.
pub(super) const START: &str = "Start";
/// The tag of a game that stopped early. `RoyalUr` does not know it.
pub(super) const END: &str = "End";
/// The tags that determine the game.
pub(super) const OWN: [&str; 3] = [RULES, START, END];

/// A tag and the offset of its first byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) at: usize,
}

/// Reads the tags that `text` begins with; returns them and the byte after them.
pub(super) fn read(text: &str) -> Result<(Vec<Tag>, usize), RecordError> {
    let (mut tags, mut at) = (Vec::new(), 0);
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if !text[at..].starts_with('[') {
            return Ok((tags, at));
        }
        let error = || {
            let line = text[at..].lines().next().unwrap_or_default();
            let expected = "a tag such as `[Rules finkel]`, values with spaces in quotes";
            Problem::expected(excerpt(line), expected).at(text, at)
        };
        let (name, rest) = word(text[at + 1..].trim_start()).ok_or_else(error)?;
        let (value, rest) = word(rest.trim_start()).ok_or_else(error)?;
        let rest = rest.trim_start().strip_prefix(']').ok_or_else(error)?;
        tags.push(Tag { name, value, at });
        at = text.len() - rest.len();
    }
}

/// Remarks on tags that come twice; returns an error if one of them determines the game.
pub(super) fn check_once(
    text: &str,
    tags: &[Tag],
    remarks: &mut Remarks<'_>,
) -> Result<(), RecordError> {
    let mut known = HashSet::new();
    for tag in tags.iter().filter(|tag| !known.insert(&*tag.name)) {
        let problem = Problem::expected(format!("a second tag {}", excerpt(&tag.name)), "one");
        if OWN.contains(&&*tag.name) {
            return Err(problem.at(text, tag.at));
        }
        remarks.add(tag.at, &problem.0);
    }
    Ok(())
}

/// Reads a bare or quoted word; returns it and the text after it.
fn word(text: &str) -> Option<(String, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        return unquoted(quoted);
    }
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ']')?;
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut letters = text.chars();
    loop {
        match letters.next()? {
            '"' => return Some((word, letters.as_str())),
            '\\' => word.push(match letters.next()? {
                'r' => '\r',
                'n' => '\n',
                letter @ ('"' | '\\') => letter,
                _ => return None,
            }),
            letter => word.push(letter),
        }
    }
}

/// Returns a word as RGN writes it: in quotes unless it begins with a letter and is plain.
///
/// A colon in a plain word is our addition: it stands in rule sets such as `finkel:3`.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.:-".contains(letter);
    if word.starts_with(|letter: char| letter.is_ascii_alphabetic()) && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\r', "\\r").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tags_read_back(name in ".*", value in ".*") {
            let text = format!("[{} {}]\n\n1. A@A1", quoted(&name), quoted(&value));
            let (tags, at) = read(&text).unwrap();
            prop_assert_eq!(tags, [Tag { name, value, at: 0 }]);
            prop_assert_eq!(&text[at..], "1. A@A1");
        }
    }
}
