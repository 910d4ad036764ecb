//! Errors as the user meets them: what is wrong, what would help, and the exit code.

use std::error::Error as StdError;
use std::fmt;
use std::io;

use anyhow::Error;
use puabi_solve::SolveError;
use puabi_tables::TableError;

/// An error with advice, or one that answers the question with no.
#[derive(Debug)]
pub(crate) struct Complaint {
    error: Error,
    hint: Option<String>,
    is_answer: bool,
}

impl Complaint {
    /// Returns `error` as the answer no: an illegal position, for one.
    pub(crate) fn answer(error: impl Into<Error>) -> Self {
        Self { error: error.into(), hint: None, is_answer: true }
    }

    /// Returns the complaint with advice.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl StdError for Complaint {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.error.source()
    }
}

/// Adds advice to errors.
pub(crate) trait Advise<T> {
    /// Adds a hint that is worked out only where there is an error.
    fn hint<S: Into<String>>(self, hint: impl FnOnce() -> S) -> anyhow::Result<T>;
}

impl<T, E: Into<Error>> Advise<T> for Result<T, E> {
    fn hint<S: Into<String>>(self, hint: impl FnOnce() -> S) -> anyhow::Result<T> {
        self.map_err(|error| {
            Complaint { error: error.into(), hint: Some(hint().into()), is_answer: false }.into()
        })
    }
}

/// Returns every error in the chain, those inside complaints too.
fn chain(error: &Error) -> Vec<&(dyn StdError + 'static)> {
    let mut errors: Vec<_> = error.chain().collect();
    let mut at = 0;
    while let Some(&error) = errors.get(at) {
        if let Some(complaint) = error.downcast_ref::<Complaint>() {
            errors.extend(complaint.error.chain());
        }
        at += 1;
    }
    errors
}

/// Returns whether `error` is a reader that went away.
pub(crate) fn is_broken_pipe(error: &Error) -> bool {
    chain(error).iter().any(|error| {
        let io = error.downcast_ref::<io::Error>().map(io::Error::kind);
        let json =
            error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io.or(json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Returns whether `error` is the end of work that the user asked for, and whether what was done is kept.
pub(crate) fn stop(error: &Error) -> Option<Stop> {
    chain(error).into_iter().find_map(|error| match error.downcast_ref() {
        Some(TableError::Solve(SolveError::Stopped)) => Some(Stop::Kept),
        Some(TableError::Stopped) => Some(Stop::Lost),
        _ => matches!(error.downcast_ref(), Some(SolveError::Stopped)).then_some(Stop::Lost),
    })
}

/// The end of work that the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// What was done is kept.
    Kept,
    /// Nothing is kept.
    Lost,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "stopped; the same command goes on where it was",
            Self::Lost => "stopped",
        })
    }
}

/// Returns 1 where `error` is the answer no, 2 otherwise.
pub(crate) fn exit_code(error: &Error) -> u8 {
    let complaints = chain(error).into_iter().filter_map(|error| error.downcast_ref::<Complaint>());
    if complaints.into_iter().any(|complaint| complaint.is_answer) { 1 } else { 2 }
}

/// Returns the lines that tell the user of `error`.
pub(crate) fn describe(error: &Error) -> String {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let cyan = anstyle::AnsiColor::Cyan.on_default().bold();
    let causes: Vec<_> = error.chain().map(ToString::to_string).collect();
    let mut lines = vec![format!("{red}error{red:#}: {}", causes.join(": "))];
    let hints = chain(error).into_iter().filter_map(|error| error.downcast_ref::<Complaint>());
    let hints = hints.filter_map(|complaint| complaint.hint.as_ref());
    lines.extend(hints.map(|hint| format!("{cyan}hint{cyan:#}: {hint}")));
    lines.join("\n")
}
