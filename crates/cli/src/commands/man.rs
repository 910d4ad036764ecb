//! `ur man`: the man page, commands included.

use std::io::Write;

use anyhow::Result;
use clap_mangen::Man;

use crate::output::Outcome;

pub(crate) fn run(mut cli: clap::Command, out: &mut dyn Write) -> Result<Outcome> {
    cli.build();
    Man::new(cli.clone()).render(out)?;
    for command in cli.get_subcommands().cloned() {
        let page = Man::new(command);
        page.render_description_section(out)?;
        page.render_synopsis_section(out)?;
        page.render_options_section(out)?;
    }
    Ok(Outcome::Done)
}
