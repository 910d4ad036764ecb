//! The exact part of `ur match`: every game that the dice can make of it, weighed by its chance.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use puabi_core::Rules;
use puabi_engine::SharedEvaluator;
use puabi_solve::Options;
use puabi_study::{Audit, Matchup, Regret, SharedAgent};
use serde::Serialize;

use crate::tables::Work;
use crate::watch::Bar;
use crate::{Outcome, machine, tables, text};

/// An agent and the name it goes by.
pub(crate) type Named<'a> = (&'a str, SharedAgent<'a>);

/// How a match comes out. Chances are A's.
#[derive(Debug, Serialize)]
struct Report<'a> {
    rules: String,
    a: &'a str,
    b: &'a str,
    exact: bool,
    #[serde(flatten)]
    found: Found,
    positions: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_bytes: u64,
}

/// What was asked for.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Found {
    Matchup(Matchup),
    Audit(Audit),
}

/// Writes the exact result of A against B, and what both give away where `values` of the solved game are given.
pub(crate) fn run(
    rules: &Rules,
    [(a, agent_a), (b, agent_b)]: [Named<'_>; 2],
    values: Option<SharedEvaluator<'_>>,
    json: bool,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let began = Instant::now();
    let work = Work::Match(if values.is_some() { 6 } else { 2 });
    let solver = tables::solver(rules, Options::default(), work)?;
    let bar = Bar::new(format!("{a} against {b}"));
    let agents = [agent_a, agent_b];
    let found = match values {
        Some(values) => Audit::new(&solver, agents, values, &bar).map(Found::Audit),
        None => Matchup::new(&solver, agents, &bar).map(Found::Matchup),
    };
    drop(bar);
    let found = found.with_context(|| format!("evaluating {a} against {b}"))?;
    let usage = machine::usage();
    let report = Report {
        rules: rules.rule_set().to_string(),
        a,
        b,
        exact: true,
        found,
        positions: solver.indexer().len(),
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: usage.cpu_seconds,
        peak_bytes: usage.peak_bytes,
    };
    if json {
        text::write_json(&report, out)?;
    } else {
        report.write(out)?;
    }
    Ok(Outcome::Done)
}

impl Report<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let matchup = match &self.found {
            Found::Matchup(matchup) => matchup,
            Found::Audit(audit) => &audit.matchup,
        };
        let (rules, a, b) = (&self.rules, self.a, self.b);
        writeln!(
            out,
            "{rules}: {a} against {b}, exact over {} positions",
            text::count(self.positions)
        )?;
        writeln!(out, "{a} wins {}", text::exact_percent(matchup.a_mean))?;
        writeln!(out, "  moving first   {}", text::exact_percent(matchup.a_first))?;
        writeln!(out, "  moving second  {}", text::exact_percent(matchup.a_second))?;
        writeln!(out, "first roll   worth {} points of 100", points(matchup.first_edge))?;
        let shares = matchup.shares;
        let [skill, seat, luck] = [shares.skill, shares.seat, shares.luck].map(text::percent);
        writeln!(out, "results      {luck} luck, {skill} who plays, {seat} who begins")?;
        writeln!(out, "length       {:.6} rolls", matchup.rolls)?;
        if let Found::Audit(audit) = &self.found {
            for (name, regret) in [(a, &audit.regrets[0]), (b, &audit.regrets[1])] {
                write_regret(name, regret, out)?;
            }
        }
        writeln!(out, "residual     {:.2e}", matchup.residual)?;
        let [time, cpu] = [self.seconds, self.cpu_seconds]
            .map(|seconds| text::seconds(Duration::from_secs_f64(seconds)));
        let peak = text::bytes(self.peak_bytes);
        writeln!(out, "this run     {time}, {cpu} of processors, {peak} of memory")?;
        Ok(())
    }
}

fn write_regret(name: &str, regret: &Regret, out: &mut dyn Write) -> Result<()> {
    let [game, a_move, everywhere] = [regret.a_game, regret.a_move, regret.everywhere].map(points);
    writeln!(
        out,
        "{name} gives away {a_move} points of 100 a move, {game} in the {:.2} moves of a game; \
         {everywhere} a move over all positions",
        regret.moves
    )?;
    Ok(())
}

/// Writes a difference of chances in points of a hundred.
fn points(difference: f64) -> String {
    format!("{:.4}", difference * 100.0)
}
