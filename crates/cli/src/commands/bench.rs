//! `ur bench`: repeatable measurements.

mod brain;
mod lookup;
mod pocket;
mod read;
mod solve;

use anyhow::Result;
use clap::Subcommand;

use crate::output::Out;

/// What `ur bench` measures.
#[derive(Debug, Subcommand)]
pub(crate) enum What {
    /// Solves in memory, several times, and writes no file
    #[command(after_help = "Example:\n  ur bench solve finkel:5 --runs 5 --threads 2")]
    Solve(solve::SolveBenchArgs),
    /// Looks up positions spread over the whole table
    #[command(after_help = "Example:\n  ur bench lookup finkel")]
    Lookup(lookup::LookupBenchArgs),
    /// Evaluates positions and plays games with a quadratic brain, on one processor
    #[command(after_help = "Example:\n  ur bench brain finkel")]
    Brain(brain::BrainBenchArgs),
    /// Times decisions of a pocket, on one processor, and hashes random ones: the same on every machine
    #[command(after_help = "Example:\n  ur bench pocket finkel --decisions 1000000")]
    Pocket(pocket::PocketBenchArgs),
    /// Reads game records in every notation that holds them, on one processor
    #[command(after_help = "Example:\n  ur bench read finkel")]
    Read(read::ReadBenchArgs),
}

pub(crate) fn run(what: &What, out: &mut Out) -> Result<()> {
    match what {
        What::Solve(args) => solve::run(args, out),
        What::Lookup(args) => lookup::run(args, out),
        What::Brain(args) => brain::run(args, out),
        What::Pocket(args) => pocket::run(args, out),
        What::Read(args) => read::run(args, out),
    }
}
