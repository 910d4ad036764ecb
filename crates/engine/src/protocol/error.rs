//! The errors that engines report to controllers.

use std::fmt;

/// The kind of mistake that a controller made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// The command is unknown, or its syntax is wrong.
    BadCommand,
    /// A value is not allowed.
    BadValue,
    /// The command makes no sense now.
    BadState,
    /// The engine does not do that.
    Unsupported,
}

impl ErrorCode {
    /// All codes.
    const ALL: [Self; 4] = [Self::BadCommand, Self::BadValue, Self::BadState, Self::Unsupported];

    /// Returns the code as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BadCommand => "bad_command",
            Self::BadValue => "bad_value",
            Self::BadState => "bad_state",
            Self::Unsupported => "unsupported",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// Returns the error of this kind with what was found and expected, as one line.
    pub fn of(self, detail: impl fmt::Display) -> ProtocolError {
        let detail = detail.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        ProtocolError { code: self, detail }
    }
}

/// An error as an engine reports it.
///
/// ```
/// use puabi_engine::protocol::ErrorCode;
/// assert_eq!(ErrorCode::BadState.of("no position").to_string(), "bad_state no position");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} {detail}", code.name())]
pub struct ProtocolError {
    /// The kind of mistake.
    pub code: ErrorCode,
    /// What was found and expected.
    pub detail: String,
}
