//! `ur perft`: counts of lines of play.

use anyhow::Result;
use puabi_core::{MAX_PERFT_DEPTH, perft_from};
use serde::Serialize;

use crate::notation;
use crate::output::Out;

/// Arguments of `ur perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/perft.txt"))]
pub(crate) struct PerftArgs {
    /// The rule set
    rules: String,
    /// Plies to look ahead
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// The position to start from, with the first roll if it names one [default: the start of the game]
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

pub(crate) fn run(args: &PerftArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let from = match &args.from {
        Some(text) => {
            let (position, setup) = notation::position(&rules, &args.rules, text)?;
            (position, setup.roll)
        }
        None => (rules.start(), rules.rule_set().first_roll),
    };
    let lines = |depth| perft_from(&rules, from, depth, &|| true);
    if args.json {
        let (rules, depth) = (rules.rule_set().to_string(), args.depth);
        return out.json(&Counts { rules, depth, lines: lines(depth) });
    }
    for depth in args.depth.min(1)..=args.depth {
        if !out.is_read() {
            break;
        }
        writeln!(out, "{depth} {}", lines(depth))?;
    }
    Ok(())
}
