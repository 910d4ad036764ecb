//! The place of a mistake in a text.

/// What is wrong with a text, and on which line and column.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = RuleSet::from_toml("path = \"bell\"\npices = 3").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 1));
/// assert!(error.to_string().contains("did you mean `pieces`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct Located<P> {
    line: usize,
    column: usize,
    // Boxed, since nearly every text that is read has no problem.
    problem: Box<P>,
}

impl<P> Located<P> {
    pub(crate) fn new(line: usize, column: usize, problem: P) -> Self {
        Self { line, column, problem: Box::new(problem) }
    }

    /// The problem at the byte `offset` of `text`.
    pub(crate) fn at(text: &str, offset: usize, problem: P) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        Self::new(line, before[line_start..].chars().count() + 1, problem)
    }

    /// Returns the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns what is wrong there.
    pub const fn problem(&self) -> &P {
        &self.problem
    }
}
