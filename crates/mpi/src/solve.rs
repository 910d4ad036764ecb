//! `ur-mpi solve`: the exact values of a game, kept as a table.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{DecimalBytes, HumanCount};
use puabi_cli::{Advise, Bar};
use puabi_core::Rules;
use puabi_solve::{
    Checkpoint, Exchange, InstructionSet, Options, SolveError, Solver, Traffic, Unattended,
};
use puabi_tables::{
    Precision, SpillFolder, Table, TableError, available_memory, free_space, is_in_memory,
    make_table_by,
};

use crate::world::{World, abort, greatest, least, sums};

/// Arguments of `ur-mpi solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    /// The rule set: finkel, finkel:3 or my.toml
    rules: String,
    /// The file of the table, which the first rank writes; a run that was killed goes on from the files beside it, with any
    /// number of ranks
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads of each rank; the result is the same for any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Instructions to sweep with: avx512, avx2 or portable; the values are the same [default: the fastest there is]
    #[arg(long, value_name = "SET")]
    instructions: Option<InstructionSet>,
    /// The most memory that each rank may take, such as 4G; a game that needs more is refused [default: its share of what is
    /// free on its machine]
    #[arg(long, value_name = "BYTES", value_parser = puabi_cli::bytes)]
    memory: Option<u64>,
    /// The folder, on a disk of each machine, for nameless files of finished values that a rank still reads; those of the first
    /// lie in the table [default: they stay in memory]
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Solves again even if there is a table
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &SolveArgs, world: &World) -> Result<()> {
    let began = Instant::now();
    let rules = puabi_cli::rules(&args.rules);
    ensure_alike(rules.as_ref().ok(), world)?;
    let (rules, options) = (rules?, args.options());
    let solver = Solver::new(&rules, options)?;
    solver.ensure_places()?;
    ensure_free(args, world)?;
    ensure_memory(args, &solver, &rules, world)?;
    if let Some(folder) = &args.spill {
        ensure_disk(folder, solver.held_among(world.ranks()), world)?;
    }
    let traffic = if world.is_first() {
        match first(args, &rules, world) {
            Ok(traffic) => traffic,
            // The others wait for this rank.
            Err(error) => {
                let into = format!("solving {} into {}", rules.rule_set(), args.out.display());
                abort(format_args!("{:#}", anyhow::Error::from(error).context(into)))
            }
        }
    } else {
        let folder = args.spill.as_deref().map(SpillFolder::new);
        let kept = folder.as_ref().map_or(&Unattended as &dyn Checkpoint, |folder| folder);
        match solver.solve_among(world, kept, &Unattended) {
            Ok((_, traffic)) => traffic,
            Err(error) => abort(format_args!("rank {}: {error}", world.rank())),
        }
    };
    let Traffic { renewed, modelled, finished } = traffic;
    let numbers = [renewed, modelled, finished];
    let (sums, most) = (sums(numbers), greatest(numbers));
    if world.is_first() {
        print(args, world, began)?;
        received(world, sums, most);
    }
    Ok(())
}

impl SolveArgs {
    fn options(&self) -> Options {
        let usual = Options::default();
        let instructions = self.instructions.unwrap_or(usual.instructions);
        Options { threads: self.threads.into(), instructions, ..usual }
    }
}

/// Checks that all ranks run the same program with the same rules.
pub(crate) fn ensure_alike(rules: Option<&Rules>, world: &World) -> Result<()> {
    let program = std::env::current_exe().and_then(std::fs::read).context("reading the program")?;
    if let Some(rank) = world.differing(blake3::hash(&program).as_bytes()) {
        bail!(
            "rank {rank} runs another build of ur-mpi than rank 0: expected the same file on all hosts"
        );
    }
    let rules = rules.map(|rules| rules.rule_set().to_toml()).unwrap_or_default();
    if let Some(rank) = world.differing(rules.as_bytes()) {
        bail!("rank {rank} has other rules than rank 0: expected the same rule file on all hosts");
    }
    Ok(())
}

/// Checks on the first rank that there is no table yet.
fn ensure_free(args: &SolveArgs, world: &World) -> Result<()> {
    let is_there = u64::from(world.is_first() && !args.force && args.out.exists());
    if greatest([is_there]) != [0] {
        bail!("{} is there already: --force solves again and replaces it", args.out.display());
    }
    Ok(())
}

