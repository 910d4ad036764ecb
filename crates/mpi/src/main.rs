//! The `ur-mpi` command: work of `ur` that several processes share, on one machine or many.
//!
//! Every rank runs the same program. The first rank prints results to stdout and progress to stderr, and writes what a command
//! makes; the others are silent.

mod failure_aware;
mod plan;
mod solve;
mod world;

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::{Parser, Subcommand};
use puabi_cli::SharedCommand;
use puabi_solve::Exchange;

use failure_aware::FailureAwareRanks;
use world::World;

/// Solves, plays and measures the Royal Game of Ur by several processes, on one machine or many
#[derive(Debug, Parser)]
#[command(name = "ur-mpi", version, after_help = HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
Start it by MPI, as in

  mpirun -n 4 ur-mpi solve simple-ur:4 --out simple-ur-4.urt

  mpirun -n 4 ur-mpi simulate finkel perfect level:7 --games 1000000

Each process is a rank. Only the first prints and writes what a command makes. Ranks that play or measure read tables and rule \
files, each on its own machine. If a player needs the values of a game that has no table there, the rank solves it into the data \
directory of that machine.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Solves a game exactly into a table, the same bytes as `ur solve`
    Solve(solve::SolveArgs),
    /// Estimates what a solve by several ranks would take; needs no mpirun
    Plan(plan::PlanArgs),
    #[command(flatten)]
    Shared(Box<SharedCommand>),
}

/// The exit code of a run that has failed.
const FAILED: u8 = 2;
/// The exit code of a run in which a rank has panicked, the same as that of any Rust program.
const PANICKED: u8 = 101;

/// Makes a panic of this rank end all ranks: the others would wait for it for ever.
fn end_all_after_a_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        usual(panic);
        world::end_all(PANICKED)
    }));
}

/// Checks that all ranks have the same arguments: ranks that share the games of a match must play the same match.
fn ensure_same_arguments(world: &World) -> Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let bytes = arguments.iter().flat_map(|it| it.as_encoded_bytes().iter().chain(&[0]).copied());
    puabi_cli::ensure_alike("arguments", &bytes.collect::<Vec<_>>(), world)
}

/// Checks that all ranks run the same command: others would wait for ranks that do something else.
fn ensure_same_command(world: &World) -> Result<()> {
    let command = std::env::args_os().nth(1).unwrap_or_default();
    if let Some(rank) = world.differing(command.as_encoded_bytes()) {
        bail!("rank {rank} runs another command than rank 0: expected the same for all ranks");
    }
    Ok(())
}

fn main() -> ExitCode {
    puabi_cli::ignore_limits_of_files();
    let Some(world) = World::join() else {
        let error = anyhow!("this MPI lets only one thread call it: expected serialized threads");
        return puabi_cli::report(&error);
    };
    if !world.is_first() {
        puabi_cli::silence();
    }
    end_all_after_a_panic();
    let cli = Cli::try_parse();
    // Another rank may have other arguments or another processor, and so refuse its arguments.
    if let Some((rank, said)) = world.error_of_another_rank(cli.as_ref().err()) {
        let said = said.trim_start_matches("error: ");
        return puabi_cli::report(&anyhow!(
            "rank {rank} refuses its arguments, and rank 0 does not: {said}"
        ));
    }
    let cli = match cli {
        Ok(cli) => cli,
        Err(error) => return puabi_cli::report_arguments(&error),
    };
    if let Err(error) = ensure_same_command(&world) {
        return puabi_cli::report(&error);
    }
    let done = match &cli.command {
        Command::Shared(command) => {
            puabi_cli::share_machine(world.ranks_on_this_machine());
            let ranks = FailureAwareRanks(&world);
            let alike =
                solve::ensure_same_program(&world).and_then(|()| ensure_same_arguments(&world));
            return ranks.end(alike.and_then(|()| command.run(&ranks)));
        }
        Command::Solve(args) => solve::run(args, &world),
        Command::Plan(_) if !world.is_first() => Ok(()),
        Command::Plan(args) => plan::run(args),
    };
    // All ranks have the same error, and one of them prints it.
    done.map_or_else(|error| puabi_cli::report(&error), |()| ExitCode::SUCCESS)
}
