//! `ur man`: the man pages.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::files;
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
        files::create_folder(folder)?;
        return clap_mangen::generate_to(cli, folder)
            .with_context(|| format!("the pages cannot be written into {}", folder.display()));
    }
    cli.build();
    let mut text = Vec::new();
    Man::new(cli.clone()).render(&mut text)?;
    write_commands(&cli, &mut text)?;
    out.bytes(&text)
}

/// Writes what each command below `command` does and takes, under its name.
fn write_commands(command: &clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    for command in command.get_subcommands() {
        writeln!(text, ".SH {:?}", command.get_bin_name().unwrap_or_default().to_uppercase())?;
        let page = Man::new(command.clone());
        page.render_description_section(text)?;
        page.render_synopsis_section(text)?;
        page.render_options_section(text)?;
        write_commands(command, text)?;
    }
    Ok(())
}
