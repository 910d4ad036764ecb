//! The `ur-mpi` command: a game solved by several processes, on one machine or many.
//!
//! Every rank runs the same program. The first prints results to stdout and progress to stderr, reads and writes files; the
//! others are silent.

mod bar;
mod plan;
mod rule_sets;
mod solve;
mod world;

use std::fmt::Display;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use world::World;

/// Solves games of the Royal Game of Ur by several processes, on one machine or many
#[derive(Debug, Parser)]
#[command(name = "ur-mpi", version, after_help = HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
Start it by MPI, as in

  mpirun -n 4 ur-mpi solve simple-ur:4 --out simple-ur-4.urt

Each process is a rank. Only the first reads and writes files.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Solves a game exactly into a table, the same bytes as `ur solve`
    Solve(solve::SolveArgs),
    /// Tells what a solve by several ranks would take; needs no MPI to be started by
    Plan(plan::PlanArgs),
}

/// The exit code of a run that has failed.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let Some(world) = World::join() else {
        report("this MPI lets only one thread call it: expected one with serialized threads");
        return ExitCode::from(FAILED);
    };
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if world.is_first() {
                // If the stream is closed, there is nowhere left to report that.
                let _ = error.print();
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED));
        }
    };
    let done = match &cli.command {
        Command::Solve(args) => solve::run(args, &world),
        Command::Plan(_) if !world.is_first() => Ok(()),
        Command::Plan(args) => plan::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // All ranks have it, and one of them says so.
        Err(error) => {
            if world.is_first() {
                report(format_args!("{error:#}"));
            }
            ExitCode::from(FAILED)
        }
    }
}

/// Tells the user what is wrong.
#[expect(clippy::print_stderr, reason = "this is a program")]
fn report(error: impl Display) {
    eprintln!("error: {error}");
}
