//! `ur completions`: the script that lets a shell complete the arguments, and what it asks the program for.
//!
//! The script calls the program itself, so it knows the rule sets, agents, tables and games that there are.

mod candidates;

use anyhow::{Result, anyhow};
use clap::Command;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

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

/// The environment variable with which the script calls the program.
const COMPLETE_VARIABLE: &str = "UR_COMPLETE";

/// Answers the script of a shell and ends the program, if the script has called it.
pub(crate) fn answer(cli: fn() -> Command) {
    CompleteEnv::with_factory(|| candidates::everywhere(cli())).var(COMPLETE_VARIABLE).complete();
}

pub(crate) fn run(args: &CompletionsArgs, out: &mut Out) -> Result<()> {
    let shell = args.shell.to_string();
    let shells = Shells::builtins();
    let writer = shells.completer(&shell);
    let writer = writer.ok_or_else(|| anyhow!("the shell {shell} is not supported"))?;
    let mut script = Vec::new();
    writer.write_registration(COMPLETE_VARIABLE, "ur", "ur", "ur", &mut script)?;
    if args.shell == Shell::Bash {
        script.extend_from_slice(include_bytes!("completions/colons.bash"));
    }
    out.bytes(&script)
}
