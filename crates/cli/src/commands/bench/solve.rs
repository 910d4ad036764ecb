//! `ur bench solve`: solves in memory.

use std::fmt;

use anyhow::Result;
use puabi_solve::{Solver, Unattended};
use serde::Serialize;

use crate::options::SolveSettings;
use crate::output::{Cost, Out, Start, machine, text};
use crate::progress::Bar;
use crate::{notation, tables};

/// Arguments of `ur bench solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SolveBenchArgs {
    /// The rule set
    rules: String,
    /// Solves to measure
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    #[command(flatten)]
    solving: SolveSettings,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// The seconds of one solve.
#[derive(Debug, Clone, Copy, Serialize)]
struct Run {
    seconds: f64,
    cpu_seconds: f64,
}

#[derive(Debug, Serialize)]
struct SolveSpeeds {
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

pub(super) fn run(args: &SolveBenchArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let options = args.solving.options();
    let solver = tables::solver(&rules, options, Solver::holding_memory)?;
    let (mut runs, mut last) = (Vec::new(), None);
    for number in 1..=args.runs {
        let (run, report) = measure(&solver, format!("run {number} of {}", args.runs))?;
        if !args.json {
            let Run { seconds, cpu_seconds } = run;
            writeln!(out, "run {number}  {seconds:.3} s, {cpu_seconds:.3} s of processors")?;
        }
        runs.push(run);
        last = Some(report);
    }
    let report = last.expect("there is at least one run");
    let median_seconds = machine::median(runs.iter().map(|run| run.seconds));
    let speeds = SolveSpeeds {
        rules: rules.rule_set().to_string(),
        positions: report.positions,
        threads: options.threads,
        instructions: options.instructions.to_string(),
        median_seconds,
        median_cpu_seconds: machine::median(runs.iter().map(|run| run.cpu_seconds)),
        positions_per_second: report.positions as f64 / median_seconds,
        residual: report.residual,
        start_value: report.start_value,
        peak_bytes: Start::now().cost().peak_bytes,
        runs,
    };
    out.print(&speeds, args.json)
}

fn measure(solver: &Solver, label: String) -> Result<(Run, puabi_solve::Report)> {
    let bar = Bar::new(label);
    let began = Start::now();
    let (_, report) = solver.solve(&Unattended, &bar)?;
    let Cost { seconds, cpu_seconds, .. } = began.cost();
    Ok((Run { seconds, cpu_seconds }, report))
}

impl fmt::Display for SolveSpeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, cpu) = (self.median_seconds, self.median_cpu_seconds);
        let set = &self.instructions;
        let threads = text::counted(self.threads as u64, "thread", "threads");
        writeln!(f, "median {seconds:.3} s, {cpu:.3} s of processors, {threads}, {set}")?;
        let rate = self.positions_per_second / 1e6;
        writeln!(f, "{} positions, {rate:.2} million a second", text::count(self.positions))?;
        writeln!(f, "residual {:.2e}, start value {}", self.residual, self.start_value)?;
        writeln!(f, "{} of memory", text::bytes(self.peak_bytes))
    }
}
