//! `ur solve`: the exact values of a game, kept as a table.

mod plan;
mod spilling;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use puabi_core::{RuleSet, Rules};
use puabi_solve::{Bounds, Options, Report, SolveError, Solver};
use puabi_tables::{
    DiskUse, FileCheckpoint, Precision, Table, TableError, directory, make_table_by,
    remove_leftovers, rewrite_table,
};
use serde::Serialize;

use plan::{ELSEWHERE, PlannedSolve};

use crate::errors::Advise;
use crate::options::{self, SolveSettings};
use crate::output::{Cost, Out, Start, status, text};
use crate::progress::{Bar, interrupt};
use crate::{files, notation, tables};

/// Arguments of `ur solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/solve.txt"))]
pub(crate) struct SolveArgs {
    /// The rule set: finkel, finkel:3 or my.toml
    rules: String,
    /// The file of the table [default: one in the data directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The precision of the values: f64 (exact), f32 (to 3e-8, half the size) or u16 (to 8e-6, a quarter)
    #[arg(long, value_name = "f64|f32|u16", default_value_t = Precision::F64)]
    store: Precision,
    #[command(flatten)]
    solving: SolveSettings,
    /// Iterates each part of the game until no value differs from its backup by more than this [default: 3.4e-16]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Solves again even if there is a table
    #[arg(long)]
    force: bool,
    /// The most memory that the solve may take, such as 4G; a game that needs more keeps part of its values on a disk during
    /// the solve, or is refused [default: the free memory]
    #[arg(long, value_name = "BYTES", value_parser = options::bytes)]
    memory: Option<u64>,
    /// The folder for temporary files of values, if the game needs more memory than it may take [default: that of the table]
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Estimates the memory, disk space and time of a solve, and solves nothing
    #[arg(long, conflicts_with_all = ["force", "bounds", "no_bounds"])]
    plan: bool,
    #[command(flatten)]
    bounding: Bounding,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Whether the exact values are bounded on both sides.
#[derive(Debug, clap::Args)]
struct Bounding {
    /// Computes bounds on the exact values also if the game was solved before
    #[arg(long)]
    bounds: bool,
    /// Does not compute bounds on both sides of the exact values; they take half to four fifths as long as the solve
    #[arg(long, conflicts_with = "bounds")]
    no_bounds: bool,
}

/// The hint if there is a table, but not the one that the user wants.
const FORCE: &str = "--force solves again and replaces it";

fn tolerance(text: &str) -> Result<f64, String> {
    let most = Precision::F64.bound();
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from 0 to {most:e}, such as 1e-15"))
}

/// A solved game, and the cost of this run.
#[derive(Debug, Serialize)]
struct Solved<'a> {
    rules: String,
    #[serde(flatten)]
    report: Report,
    #[serde(flatten)]
    cost: Cost,
    threads: usize,
    #[serde(serialize_with = "text::shown")]
    table: &'a Path,
    hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
}

pub(crate) fn run(args: &SolveArgs, out: &mut Out) -> Result<()> {
    let began = Start::now();
    let rules = notation::rules(&args.rules)?;
    let path = match &args.out {
        Some(path) => tables::ensure_table_name(path).map(|()| path.clone())?,
        None => tables::library()?.store().path(rules.rule_set(), args.store),
    };
    let path = files::followed(&path)?;
    if args.plan {
        let (store, options, memory_limit) = (args.store, args.options(), args.memory_limit());
        let (rules, path, spill) = (&rules, &*path, args.spill.as_deref());
        let solve = PlannedSolve { rules, path, store, options, memory_limit, spill };
        return plan::run(&solve, args.json, out);
    }
    let has_existed = path.exists();
    let is_solved = has_existed && !args.force;
    if is_solved {
        args.find(&rules, &path)?;
    } else {
        args.make(&rules, &path)?;
    }
    let table = tables::open(&path)?;
    let (threads, cost) = (args.options().threads, began.cost());
    if !args.json {
        tables::describe(&table, &path, out)?;
        write_cost(cost, threads, out)?;
    }
    let bounds = match args.bound(&table, !is_solved) {
        Err(error) if tables::has_no_end(&error) => return endless(error, table, has_existed),
        bounds => bounds?,
    };
    if args.json {
        let (rules, report) = (rules.rule_set().to_string(), table.header().report());
        let hash = table.hash().to_hex().to_string();
        let solved = Solved { rules, report, cost, threads, table: &path, hash, bounds };
        return out.json(&solved);
    }
    bounds.map_or(Ok(()), |bounds| writeln!(out, "{}", tables::bounds_text(bounds)))
}

