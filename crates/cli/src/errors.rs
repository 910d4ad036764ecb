//! Errors as the user meets them: what is wrong, what would help, and the exit code.

use std::fmt;
use std::process::ExitCode;

use anyhow::Error;
use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use puabi_formats::ForeignTableError;
use puabi_solve::SolveError;
use puabi_study::PocketBuildError;
use puabi_tables::TableError;

use crate::output::{Out, status};
use crate::progress::interrupt;

/// An error with a hint, or an error that answers the user's question with no.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
struct Advised {
    #[source]
    error: Error,
    hint: String,
    is_answer: bool,
}

/// Returns `error` as the answer no, with a hint: an illegal position, for example.
pub(crate) fn no(error: impl Into<Error>, hint: impl Into<String>) -> Error {
    Advised { error: error.into(), hint: hint.into(), is_answer: true }.into()
}

/// The answer no, which the command has printed: a verification failed, for example.
#[derive(Debug, thiserror::Error)]
#[error("no")]
struct No;

/// Returns the answer no as an error, unless the answer is yes.
pub(crate) fn answer(is_yes: bool) -> anyhow::Result<()> {
    if is_yes { Ok(()) } else { Err(No.into()) }
}

/// Adds hints to errors.
pub trait Advise<T> {
    /// Adds a hint to the error, if there is one.
    ///
    /// # Errors
    ///
    /// Returns the same error, with the hint.
    fn hint<S: Into<String>>(self, hint: impl FnOnce() -> S) -> anyhow::Result<T>;

    /// Adds the work that failed, as in "reading" a file.
    ///
    /// # Errors
    ///
    /// Returns an error that names the work, with the same error as its cause.
    fn doing(self, work: &str, to: impl fmt::Display) -> anyhow::Result<T>;
}

impl<T, E: Into<Error>> Advise<T> for Result<T, E> {
    fn hint<S: Into<String>>(self, hint: impl FnOnce() -> S) -> anyhow::Result<T> {
        self.map_err(|error| {
            Advised { error: error.into(), hint: hint().into(), is_answer: false }.into()
        })
    }

    fn doing(self, work: &str, to: impl fmt::Display) -> anyhow::Result<T> {
        self.map_err(|error| error.into().context(format!("{work} {to}")))
    }
}

/// Returns the error and its causes as one line, without hints.
pub fn line(error: &Error) -> String {
    // An advised error displays only its source, which follows in the chain.
    joined(error.chain().filter(|error| !error.is::<Advised>()))
}

/// Returns an error and its causes as one line.
pub(crate) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    joined(std::iter::successors(Some(error), |error| error.source()))
}

fn joined<'e>(causes: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>) -> String {
    let causes = causes.map(ToString::to_string);
    let mut said: Vec<String> = Vec::new();
    for cause in causes {
        // Some errors of libraries end with the words of their cause.
        if said.last().is_none_or(|last| !last.ends_with(&cause)) {
            said.push(cause);
        }
    }
    said.join(": ")
}

/// Prints an error for the user and returns the exit code.
pub fn report(error: &Error) -> ExitCode {
    if error.is::<No>() {
        return ExitCode::from(1);
    }
    if let Some(message) = stopped(error) {
        status(message);
        return ExitCode::from(interrupt::EXIT_CODE);
    }
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let cyan = anstyle::AnsiColor::Cyan.on_default().bold();
    status(format_args!("{red}error{red:#}: {}", line(error)));
    let advised = || error.chain().filter_map(|error| error.downcast_ref::<Advised>());
    for Advised { hint, .. } in advised() {
        status(format_args!("{cyan}hint{cyan:#}: {hint}"));
    }
    ExitCode::from(if advised().any(|advised| advised.is_answer) { 1 } else { 2 })
}

/// Returns the error with the subcommands that there are, if it is about a wrong one that looks like none of them.
pub(crate) fn with_subcommands(mut error: clap::Error, definition: Command) -> clap::Error {
    let is_wrong = error.kind() == ErrorKind::InvalidSubcommand;
    if !is_wrong || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return error;
    }
    let mut path = "ur".to_owned();
    let mut group = definition;
    for word in std::env::args_os().skip(1) {
        let Some(next) = group.find_subcommand(&word).cloned() else { break };
        path = format!("{path} {}", next.get_name());
        group = next;
    }
    // All commands of the program are too many for a tip.
    if path != "ur" {
        let there = group.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ");
        let tip = StyledStr::from(format!("the subcommands of `{path}` are {there}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Prints what is wrong with the arguments, or the help that they ask for, and returns the exit code.
pub fn report_arguments(error: &clap::Error) -> ExitCode {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        status(plainly(&text).trim_end());
    } else if let Err(error) = write!(Out::new(), "{text}") {
        return report(&error);
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Texts of the standard library for numbers and addresses that cannot be read, each with our own text.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "expected a whole number, without a sign"),
    ("number too large to fit in target type", "the number is too large"),
    ("number too small to fit in target type", "the number is too small"),
    ("cannot parse integer from empty string", "expected a whole number"),
    ("invalid socket address syntax", "expected an address and a port, as in 127.0.0.1:8470"),
];

fn plainly(text: &str) -> String {
    NUMBERS.iter().fold(text.to_owned(), |text, (found, said)| text.replace(found, said))
}

/// Returns the message if the user stopped the work. Only a solve into a file keeps the work that was done.
pub(crate) fn stopped(error: &Error) -> Option<&'static str> {
    error.chain().find_map(|error| {
        if let Some(TableError::Solve(SolveError::Stopped)) = error.downcast_ref() {
            return Some("stopped; the same command goes on where it was");
        }
        let is_stopped = matches!(error.downcast_ref(), Some(SolveError::Stopped))
            || matches!(error.downcast_ref(), Some(TableError::Stopped))
            || matches!(error.downcast_ref(), Some(ForeignTableError::Stopped))
            // A transparent error does not have its inner error as a cause in the chain.
            || matches!(error.downcast_ref(), Some(PocketBuildError::Solve(SolveError::Stopped)));
        is_stopped.then_some("stopped")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_the_user_stopped_is_no_error() {
        let errors = [
            Error::from(SolveError::Stopped),
            TableError::Stopped.into(),
            ForeignTableError::Stopped.into(),
            PocketBuildError::Solve(SolveError::Stopped).into(),
        ];
        for error in errors {
            assert_eq!(stopped(&error.context("reading")), Some("stopped"));
        }
    }
}
