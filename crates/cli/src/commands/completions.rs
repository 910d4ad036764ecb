//! `ur completions`: the script that lets a shell complete the arguments.

use anyhow::Result;
use clap_complete::Shell;

use crate::output::Out;

/// Arguments of `ur completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  ur completions bash > ~/.local/share/bash-completion/completions/ur")]
pub(crate) struct CompletionsArgs {
    /// The shell to complete in
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut cli: clap::Command, out: &mut Out) -> Result<()> {
    // The generator panics if a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "ur", &mut script);
    out.bytes(&script)
}
