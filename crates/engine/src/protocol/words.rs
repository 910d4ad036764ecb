//! The words of lines.

/// Returns the first word of a text, and the rest without the spaces around it. A byte order mark before the word, with which
/// some programs begin their output, counts as a space.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}').trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
