//! The command line of `ur`, the one definition behind its help, completions and man page.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, Parser};

use crate::commands::Command;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Solves and plays the Royal Game of Ur.
#[derive(Debug, Parser)]
#[command(
    name = "ur",
    version,
    styles = STYLES,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = include_str!("../help/ur.txt")
)]
pub(crate) struct Cli {
    /// The command to run
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Returns the definition of the command line. A negative number counts as a value and not as an option, so that the error says
/// why it does not fit.
pub(crate) fn definition() -> clap::Command {
    fn with_numbers(command: clap::Command) -> clap::Command {
        command.allow_negative_numbers(true).mut_subcommands(with_numbers)
    }
    with_numbers(Cli::command())
}
