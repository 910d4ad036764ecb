//! Lines as words.

/// Returns the first word of a text, and the rest without the spaces around it.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
