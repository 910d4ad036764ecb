//! `ur perft`: counts of lines of play.

use std::io::Write;

use anyhow::Result;
use puabi_core::perft;
use serde::Serialize;

use crate::{Outcome, notation, text};

/// Arguments of `ur perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line is a roll and a legal move for each ply; a pass counts as a move, and a won game ends its line.

Examples:
  ur perft finkel 4
  ur perft finkel 3 --from 4,8:5,9:D")]
pub(crate) struct Args {
    /// The rule set
    rules: String,
    /// Plies to look ahead
    depth: u32,
    /// The position to start from [default: the start of the game]
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Counts {
    rules: String,
    depth: u32,
    lines: u64,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let from = match &args.from {
        Some(text) => notation::asked(&rules, text)?.position,
        None => rules.start(),
    };
    let lines = |depth| perft(&rules, from, depth);
    if args.json {
        let (rules, depth) = (rules.rule_set().to_string(), args.depth);
        text::write_json(&Counts { rules, depth, lines: lines(depth) }, out)?;
        return Ok(Outcome::Done);
    }
    for depth in 1..=args.depth {
        writeln!(out, "{depth} {}", lines(depth))?;
    }
    Ok(Outcome::Done)
}
