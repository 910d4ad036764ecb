//! `ur man`: the man page, commands included.

use anyhow::Result;
use clap_mangen::Man;

use crate::output::Out;

pub(crate) fn run(mut cli: clap::Command, out: &mut Out) -> Result<()> {
    cli.build();
    let mut text = Vec::new();
    Man::new(cli.clone()).render(&mut text)?;
    for command in cli.get_subcommands().cloned() {
        let page = Man::new(command);
        page.render_description_section(&mut text)?;
        page.render_synopsis_section(&mut text)?;
        page.render_options_section(&mut text)?;
    }
    out.bytes(&text)
}
