//! `ur bench`: repeatable measurements.

mod brain;
mod lookup;
mod read;

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use clap::Subcommand;
use puabi_solve::{InstructionSet, Options, Report, Solver, Unattended};
use serde::Serialize;

use crate::tables::Work;
use crate::watch::Bar;
use crate::{Outcome, machine, notation, tables, text};

/// Arguments of `ur bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Solves in memory, several times, and writes no file
    #[command(after_help = "Example:\n  ur bench solve finkel:5 --runs 5 --threads 2")]
    Solve(SolveArgs),
    /// Looks up positions spread over the whole table
    #[command(after_help = "Example:\n  ur bench lookup finkel")]
    Lookup(lookup::Args),
    /// Evaluates positions and plays games with a quadratic brain, on one processor
    #[command(after_help = "Example:\n  ur bench brain finkel")]
    Brain(brain::Args),
    /// Reads game records in every notation that holds them, on one processor
    #[command(after_help = "Example:\n  ur bench read finkel")]
    Read(read::Args),
}

#[derive(Debug, clap::Args)]
struct SolveArgs {
    /// The rule set
    rules: String,
    /// Solves to measure
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Threads that work [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Instructions to sweep with: avx512, avx2 or portable; the values are the same [default: the fastest there is]
    #[arg(long, value_name = "SET")]
    instructions: Option<InstructionSet>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    match &args.what {
        What::Solve(args) => solve(args, out),
        What::Lookup(args) => lookup::run(args, out),
        What::Brain(args) => brain::run(args, out),
        What::Read(args) => read::run(args, out),
    }
}

/// Seconds that one solve took.
#[derive(Debug, Clone, Copy, Serialize)]
struct Run {
    seconds: f64,
    cpu_seconds: f64,
}

#[derive(Debug, Serialize)]
struct Solves {
    rules: String,
    positions: u64,
    threads: usize,
    instructions: String,
    runs: Vec<Run>,
    median_seconds: f64,
    median_cpu_seconds: f64,
    positions_per_second: f64,
    residual: f64,
    start_value: f64,
    peak_bytes: u64,
}

fn solve(args: &SolveArgs, out: &mut dyn Write) -> Result<Outcome> {
    let rules = notation::rules(&args.rules)?;
    let options = args.options();
    let solver = tables::solver(&rules, options, Work::Solve)?;
    let (mut runs, mut last) = (Vec::new(), None);
    for number in 1..=args.runs {
        let bar = Bar::new(format!("run {number} of {}", args.runs));
        let (run, report) = measure(&solver, &bar)?;
        drop(bar);
        if !args.json {
            let Run { seconds, cpu_seconds } = run;
            writeln!(out, "run {number}  {seconds:.3} s, {cpu_seconds:.3} s of processors")?;
        }
        runs.push(run);
        last = Some(report);
    }
    let report = last.expect("there is at least one run");
    let report = Solves::new(&rules.rule_set().to_string(), &options, runs, &report);
    if args.json {
        text::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Outcome::Done)
}

impl SolveArgs {
    fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            threads: self.threads.map_or(usual.threads, usize::from),
            instructions: self.instructions.unwrap_or(usual.instructions),
            ..usual
        }
    }
}

fn measure(solver: &Solver, bar: &Bar) -> Result<(Run, Report)> {
    let (began, before) = (Instant::now(), machine::usage());
    let (_, report) = solver.solve(&Unattended, bar)?;
    let cpu_seconds = machine::usage().cpu_seconds - before.cpu_seconds;
    Ok((Run { seconds: began.elapsed().as_secs_f64(), cpu_seconds }, report))
}

impl Solves {
    fn new(rules: &str, options: &Options, runs: Vec<Run>, report: &Report) -> Self {
        let median_seconds = median(runs.iter().map(|run| run.seconds));
        Self {
            rules: rules.to_owned(),
            positions: report.positions,
            threads: options.threads,
            instructions: options.instructions.to_string(),
            median_seconds,
            median_cpu_seconds: median(runs.iter().map(|run| run.cpu_seconds)),
            positions_per_second: report.positions as f64 / median_seconds,
            residual: report.residual,
            start_value: report.start_value,
            peak_bytes: machine::usage().peak_bytes,
            runs,
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let (seconds, cpu) = (self.median_seconds, self.median_cpu_seconds);
        let (threads, set) = (self.threads, &self.instructions);
        writeln!(out, "median {seconds:.3} s, {cpu:.3} s of processors, {threads} threads, {set}")?;
        let rate = self.positions_per_second / 1e6;
        writeln!(out, "{} positions, {rate:.2} million a second", text::count(self.positions))?;
        writeln!(out, "residual {:.2e}, start value {}", self.residual, self.start_value)?;
        writeln!(out, "{} of memory", text::bytes(self.peak_bytes))?;
        Ok(())
    }
}

/// Runs that a figure is the median of.
const RUNS: usize = 9;

/// Returns the processor's seconds that `work` takes, the median of some runs; the clock's where there are none.
fn processor_seconds(work: impl Fn()) -> f64 {
    median((0..RUNS).map(|_| {
        let (began, before) = (Instant::now(), machine::usage());
        work();
        match machine::usage().cpu_seconds - before.cpu_seconds {
            0.0 => began.elapsed().as_secs_f64(),
            seconds => seconds,
        }
    }))
}

/// Returns the middle of the numbers; the higher of two middles.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
