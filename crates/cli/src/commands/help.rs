//! `ur help`: help with a command or a topic.

use anyhow::{Result, anyhow};
use puabi_report::Topic;

use crate::errors::Advise;
use crate::output::Out;

/// Arguments of `ur help`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  ur help\n  ur help positions\n  ur help table verify")]
pub(crate) struct HelpArgs {
    /// The topic, or the command; a topic comes first, and `ur rules --help` helps with the command
    about: Vec<String>,
}

pub(crate) fn run(args: &HelpArgs, mut cli: clap::Command, out: &mut Out) -> Result<()> {
    if let [name] = &*args.about
        && let Some(topic) = Topic::find(name)
    {
        return writeln!(out, "{}", topic.text());
    }
    cli.build();
    let mut command = &mut cli;
    for name in &args.about {
        command = command
            .find_subcommand_mut(name)
            .ok_or_else(|| anyhow!("there is no help on `{}`", args.about.join(" ")))
            .hint(|| {
                let topics = Topic::ALL.map(|topic| topic.name).join(", ");
                format!("the topics are {topics}, and every command")
            })?;
    }
    writeln!(out, "{}", command.render_help())?;
    if args.about.is_empty() {
        writeln!(out, "Topics, for `ur help TOPIC`:")?;
        for Topic { name, about, .. } in Topic::ALL {
            writeln!(out, "  {name:<10} {about}")?;
        }
    }
    Ok(())
}
