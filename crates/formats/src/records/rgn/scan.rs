//! The words of RGN.

use puabi_core::ascii;

/// A word of RGN and the offset of its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// The words of a text from some byte on: a comment in braces is one word; anything else ends at the next space or brace.
#[derive(Debug)]
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    pub(super) const fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    #[inline]
    fn next(&mut self) -> Option<Word<'t>> {
        let mut left = self.text.as_bytes()[self.at..].iter();
        let at = self.at + left.position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.text[at..];
        let length = if ascii::begins(rest, b'{') {
            rest.find('}').map_or(rest.len(), |end| end + 1)
        } else {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'{';
            rest.as_bytes().iter().position(is_end).unwrap_or(rest.len())
        };
        self.at = at + length;
        Some(Word { text: &rest[..length], at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_spaces_and_braces() {
        let text = "1. A@A1{a b} *\n{open";
        let words: Vec<_> = Words::new(text, 0).map(|word| (word.at, word.text)).collect();
        let expected = [(0, "1."), (3, "A@A1"), (7, "{a b}"), (13, "*"), (15, "{open")];
        assert_eq!(words, expected);
    }
}
