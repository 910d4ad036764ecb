//! `ur-mpi solve`: the exact values of a game, kept as a table.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{DecimalBytes, HumanCount};
use puabi_cli::{Advise, Bar, Out};
use puabi_solve::{
    Checkpoint, Exchange, InstructionSet, Options, SolveError, Solver, Traffic, Unattended,
};
use puabi_tables::{
    DiskUse, Precision, SpillFolder, Table, TableError, available_memory, directory, free_space,
    is_in_memory, is_one_disk, make_table_by,
};

use crate::world::{World, abort, greatest, least, sums};

/// Arguments of `ur-mpi solve`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SolveArgs {
    /// The rule set: finkel, finkel:3 or my.toml
    rules: String,
    /// The file of the table, which the first rank writes; a run that was killed goes on from the files beside it, with any
    /// number of ranks
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Threads of each rank, with `mpirun --bind-to none` if more than one; the result is the same for any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=puabi_cli::MOST_THREADS))]
    threads: u16,
    /// Processor instructions to use: avx512, avx2 or portable; the values are the same [default: the fastest there are]
    #[arg(long, value_name = "SET")]
    instructions: Option<InstructionSet>,
    /// The most memory of each rank, such as 4G, but never more than its share of the free memory of its machine; a game that
    /// needs more is refused [default: that share]
    #[arg(long, value_name = "BYTES", value_parser = puabi_cli::bytes)]
    memory: Option<u64>,
    /// The folder, on a disk of each machine, for temporary files of finished values: the parts that a rank keeps, and those that
    /// it fetches from others [default: they stay in memory; the first rank keeps its parts in the table]
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Solves again even if there is a table
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &SolveArgs, world: &World) -> Result<()> {
    let began = Instant::now();
    let rules = puabi_cli::rules(&args.rules);
    ensure_same_program(world)?;
    if let Some((rank, said)) = world.error_of_another_rank(rules.as_ref().err()) {
        bail!("rank {rank}: {said}");
    }
    let rules = rules?;
    puabi_cli::ensure_same_rules(&rules, world)?;
    ensure_alike_settings(args, world)?;
    let solver = Solver::new(&rules, args.options())?;
    solver.ensure_places()?;
    let args = &args.with_followed_link(world)?;
    ensure_free(args, world)?;
    ensure_memory(args, &solver, world)?;
    note_shared_processors(args);
    let solver = match &args.spill {
        Some(folder) => spilling_to(&solver, folder, &args.out, world)?,
        None => gathering_beside_table(solver, &args.out, world)?,
    };
    let found = if world.is_first() {
        let into = format!("solving {} into {}", rules.rule_set(), args.out.display());
        puabi_cli::create_folder(directory(&args.out))
            .and_then(|()| solve_on_first(args, &solver, world).context(into))
    } else {
        solve_on_other(args, &solver, world).with_context(|| format!("rank {}", world.rank()))
    };
    // The other ranks would wait for a rank with an error, so that rank ends them all.
    let traffic = found.unwrap_or_else(|error| abort(format_args!("{error:#}")));
    let Traffic { renewed, modelled, finished } = traffic;
    let numbers = [renewed, modelled, finished];
    let (sums, most) = (sums(numbers), greatest(numbers));
    if world.is_first() {
        let mut out = Out::new();
        print_report(args, world, began, &mut out)?;
        print_traffic(world, sums, most, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

impl SolveArgs {
    fn options(&self) -> Options {
        let usual = Options::default();
        let instructions = self.instructions.unwrap_or(usual.instructions);
        Options { threads: self.threads.into(), instructions, ..usual }
    }

    /// Returns the arguments with the file that a symbolic link as `--out` leads to. Only the first rank looks: the file is on its
    /// machine. All ranks get the same error.
    fn with_followed_link(&self, world: &World) -> Result<Self> {
        let out =
            if world.is_first() { puabi_cli::followed(&self.out) } else { Ok(self.out.clone()) };
        if let Some((rank, said)) = world.error_of_another_rank(out.as_ref().err()) {
            bail!("rank {rank}: {said}");
        }
        Ok(Self { out: out?, ..self.clone() })
    }
}

/// Checks that all ranks run the same program.
pub(crate) fn ensure_same_program(world: &World) -> Result<()> {
    let program = std::env::current_exe().and_then(std::fs::read);
    let hash = program.as_ref().map_or([0; 32], |program| *blake3::hash(program).as_bytes());
    if let Some(rank) = world.differing(&hash) {
        bail!(
            "rank {rank} runs another build of ur-mpi than rank 0: expected the same file on all hosts"
        );
    }
    program.context("reading the program")?;
    Ok(())
}

/// Checks that all ranks have the same values of the settings that decide what they do together.
fn ensure_alike_settings(args: &SolveArgs, world: &World) -> Result<()> {
    if let Some(rank) = world.differing(&args.threads.to_le_bytes()) {
        bail!("rank {rank} has other --threads than rank 0: expected the same for all ranks");
    }
    if let Some(rank) = world.differing(&[u8::from(args.spill.is_some())]) {
        bail!(
            "either rank {rank} or rank 0 has no --spill: expected a folder for all ranks or none"
        );
    }
    Ok(())
}

/// Checks on the first rank that there is no table yet, and nothing else in its place.
fn ensure_free(args: &SolveArgs, world: &World) -> Result<()> {
    let named = puabi_cli::ensure_table_name(&args.out);
    let is_there = !args.force && args.out.exists();
    let [is_refused, is_there] =
        greatest([named.is_err(), is_there].map(|it| u64::from(world.is_first() && it)));
    let place = args.out.display();
    if is_refused != 0 {
        named?;
        bail!("rank 0 cannot have a table at {place}");
    }
    if is_there != 0 {
        bail!("{place} is there already: --force solves again and replaces it");
    }
    Ok(())
}

/// Prints a note on the first rank if the threads of a rank have to share processors. `mpirun` binds ranks to processors, by
/// default each rank to one processor if there are one or two ranks.
fn note_shared_processors(args: &SolveArgs) {
    let own = std::thread::available_parallelism().map_or(u64::MAX, |it| it.get() as u64);
    let (processors, rank) = least(own);
    if processors < u64::from(args.threads) {
        let are = if processors == 1 { "processor" } else { "processors" };
        puabi_cli::status(format_args!(
            "note: the {} threads of rank {rank} share {processors} {are}: mpirun --bind-to none gives them all of the machine",
            args.threads
        ));
    }
}

/// Returns the solver of ranks that spill to a folder.
fn spilling_solver(solver: &Solver, folder: &Path) -> Solver {
    solver.clone().spilling_in_index_order(Arc::new(SpillFolder::new(folder)))
}

/// Checks that no rank needs more memory than it may take. All ranks get the same result.
fn ensure_memory(args: &SolveArgs, solver: &Solver, world: &World) -> Result<()> {
    let free = free_memory(args, solver, world);
    let own = args.memory.map_or(free, |memory| memory.min(free));
    let [(free_to_all, _), (limit, rank)] = [free, own].map(least);
    let (ranks, spills) = (world.ranks(), args.spill.is_some());
    let memory_with = |solver: &Solver, spills: bool| {
        if spills {
            spilling_solver(solver, Path::new(".")).memory_among(ranks)
        } else {
            solver.memory_among(ranks).saturating_add(solver.held_among(ranks))
        }
    };
    let memory = |solver: &Solver| memory_with(solver, spills);
    let needed = memory(solver);
    if needed <= limit {
        return Ok(());
    }
    let positions = HumanCount(solver.indexer().len());
    let [most, there, missing] = [needed, limit, needed - limit].map(DecimalBytes);
    let name = solver.rules().rule_set();
    let left = memory_with(solver, true);
    let help = if !spills && left <= limit {
        format!(
            "with --spill DIR, settled values are kept on a disk, and each needs {}",
            DecimalBytes(left)
        )
    } else if needed <= free_to_all {
        format!(
            "--memory {most} lets each take that",
            most = needed.div_ceil(1_000_000).to_string() + "M"
        )
    } else {
        "fewer ranks on a machine leave more to each (mpirun --map-by ppr:1:node)".to_owned()
    };
    let smaller = puabi_cli::smaller(solver, limit, memory);
    let needs = format!(
        "each of {ranks} ranks needs {most} of memory, {there} are available to rank {rank}"
    );
    Err(anyhow!("{name} has {positions} positions and {needs}: {missing} are missing"))
        .hint(|| format!("{help}; {smaller}"))
}

/// Returns this rank's share of the free bytes of memory of its machine.
fn free_memory(args: &SolveArgs, solver: &Solver, world: &World) -> u64 {
    let free = available_memory().unwrap_or(u64::MAX);
    free.saturating_sub(memory_for_table(args, solver, world)) / world.ranks_on_this_machine()
}

/// Returns the bytes of memory that the first rank takes for the table, if the table's folder is in memory: those still to be
/// written, and those of a sublayer that the first rank gathers, unless ranks spill to another folder. Returns 0 otherwise, and on
/// other ranks.
fn memory_for_table(args: &SolveArgs, solver: &Solver, world: &World) -> u64 {
    if !world.is_first() || !is_in_memory(directory(&args.out)).unwrap_or(false) {
        return 0;
    }
    let gathers = world.ranks() > 1 && args.spill.is_none();
    let sublayer = if gathers { solver.plan().largest_sublayer.saturating_mul(8) } else { 0 };
    remaining_table_bytes(solver, &args.out, world).saturating_add(sublayer)
}

/// Returns the solver that spills to `folder`. Returns an error unless every rank has this folder on a disk with enough room; if
/// the table is on the same disk, it needs room there, too. All ranks get the same result.
fn spilling_to(solver: &Solver, folder: &Path, out: &Path, world: &World) -> Result<Solver> {
    let solver = spilling_solver(solver, folder);
    let needed = solver.held_among(world.ranks()) + solver.spilled_among(world.ranks());
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
    let holds_table = is_one_disk(folder, directory(out)).unwrap_or(false);
    let table = if holds_table { remaining_table_bytes(&solver, out, world) } else { 0 };
    let (is_writable, rank) = least(u64::from(SpillFolder::new(folder).ensure_writable().is_ok()));
    if is_writable == 0 {
        bail!("rank {rank} cannot write to {place}: expected a folder for files of its own");
    }
    let free = free_space(folder).unwrap_or(0).saturating_sub(table);
    let (free, rank) = least(free / world.ranks_on_this_machine());
    if free < needed {
        let [needed, free] = [needed, free].map(DecimalBytes);
        bail!(
            "settled values take {needed} in {place} on each rank: rank {rank} has {free} free there besides the room for the table"
        );
    }
    Ok(solver)
}

/// Returns the solver with a nameless file beside the table. The first rank gathers all values of a sublayer there before it
/// writes them. Without room for that, all ranks get the same error.
fn gathering_beside_table(solver: Solver, out: &Path, world: &World) -> Result<Solver> {
    if world.ranks() == 1 {
        return Ok(solver);
    }
    let folder = directory(out);
    let needed = remaining_table_bytes(&solver, out, world) + 8 * solver.plan().largest_sublayer;
    let gathers = world.is_first() && is_in_memory(folder).is_ok_and(|it| !it);
    let free = if gathers { free_space(folder).unwrap_or(u64::MAX) } else { u64::MAX };
    let [missing] = greatest([needed.saturating_sub(free)]);
    if missing > 0 {
        let [needed, missing] = [needed, missing].map(DecimalBytes);
        let folder = folder.display();
        bail!(
            "the table and a sublayer beside it take {needed} in {folder}: {missing} are missing"
        );
    }
    let gathering = SpillFolder::new(folder);
    // A folder that is not there yet is made before the solve.
    let tried = if gathers && folder.is_dir() { gathering.ensure_writable() } else { Ok(()) };
    if let Some((rank, said)) = world.error_of_another_rank(tried.as_ref().err()) {
        bail!("rank {rank}: {said}");
    }
    tried
        .with_context(|| format!("gathering sublayers in {}", folder.display()))
        .hint(|| "--spill DIR gathers them in another folder")?;
    Ok(if gathers { solver.gathering_in(Arc::new(gathering)) } else { solver })
}

/// Returns the bytes that the first rank still has to write for the table; 0 on other ranks. An error of the table's folder also
/// gives 0: it is reported when the table is made.
fn remaining_table_bytes(solver: &Solver, out: &Path, world: &World) -> u64 {
    let disk = DiskUse::new(out, solver.rules(), solver.indexer(), Precision::F64);
    let disk = disk.ok().filter(|_| world.is_first());
    disk.map_or(0, |disk| disk.most.saturating_sub(disk.taken))
}

/// Solves on the first rank, which keeps the table.
fn solve_on_first(args: &SolveArgs, solver: &Solver, world: &World) -> Result<Traffic, TableError> {
    let bar = Bar::unguarded(format!("solving {}", solver.rules().rule_set()));
    let mut received = Traffic::default();
    make_table_by(&args.out, solver, Precision::F64, |kept| {
        puabi_cli::note_discarded(kept);
        let (found, traffic) = solver.solve_among(world, kept, &bar)?;
        received = traffic;
        found.ok_or(SolveError::Stopped)
    })?;
    Ok(received)
}

/// Solves on another rank, which keeps the values that it still reads.
fn solve_on_other(args: &SolveArgs, solver: &Solver, world: &World) -> Result<Traffic, SolveError> {
    let folder = args.spill.as_deref().map(SpillFolder::new);
    let kept = folder.as_ref().map_or(&Unattended as &dyn Checkpoint, |folder| folder);
    solver.solve_among(world, kept, &Unattended).map(|(_, traffic)| traffic)
}

fn print_report(args: &SolveArgs, world: &World, began: Instant, out: &mut Out) -> Result<()> {
    let table = Table::open(&args.out).with_context(|| args.out.display().to_string())?;
    let report = table.header().report();
    writeln!(out, "rules        {}", table.header().rules().rule_set())?;
    writeln!(out, "positions    {}, sublayers {}", HumanCount(report.positions), report.sublayers)?;
    writeln!(out, "start value  {}", report.start_value)?;
    writeln!(out, "residual     {:e}, sweeps at most {}", report.residual, report.sweeps_max)?;
    writeln!(out, "dead         {}", HumanCount(report.dead_positions))?;
    writeln!(out, "table        {}", args.out.display())?;
    writeln!(out, "hash         {}", table.hash().to_hex())?;
    let seconds = began.elapsed().as_secs_f64();
    writeln!(
        out,
        "this run     {seconds:.1} s, ranks {}, threads of each {}",
        world.ranks(),
        args.threads
    )?;
    Ok(())
}

/// Prints the bytes that the ranks have received, of all ranks together and of the rank with the most. For renewed values, it also
/// prints the numbers by the model.
fn print_traffic(world: &World, sums: [u64; 3], most: [u64; 3], out: &mut Out) -> Result<()> {
    if world.ranks() > 1 {
        let [all, all_modelled, finished] = sums.map(DecimalBytes);
        let [one, one_modelled, one_finished] = most.map(DecimalBytes);
        writeln!(out, "received     {all} of renewed values, {one} by one rank at most")?;
        writeln!(
            out,
            "by the model {all_modelled} of renewed values, {one_modelled} by one rank at most"
        )?;
        writeln!(
            out,
            "             {finished} of finished values, {one_finished} by one rank at most"
        )?;
    }
    Ok(())
}
