//! The `ur` command: arguments in, text or JSON out.
//!
//! Every command has a file of its own under `commands`; each parses nothing and decides nothing about the game.

mod agents;
mod args;
mod commands;
mod complaint;
mod drawing;
mod foreign;
mod games;
mod interrupt;
mod judging;
mod machine;
mod notation;
mod tables;
mod text;
mod tui;
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::Cli;

/// How a command that ran to its end turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// What was asked is done.
    Done,
    /// The answer is no: a verification failed, for one.
    No,
}

/// The exit code of what the user ended.
const STOPPED: u8 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = anstream::stdout();
    let outcome = commands::run(&cli.command, &mut out);
    match outcome.and_then(|outcome| Ok(out.flush().map(|()| outcome)?)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Err(error) if complaint::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => complain(&error),
    }
}

/// Tells what is wrong and returns the exit code.
fn complain(error: &anyhow::Error) -> ExitCode {
    if let Some(stop) = complaint::stop(error) {
        talk(&stop);
        return ExitCode::from(STOPPED);
    }
    talk(&complaint::describe(error));
    ExitCode::from(complaint::exit_code(error))
}

/// Writes a line to stderr; there is nobody to tell where that fails.
pub(crate) fn talk(line: &impl std::fmt::Display) {
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{line}");
}
