//! `ur solve`: the exact values of a game, kept as a table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use puabi_core::{RuleSet, Rules};
use puabi_solve::{InstructionSet, Options};
use puabi_tables::{Precision, Table, make_table, rewrite_table};
use serde::Serialize;

use crate::complaint::Advise;
use crate::tables::{self, Work};
use crate::watch::Bar;
use crate::{Outcome, machine, notation, talk, text};

/// Arguments of `ur solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Ctrl-C keeps what is solved so far: the same command goes on where it was.

Examples:
  ur solve finkel
  ur solve masters --store u16 --out masters.urt
  ur solve my.toml --threads 4 --json")]
pub(crate) struct Args {
    /// The rule set: finkel, finkel:3 or my.toml
    rules: String,
    /// The file of the table [default: one in the data directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How values are stored: f64 (exact), f32 (to 3e-8) or u16 (to 8e-6), a half and a quarter of the size
    #[arg(long, value_name = "f64|f32|u16", default_value_t = Precision::F64)]
    store: Precision,
    /// Threads that work; the result is the same for any number [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Largest difference between a value and its backup at which a sublayer counts as settled [default: 3.4e-16]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Instructions to sweep with: avx512, avx2 or portable; the table is the same [default: the fastest there is]
    #[arg(long, value_name = "SET")]
    instructions: Option<InstructionSet>,
    /// Solves again where there is a table
    #[arg(long)]
    force: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to below 1, such as 1e-12".to_owned())
}

/// What `ur solve` tells; seconds, bytes of memory and threads are of this run.
#[derive(Debug, Serialize)]
struct Facts {
    rules: String,
    positions: u64,
    layers: usize,
    sublayers: usize,
    sweeps_max: u32,
    residual: f64,
    start_value: f64,
    dead_positions: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_bytes: u64,
    threads: usize,
    table: PathBuf,
    hash: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let began = Instant::now();
    let rules = notation::rules(&args.rules)?;
    let options = args.options();
    let path = match &args.out {
        Some(path) => path.clone(),
        None => tables::library()?.store().path(rules.rule_set(), args.store),
    };
    if path.exists() && !args.force {
        let table = Table::open_for(&path, rules.rule_set());
        let table = table.with_context(|| format!("opening {}", path.display()));
        table.hint(|| "--force solves again and replaces it")?;
        talk(&"solved before; --force solves it again");
    } else {
        let exact = if args.force { None } else { args.exact(rules.rule_set())? };
        match exact {
            Some(exact) => args.rewrite(&exact, &path)?,
            None => args.solve(&rules, &path)?,
        }
    }
    let table = tables::open(&path)?;
    let facts = Facts::new(&table, path, options.threads, began.elapsed());
    if args.json {
        text::write_json(&facts, out)?;
    } else {
        facts.write(&table, out)?;
    }
    Ok(Outcome::Done)
}

impl Args {
    fn options(&self) -> Options {
        let mut options = Options::default();
        options.threads = self.threads.map_or(options.threads, usize::from);
        options.instructions = self.instructions.unwrap_or(options.instructions);
        options.tolerance = self.tolerance.unwrap_or(options.tolerance);
        options
    }

    /// Returns the table of the library with the exact values that this solve would find, if a coarser one is wanted.
    fn exact(&self, rule_set: &RuleSet) -> Result<Option<Table>> {
        let path = tables::library()?.store().path(rule_set, Precision::F64);
        if self.store == Precision::F64 || !path.is_file() {
            return Ok(None);
        }
        let tolerance = self.options().tolerance.to_bits();
        let exact = Table::open_for(&path, rule_set).ok();
        Ok(exact.filter(|table| table.header().tolerance().to_bits() == tolerance))
    }

    /// Makes the table at `path` from one with exact values instead of solving.
    fn rewrite(&self, exact: &Table, path: &Path) -> Result<()> {
        let (rules, options) = (exact.header().rules(), self.options());
        let (name, store) = (rules.rule_set(), self.store);
        talk(&format!("{name} is solved: its exact values are stored as {store}"));
        tables::solver(rules, options, Work::Load)?;
        make_directory(path)?;
        let bar = Bar::new(format!("reading the table of {name}"));
        rewrite_table(exact, path, store, options.threads, &bar)
            .with_context(|| format!("storing {name} as {store}"))
            .hint(|| "--force solves the game again")
    }

    /// Solves the game into the table at `path`, going on where an earlier solve ended.
    fn solve(&self, rules: &Rules, path: &Path) -> Result<()> {
        let (name, options) = (rules.rule_set(), self.options());
        tables::solver(rules, options, Work::Solve)?;
        make_directory(path)?;
        let bar = Bar::new(format!("solving {name}"));
        make_table(path, rules, self.store, options, &bar)
            .with_context(|| format!("solving {name}"))?;
        Ok(())
    }
}

fn make_directory(table: &Path) -> Result<()> {
    let Some(directory) = table.parent() else { return Ok(()) };
    std::fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))
}

impl Facts {
    fn new(table: &Table, path: PathBuf, threads: usize, time: Duration) -> Self {
        let report = table.header().report();
        let usage = machine::usage();
        Self {
            rules: table.header().rules().rule_set().to_string(),
            positions: report.positions,
            layers: report.layers,
            sublayers: report.sublayers,
            sweeps_max: report.sweeps_max,
            residual: report.residual,
            start_value: report.start_value,
            dead_positions: report.dead_positions,
            seconds: time.as_secs_f64(),
            cpu_seconds: usage.cpu_seconds,
            peak_bytes: usage.peak_bytes,
            threads,
            table: path,
            hash: table.hash().to_hex().to_string(),
        }
    }

    fn write(&self, table: &Table, out: &mut dyn Write) -> Result<()> {
        tables::describe(table, &self.table, out)?;
        let cpu = text::seconds(Duration::from_secs_f64(self.cpu_seconds));
        let time = text::seconds(Duration::from_secs_f64(self.seconds));
        let (threads, peak) = (self.threads, text::bytes(self.peak_bytes));
        writeln!(
            out,
            "this run     {time}, {cpu} of processors, {threads} threads, {peak} of memory"
        )?;
        Ok(())
    }
}