/// Returns the error of a game that has no bounds. Removes the table unless there was one before, because the next run would find
/// it and report nothing. A table that took longer than a few seconds is kept.
fn endless(error: anyhow::Error, table: Table, has_existed: bool) -> Result<()> {
    let is_small = table.header().report().positions < 1 << 24;
    let path = table.path().to_owned();
    drop(table);
    let goes = is_small && !has_existed;
    if goes {
        std::fs::remove_file(&path).doing("removing", path.display())?;
    }
    let kept = if goes {
        "the table is not kept: --no-bounds keeps it"
    } else {
        "the table is there all the same"
    };
    Err(error.context(tables::ENDLESS)).hint(|| format!("{}; {kept}", tables::ENDING))
}

/// Prints a note if the work of an earlier, different solve was discarded: people may expect that solve to go on.
pub fn note_discarded(kept: &FileCheckpoint) {
    if kept.discarded() > 0 {
        let parts = text::counted(kept.discarded() as u64, "sublayer", "sublayers");
        status(format_args!(
            "solved anew: an earlier solve kept {parts} by other rules, another tolerance or another version"
        ));
    }
}

/// Writes the cost of this run now, because the bounds that follow take half as long again.
fn write_cost(cost: Cost, threads: usize, out: &mut Out) -> Result<()> {
    let [time, cpu] = [cost.seconds, cost.cpu_seconds].map(text::seconds);
    let peak = text::bytes(cost.peak_bytes);
    let threads = text::counted(threads as u64, "thread", "threads");
    writeln!(out, "this run     {time}, {cpu} of processors, {threads}, {peak} of memory")?;
    out.flush()
}

impl SolveArgs {
    fn options(&self) -> Options {
        let options = self.solving.options();
        Options { tolerance: self.tolerance.unwrap_or(options.tolerance), ..options }
    }

    /// Bounds the exact values on both sides. Without `--bounds`, it does so only for a new table and if there is enough memory.
    fn bound(&self, table: &Table, is_new: bool) -> Result<Option<Bounds>> {
        if !self.bounding.bounds && (self.bounding.no_bounds || !is_new) {
            return Ok(None);
        }
        // Ctrl-C may have come while the table was written.
        if interrupt::is_requested() {
            return Err(SolveError::Stopped.into());
        }
        if !self.bounding.bounds
            && let Err(short) = tables::room_to_bound(table)
        {
            status(format_args!("no bounds on both sides: {short}"));
            return Ok(None);
        }
        tables::bound(table, self.options().threads, &|_, _, _| {}).map(Some)
    }

    /// Makes sure that the table at `path` is of this game, with the precision and the tolerance that the user wants.
    fn find(&self, rules: &Rules, path: &Path) -> Result<()> {
        let table = Table::open_for(path, rules.rule_set());
        // A table that cannot be read may be the right one.
        let is_unknown = matches!(table, Err(TableError::Unreadable(_)));
        let table = table.doing("opening", path.display());
        let table = if is_unknown { table? } else { table.hint(|| FORCE)? };
        let (store, found) = (table.header().precision(), table.header().tolerance());
        // A table from another program, which states no sweeps, may be coarser than any solve leaves it.
        let is_of_others = table.header().report().sweeps_max == 0;
        let usual = if is_of_others { Precision::F64.bound() } else { self.options().tolerance };
        let wanted = self.tolerance.unwrap_or(usual);
        if store != self.store || found > wanted {
            let place = path.display();
            let as_found = format!("{place} has values as {store}, settled to {found:e}");
            let expected = format!("{} settled to {wanted:e}", self.store);
            return Err(anyhow!("{as_found}: expected {expected}")).hint(|| FORCE);
        }
        tables::check(&table).hint(|| FORCE)?;
        // An error is ignored: in a read-only directory there is nothing to remove.
        let _ = remove_leftovers(&table);
        status("solved before; --force solves it again");
        Ok(())
    }

