//! A line of a record, with its place in the text.

use crate::text::ascii::{begins, split_once};
use crate::text::quote::unquoted;
use crate::text::wording::excerpt;
use crate::{RecordError, Tags};

/// A line of the text and its number, from 1.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    /// Returns an error at `part` of this line.
    pub(super) fn error(self, part: &str, message: &impl ToString) -> RecordError {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..offset).unwrap_or_default();
        let column = before.chars().count() + 1;
        RecordError::new(self.number, column, message)
    }

    /// Returns the error of `what`, a header or a tag, that comes a second time, at `part` of this line.
    pub(super) fn twice(self, part: &str, what: &str, key: &str) -> RecordError {
        self.error(part, &format!("a second {what} `{}`: expected one", excerpt(key)))
    }

    /// Returns the line up to a comment, and the comment.
    pub(super) fn split(self) -> (&'t str, Option<&'t str>) {
        match split_once(self.text, b'#') {
            Some((before, comment)) => (before, Some(comment)),
            None => (self.text, None),
        }
    }

    /// Adds the tag on this line to `tags`, or returns `false` if the line does not begin with a quote.
    pub(super) fn tag(self, tags: &mut Tags) -> Result<bool, RecordError> {
        if !begins(self.text, b'"') {
            return Ok(false);
        }
        let Some((key, value)) = read_tag(self.text) else {
            let message = format!(
                "`{}` is not a tag: expected a key and a value in quotes, as in `\"Event\": \"Final\"`",
                excerpt(self.text)
            );
            return Err(self.error(self.text, &message));
        };
        if tags.get(&key).is_some() {
            return Err(self.twice(self.text, "tag", &key));
        }
        tags.set(key, value);
        Ok(true)
    }
}

fn read_tag(line: &str) -> Option<(String, String)> {
    let (key, rest) = unquoted(line)?;
    let (value, rest) = unquoted(rest.trim_start().strip_prefix(':')?.trim_start())?;
    rest.trim().is_empty().then_some((key, value))
}
