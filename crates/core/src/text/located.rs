//! The error of texts with several lines: rule files, game records and models.

/// What is wrong with a text, and on which line and column.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = RuleSet::from_toml("path = \"bell\"\npices = 3").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 1));
/// assert!(error.to_string().contains("did you mean `pieces`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[error("line {line}, column {column}: {message}")]
pub struct LocatedError {
    line: usize,
    column: usize,
    #[serde(rename = "what")]
    message: String,
}

/// The error of a text that is not a rule file.
pub type RuleFileError = LocatedError;

/// The error of a text that is not a game record.
///
/// ```
/// use puabi_core::Record;
/// let error = "format: urg 1\nrules: finkel\n\nL 4 0-3".parse::<Record>().unwrap_err();
/// assert_eq!(error.to_string(), "line 4, column 5: 0-3 is not legal with a roll of 4: legal is only 0-4");
/// ```
pub type RecordError = LocatedError;

impl LocatedError {
    /// Returns the error at a line and a column, both counted from 1.
    pub fn new(line: usize, column: usize, message: &impl ToString) -> Self {
        Self { line, column, message: message.to_string() }
    }

    /// Returns the error at byte `offset` of `text`, or at its end if it is shorter.
    pub fn at(text: &str, offset: usize, message: &impl ToString) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        Self::new(line, before[line_start..].chars().count() + 1, message)
    }

    /// Returns the line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, counted from 1.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Returns what was found there and what would be right.
    pub fn message(&self) -> &str {
        &self.message
    }
}
