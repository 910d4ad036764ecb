//! The command line of `ur`, the one definition behind its help, completions and man page.

use clap::Parser;
use clap::builder::styling::{AnsiColor, Styles};

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
