//! Texts in quotes, as TOML's basic strings have them.
//!
//! The `toml` crate is not used, since it would choose other quotes for some names, and table headers hash the text of rule files.

use std::fmt::Write as _;

/// Returns `text` in quotes.
pub(crate) fn quoted(text: &str) -> String {
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

/// Returns the text within the quotes that `text` begins with, and the text after them; `None` if the quotes do not end.
///
/// It reads what [`quoted`] writes, and `\n`, `\r` and `\t`.
pub(crate) fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut letters = text.strip_prefix('"')?.chars();
    let mut found = String::new();
    loop {
        match letters.next()? {
            '"' => return Some((found, letters.as_str())),
            '\\' => {
                let letter = match letters.next()? {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let (digits, rest) = letters.as_str().split_at_checked(4)?;
                        letters = rest.chars();
                        // `from_str_radix` would read a sign, too.
                        let digits = Some(digits).filter(|digits| !digits.starts_with('+'))?;
                        char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                    }
                    letter @ ('"' | '\\') => letter,
                    _ => return None,
                };
                found.push(letter);
            }
            letter => found.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quoted_texts_read_back(text in ".*", rest in ".*") {
            let whole = format!("{}{rest}", quoted(&text));
            prop_assert_eq!(unquoted(&whole), Some((text, rest.as_str())));
        }
    }

    #[test]
    fn quotes_without_an_end_are_none() {
        for text in ["", "a", "\"", "\"a", "\"\\", "\"\\u00e\"", "\"\\u+0E9\"", "\"\\x\""] {
            assert_eq!(unquoted(text), None, "{text}");
        }
    }
}
