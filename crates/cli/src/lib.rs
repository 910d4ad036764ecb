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

pub use commands::SharedCommand;
pub use errors::{Advise, line, report, report_arguments};
pub use files::create_folder;
pub use notation::rules;
pub use options::bytes;
pub use output::text::bytes as format_bytes;
pub use output::{Out, silence, status};
pub use progress::Bar;
pub use ranks::{ensure_alike, ensure_same_rules};
pub use tables::{ensure_table_name, smaller};

use std::process::ExitCode;

use clap::FromArgMatches;
use puabi_study::Engines;

use args::Cli;

/// Runs the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    progress::interrupt::ignore_limits_of_files();
    commands::completions::answer(args::definition);
    let matches = args::definition().try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return report_arguments(&error),
    };
    let mut out = Out::new();
    let done = commands::run(&cli.command, args::definition, &mut out);
    // Work that goes on in the background may have engines that still think.
    Engines::kill_all();
    match done.and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}
