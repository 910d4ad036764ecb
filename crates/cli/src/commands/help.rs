//! `ur help`: help with a command or a topic.

use anyhow::{Error, Result, anyhow};
use puabi_core::wording::nearest;
use puabi_report::Topic;

use crate::errors::Advise;
use crate::output::{self, Out};

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
        return writeln!(out, "{}", topic.text(output::columns()));
    }
    cli.build();
    let mut command = &mut cli;
    for name in &args.about {
        let commands = command.get_subcommands().map(|it| it.get_name().to_owned());
        let commands: Vec<_> = commands.collect();
        command =
            command.find_subcommand_mut(name).ok_or_else(|| unknown(args, name, &commands))?;
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

/// Returns the error of a name that is neither a topic nor one of `commands`.
fn unknown(args: &HelpArgs, name: &str, commands: &[String]) -> Error {
    let topics = Topic::ALL.map(|topic| topic.name);
    let known = topics.into_iter().chain(commands.iter().map(String::as_str));
    let meant =
        nearest(name, known).map_or(String::new(), |meant| format!(": did you mean `{meant}`?"));
    let error = anyhow!("there is no help on `{}`{meant}", args.about.join(" "));
    let hint = || format!("the topics are {}, and every command", topics.join(", "));
    Advise::<()>::hint(Err(error), hint).expect_err("an error with a hint")
}