/// Checks that no rank needs more memory than it may take. All ranks come to the same.
fn ensure_memory(args: &SolveArgs, solver: &Solver, rules: &Rules, world: &World) -> Result<()> {
    let free = available_memory().unwrap_or(u64::MAX) / world.beside();
    let (limit, rank) = least(args.memory.map_or(free, |memory| memory.min(free)));
    let (ranks, spills) = (world.ranks(), args.spill.is_some());
    let memory = |solver: &Solver| {
        solver.memory_among(ranks) + if spills { 0 } else { solver.held_among(ranks) }
    };
    let needed = memory(solver);
    if needed <= limit {
        return Ok(());
    }
    let positions = HumanCount(solver.indexer().len());
    let [most, there, missing] = [needed, limit, needed - limit].map(DecimalBytes);
    let name = rules.rule_set();
    let help = if !spills && solver.memory_among(ranks) <= limit {
        let finished = DecimalBytes(solver.held_among(ranks));
        format!("--spill DIR puts {finished} of finished values on a disk of each")
    } else if args.memory.is_some_and(|memory| memory <= limit) {
        format!(
            "--memory {most} lets each take that",
            most = needed.div_ceil(1_000_000).to_string() + "M"
        )
    } else {
        "fewer ranks on a machine leave more to each (mpirun --map-by ppr:1:node)".to_owned()
    };
    let smaller = puabi_cli::smaller(name, limit, memory);
    let needs = format!(
        "each of {ranks} ranks needs {most} of memory, {there} are available to rank {rank}"
    );
    Err(anyhow!("{name} has {positions} positions and {needs}: {missing} are missing"))
        .hint(|| format!("{help}; {smaller}"))
}

/// Checks that every rank has a folder on a disk with room for what it holds. All ranks come to the same.
fn ensure_disk(folder: &Path, needed: u64, world: &World) -> Result<()> {
    let place = folder.display();
    let (is_there, rank) = least(u64::from(folder.is_dir()));
    if is_there == 0 {
        bail!("rank {rank} has no folder {place}: expected one on each machine");
    }
    let (is_disk, rank) = least(u64::from(is_in_memory(folder).is_ok_and(|it| !it)));
    if is_disk == 0 {
        return Err(anyhow!(
            "{place} of rank {rank} is memory itself: expected a folder on a disk"
        ))
        .hint(|| "/tmp may be memory too; /var/tmp is a disk".to_owned());
    }
    let (free, rank) = least(free_space(folder).unwrap_or(0) / world.beside());
    if free < needed {
        let [needed, free] = [needed, free].map(DecimalBytes);
        bail!(
            "finished values take {needed} in {place} of each rank: {free} are free to rank {rank}"
        );
    }
    Ok(())
}

/// Solves on the first rank, which keeps the table.
fn first(args: &SolveArgs, rules: &Rules, world: &World) -> Result<Traffic, TableError> {
    let bar = Bar::unguarded(format!("solving {}", rules.rule_set()));
    let mut received = Traffic::default();
    let solver = Solver::new(rules, args.options())?;
    make_table_by(&args.out, &solver, Precision::F64, |kept| {
        let (found, traffic) = solver.solve_among(world, kept, &bar)?;
        received = traffic;
        found.ok_or(SolveError::Stopped)
    })?;
    Ok(received)
}

#[expect(clippy::print_stdout, reason = "this is a program")]
fn print(args: &SolveArgs, world: &World, began: Instant) -> Result<()> {
    let table = Table::open(&args.out).with_context(|| args.out.display().to_string())?;
    let report = table.header().report();
    println!("rules        {}", table.header().rules().rule_set());
    println!("positions    {}, sublayers {}", HumanCount(report.positions), report.sublayers);
    println!("start value  {}", report.start_value);
    println!("residual     {:e}, sweeps at most {}", report.residual, report.sweeps_max);
    println!("dead         {}", HumanCount(report.dead_positions));
    println!("table        {}", args.out.display());
    println!("hash         {}", table.hash().to_hex());
    let seconds = began.elapsed().as_secs_f64();
    println!("this run     {seconds:.1} s, {} ranks of {} threads", world.ranks(), args.threads);
    Ok(())
}

/// Prints what the ranks have received, of renewed values also by the model: all together, and the one that has most.
#[expect(clippy::print_stdout, reason = "this is a program")]
fn received(world: &World, sums: [u64; 3], most: [u64; 3]) {
    if world.ranks() > 1 {
        let [all, all_modelled, finished] = sums.map(DecimalBytes);
        let [one, one_modelled, one_finished] = most.map(DecimalBytes);
        println!("received     {all} of renewed values, {one} by one rank at most");
        println!(
            "by the model {all_modelled} of renewed values, {one_modelled} by one rank at most"
        );
        println!("             {finished} of finished values, {one_finished} by one rank at most");
    }
}
