//! `ur completions`: what a shell needs to complete the arguments.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::Outcome;
use crate::args::Cli;

/// Arguments of `ur completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  ur completions bash > ~/.local/share/bash-completion/completions/ur")]
pub(crate) struct Args {
    /// The shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    // The generator panics where a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ur", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Done)
}
