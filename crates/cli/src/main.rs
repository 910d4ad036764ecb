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

use std::process::ExitCode;

use clap::FromArgMatches;

use args::Cli;
use output::Out;

fn main() -> ExitCode {
    commands::completions::answer(args::definition);
    let matches = args::definition().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return errors::report_arguments(&error),
    };
    let mut out = Out::new();
    let done = commands::run(&cli.command, args::definition, &mut out);
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => errors::report(&error),
    }
}
