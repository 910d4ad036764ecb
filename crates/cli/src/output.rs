//! Where results and messages go: results to stdout, messages to stderr.

pub(crate) mod machine;
pub(crate) mod text;

use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use serde::Serialize;

/// The outcome of a command that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The command did what it was asked to do.
    Done,
    /// The answer is no: a verification failed, for example.
    No,
}

impl Outcome {
    /// Returns `Done` if the answer is yes.
    pub(crate) const fn of(is_yes: bool) -> Self {
        if is_yes { Self::Done } else { Self::No }
    }
}

/// Prints a report as text, or as JSON if the user wants that.
pub(crate) fn print(
    report: &(impl Serialize + Display),
    json: bool,
    out: &mut dyn Write,
) -> Result<Outcome> {
    if json {
        return print_json(report, out);
    }
    write!(out, "{report}")?;
    Ok(Outcome::Done)
}

/// Prints `value` as a line of JSON; each number has the shortest digits that read back equal.
pub(crate) fn print_json(value: &impl Serialize, out: &mut dyn Write) -> Result<Outcome> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(Outcome::Done)
}

/// Writes a status line to stderr.
pub(crate) fn status(line: impl Display) {
    // If stderr is closed, there is nowhere left to report that.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{line}");
}
