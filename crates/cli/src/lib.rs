//! The commands of `ur`: arguments in, text or JSON out.
//!
//! `args` defines the command line and `commands` has a file for each command. `play` holds a game that is played at
//! this terminal, `tui` shows it on the whole screen. Results go to stdout, everything else to stderr.
//!
//! `ur` uses only [`main`]. The other public items are for `ur-mpi`, which runs commands of `ur` among several ranks and prints
//! the same words.

mod args;
mod commands;
mod errors;
mod files;
mod notation;
mod options;
mod output;
mod play;
mod progress;
mod ranks;
mod style;
mod tables;
mod tui;

pub use commands::{SharedCommand, note_discarded};
use errors::with_subcommands;
pub use errors::{Advise, line, report, report_arguments};
pub use files::{create_folder, followed};
pub use notation::rules;
pub use options::{MOST_THREADS, bytes};
pub use output::text::bytes as format_bytes;
pub use output::{Out, silence, status};
pub use progress::Bar;
pub use progress::interrupt::ignore_limits_of_files;
pub use ranks::{ensure_alike, ensure_same_rules, share_machine};
pub use tables::{ensure_table_name, smaller};

use std::process::ExitCode;

use clap::FromArgMatches;
use puabi_study::Engines;

use args::Cli;

/// Ends the engines of this process, which would go on thinking: work in the background may have some.
pub fn end_engines() {
    Engines::kill_all();
}

/// Runs the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    ignore_limits_of_files();
    commands::completions::answer(args::definition);
    let matches = args::definition().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return report_arguments(&with_subcommands(error, args::definition())),
    };
    let mut out = Out::new();
    let done = commands::run(&cli.command, args::definition, &mut out);
    end_engines();
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}
