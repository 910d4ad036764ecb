//! The `ur` command: arguments in, text or JSON out.
//!
//! `args` defines the command line and `commands` has a file for each command. `play` holds a game that is played at
//! this terminal, `tui` shows it on the whole screen. Results go to stdout, everything else to stderr.

mod args;
mod commands;
mod errors;
mod files;
mod notation;
mod options;
mod output;
mod play;
mod progress;
mod style;
mod tables;
mod tui;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::Cli;
use output::Outcome;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = anstream::stdout();
    let outcome = commands::run(&cli.command, Cli::command, &mut out);
    match outcome.and_then(|outcome| Ok(out.flush().map(|()| outcome)?)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Err(error) => errors::report(&error),
    }
}
