//! A line of a record, with its place in the text.

use crate::record::note::Tags;
use crate::record::problem::{RecordError, RecordProblem};
use crate::text::ascii::{begins, split_once};
use crate::text::quote::unquoted;
use crate::text::wording::excerpt;

/// A line of the text and its number, from 1.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    /// An error at `part` of this line.
    pub(super) fn error(self, part: &str, problem: RecordProblem) -> RecordError {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..offset).unwrap_or_default();
        let column = before.chars().count() + 1;
        RecordError::new(self.number, column, problem)
    }

    /// The line up to a comment, and the comment.
    pub(super) fn split(self) -> (&'t str, Option<&'t str>) {
        match split_once(self.text, b'#') {
            Some((before, comment)) => (before, Some(comment)),
            None => (self.text, None),
        }
    }

    /// Adds the tag that this line is, or returns `false` where it is none: where it does not begin with a quote.
    pub(super) fn tag(self, tags: &mut Tags) -> Result<bool, RecordError> {
        if !begins(self.text, b'"') {
            return Ok(false);
        }
        let no_tag = || RecordProblem::Tag { found: excerpt(self.text).into_owned() };
        let (key, value) = read_tag(self.text).ok_or_else(|| self.error(self.text, no_tag()))?;
        if tags.get(&key).is_some() {
            let key = excerpt(&key).into_owned();
            return Err(self.error(self.text, RecordProblem::Twice { key }));
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
