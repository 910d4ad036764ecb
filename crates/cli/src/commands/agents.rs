//! `ur agents`: every player, and how it thinks.

use std::io::Write;

use anyhow::Result;
use puabi_engine::{AgentSpec, Roster};
use serde::Serialize;

use crate::{Outcome, text};

/// Arguments of `ur agents`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Principles chain with +, as in hit+extra-roll: each chooses among the moves that the ones before it \
kept, and what is left is played equally often. docs/notation.md has the grammar.

Examples:
  ur agents
  ur match finkel hit+extra-roll greedy --games 10000
  ur play finkel --against elo:1400
  ur play skiriuk --against medium")]
pub(crate) struct Args {
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Entry {
    agent: String,
    thinking: String,
    /// Whether it plays by the table of the solved game.
    needs_values: bool,
    /// Whether a decision takes it well below a millisecond.
    cheap: bool,
    /// The chance to win against the perfect player under Finkel's rules, where it is known.
    finkel_win_chance: Option<f64>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let entries: Vec<_> = Roster::everyone().iter().map(Entry::new).collect();
    if args.json {
        text::write_json(&entries, out)?;
    } else {
        write(&entries, out)?;
    }
    Ok(Outcome::Done)
}

impl Entry {
    fn new(spec: &AgentSpec) -> Self {
        Self {
            agent: spec.to_string(),
            thinking: spec.thinking(),
            needs_values: spec.needs_values(),
            cheap: spec.is_cheap(),
            finkel_win_chance: spec.finkel_win_chance(),
        }
    }
}

fn write(entries: &[Entry], out: &mut dyn Write) -> Result<()> {
    let width = entries.iter().map(|entry| entry.agent.len()).max().unwrap_or_default();
    writeln!(out, "{:width$}  beats perfect  how it thinks", "agent")?;
    for Entry { agent, thinking, finkel_win_chance, .. } in entries {
        let chance = finkel_win_chance.map_or("-".into(), text::percent);
        writeln!(out, "{agent:width$}  {chance:>13}  {thinking}")?;
    }
    let forms: Vec<_> = AgentSpec::forms().filter(|form| form.contains(':')).collect();
    writeln!(out, "\nWith other numbers: {}", forms.join(", "))?;
    Ok(())
}
