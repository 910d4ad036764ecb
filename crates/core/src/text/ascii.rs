//! Lines, words and parts of texts, split at single ASCII characters.
//!
//! These functions go byte by byte: for the short lines of records that is faster than the standard library's searches, which
//! take any character.

use std::iter;
use std::mem::take;
use std::str::FromStr;

/// Returns whether `text` begins with `sign`.
#[inline]
pub fn begins(text: &str, sign: u8) -> bool {
    text.as_bytes().first() == Some(&sign)
}

/// Returns the text without the `sign` at its end, or `None` if it does not end with `sign`.
#[inline]
pub fn strip_last(text: &str, sign: u8) -> Option<&str> {
    let ends = text.as_bytes().last() == Some(&sign);
    ends.then(|| &text[..text.len() - 1])
}

/// Returns the parts before and after the first `sign` of a text; `None` if it has no `sign`.
#[inline]
pub fn split_once(text: &str, sign: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == sign)?;
    Some((&text[..at], &text[at + 1..]))
}

/// Reads a number without sign or leading zero.
#[inline]
pub fn number<N: FromStr>(text: &str) -> Option<N> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_plain && (text.len() == 1 || !begins(text, b'0'));
    is_plain.then(|| text.parse().ok()).flatten()
}

/// Returns the lines of a text, as [`str::lines`] does.
#[inline]
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((line, after)) = split_once(rest, b'\n') else { return Some(take(&mut rest)) };
        rest = after;
        Some(strip_last(line, b'\r').unwrap_or(line))
    })
}

/// Returns the words of a text, which ASCII white space separates.
#[inline]
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        let start = rest.bytes().position(|byte| !byte.is_ascii_whitespace())?;
        let word = &rest[start..];
        let end = word.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(word.len());
        rest = &word[end..];
        Some(&word[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_split_as_the_standard_library_does(text in "[a-c#é \t\r\n]{0,20}") {
            prop_assert_eq!(begins(&text, b'#'), text.starts_with('#'));
            prop_assert_eq!(strip_last(&text, b'#'), text.strip_suffix('#'));
            prop_assert_eq!(split_once(&text, b'#'), text.split_once('#'));
            prop_assert!(words(&text).eq(text.split_ascii_whitespace()));
            prop_assert!(lines(&text).eq(text.lines()));
        }
    }
}