    /// Makes the table at `path`: by a solve, or from a table of exact values if there is one.
    fn make(&self, rules: &Rules, path: &Path) -> Result<()> {
        let exact = if self.force { None } else { self.exact(rules.rule_set()) };
        match exact {
            Some(exact) => self.rewrite(&exact, path),
            None => self.solve(rules, path),
        }
    }

    /// Returns the table of the library with the exact values of this game, if the user wants coarser ones.
    fn exact(&self, rule_set: &RuleSet) -> Option<Table> {
        // There is no such table without a directory of tables.
        let library = tables::library().ok().filter(|_| self.store != Precision::F64);
        let path = library.map(|library| library.store().path(rule_set, Precision::F64));
        let exact = Table::open_for(&path.filter(|path| path.is_file())?, rule_set).ok();
        let tolerance = self.options().tolerance.to_bits();
        exact.filter(|table| table.header().tolerance().to_bits() == tolerance)
    }

    /// Makes the table at `path` from one with exact values instead of solving.
    fn rewrite(&self, exact: &Table, path: &Path) -> Result<()> {
        let rules = exact.header().rules();
        let (name, store) = (rules.rule_set(), self.store);
        status(format_args!("{name} is solved: its exact values are stored as {store}"));
        let solver = tables::unlimited_solver(rules, self.options())?;
        let disk = DiskUse::rewritten(rules, solver.indexer(), store)?;
        let solver = self.within_memory(solver, path, disk)?;
        files::create_folder(directory(path))?;
        let bar = Bar::new(format!("reading the table of {name}"));
        let written = rewrite_table(exact, path, store, &solver, &bar);
        let is_short = matches!(written, Err(TableError::NoSpace { .. }));
        written
            .doing("storing", format_args!("{name} as {store} in {}", path.display()))
            .hint(|| if is_short { ELSEWHERE } else { "--force solves the game again" })
    }

    /// Solves the game into the table at `path`; continues an earlier solve that was stopped.
    fn solve(&self, rules: &Rules, path: &Path) -> Result<()> {
        let name = rules.rule_set();
        let solver = tables::unlimited_solver(rules, self.options())?;
        let disk = DiskUse::new(path, rules, solver.indexer(), self.store)?;
        let solver = self.within_memory(solver, path, disk)?;
        files::create_folder(directory(path))?;
        let bar = Bar::new(format!("solving {name}"));
        let made = make_table_by(path, &solver, self.store, |kept| {
            note_discarded(kept);
            solver.solve(kept, &bar)
        });
        let is_short = matches!(made, Err(TableError::NoSpace { .. }));
        let made = made.doing("solving", format_args!("{name} into {}", path.display())).map(drop);
        if is_short { made.hint(|| ELSEWHERE) } else { made }
    }

    /// Returns the solver with values at work on a disk if memory is short, or an error if that does not help.
    fn within_memory(&self, solver: Solver, path: &Path, disk: DiskUse) -> Result<Solver> {
        let limit = spilling::memory_beside_table(self.memory_limit(), path, disk);
        let spill = self.spill.as_deref();
        let (solver, spilled) =
            spilling::spill_if_short(solver, (spill, self.store), limit, (path, disk))?;
        tables::ensure_memory(&solver, solver.rules().rule_set(), (Solver::memory, limit), || {
            spilling::advice(&solver, self.store, limit)
        })?;
        if let Some(spilled) = spilled {
            spilled.ensure_room()?;
            status(spilled);
        }
        Ok(solver)
    }

    /// Returns the most bytes of memory that a solve may take.
    fn memory_limit(&self) -> u64 {
        let free = puabi_tables::available_memory().unwrap_or(u64::MAX);
        self.memory.map_or(free, |memory| memory.min(free))
    }
}
