//! `ur agents`: every player, and how it thinks.

use std::fmt;

use anyhow::Result;
use puabi_engine::{AgentSpec, Roster};
use serde::Serialize;

use crate::output::{Out, text};

/// Arguments of `ur agents`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/agents.txt"))]
pub(crate) struct AgentsArgs {
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Every agent.
#[derive(Debug, Serialize)]
struct Agents(Vec<AgentEntry>);

#[derive(Debug, Serialize)]
struct AgentEntry {
    agent: String,
    thinking: String,
    /// Whether it plays by the table of the solved game.
    needs_values: bool,
    /// Whether a decision takes it well below a millisecond.
    cheap: bool,
    /// The chance to win against the perfect player under Finkel's rules, if it is known.
    finkel_win_chance: Option<f64>,
}

pub(crate) fn run(args: &AgentsArgs, out: &mut Out) -> Result<()> {
    let entry = |spec: &AgentSpec| AgentEntry {
        agent: spec.to_string(),
        thinking: spec.thinking(),
        needs_values: spec.needs_values(),
        cheap: spec.is_cheap(),
        finkel_win_chance: spec.finkel_win_chance(),
    };
    out.print(&Agents(Roster::everyone().iter().map(entry).collect()), args.json)
}

impl fmt::Display for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|entry| entry.agent.len()).max().unwrap_or_default();
        writeln!(f, "{:width$}  beats perfect  how it thinks", "agent")?;
        for AgentEntry { agent, thinking, finkel_win_chance, .. } in &self.0 {
            let chance = text::or_dash(*finkel_win_chance, text::percent);
            writeln!(f, "{agent:width$}  {chance:>13}  {thinking}")?;
        }
        let forms = AgentSpec::forms().filter(|form| form.contains(':'));
        writeln!(f, "\nWith other numbers: {}", text::list(forms))
    }
}
