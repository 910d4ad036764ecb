//! `ur man`: the man page, commands included.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::Outcome;
use crate::args::Cli;

pub(crate) fn run(out: &mut dyn Write) -> Result<Outcome> {
    let mut command = Cli::command();
    command.build();
    Man::new(command.clone()).render(out)?;
    for subcommand in command.get_subcommands() {
        Man::new(subcommand.clone()).render_description_section(out)?;
        Man::new(subcommand.clone()).render_synopsis_section(out)?;
        Man::new(subcommand.clone()).render_options_section(out)?;
    }
    Ok(Outcome::Done)
}
