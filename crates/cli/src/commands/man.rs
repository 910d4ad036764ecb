//! `ur man`: the man pages.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::output::Out;

/// Arguments of `ur man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ur man | man -l -
  ur man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Writes a page for each command into a folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs, mut cli: clap::Command, out: &mut Out) -> Result<()> {
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(cli, folder))
            .with_context(|| format!("the pages cannot be written into {}", folder.display()))?;
        return Ok(());
    }
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
