//! The exact result of a match: every possible game, weighed by its chance.

use std::fmt;
use std::time::Instant;

use anyhow::{Context, Result};
use puabi_core::Rules;
use puabi_engine::SharedEvaluator;
use puabi_solve::Options;
use puabi_study::{Audit, Matchup, Regret, SharedAgent};
use serde::Serialize;

use crate::output::machine::Cost;
use crate::output::text;
use crate::progress::Bar;
use crate::tables::{self, Work};

/// The exact result of a match and the cost of finding it. Chances are A's.
#[derive(Debug, Serialize)]
pub(super) struct Exact {
    #[serde(flatten)]
    found: ExactResult,
    positions: u64,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ExactResult {
    Matchup(Matchup),
    Audit(Audit),
}

impl Exact {
    /// Returns the result of two agents, with the regret of both if `values` of the solved game are given.
    pub(super) fn new(
        rules: &Rules,
        agents: [SharedAgent<'_>; 2],
        values: Option<SharedEvaluator<'_>>,
        label: String,
    ) -> Result<Self> {
        let began = Instant::now();
        let context = format!("evaluating {label}");
        let work = Work::Match(if values.is_some() { 6 } else { 2 });
        let solver = tables::solver(rules, Options::default(), work)?;
        let bar = Bar::new(label);
        let found = match values {
            Some(values) => Audit::new(&solver, agents, values, &bar).map(ExactResult::Audit),
            None => Matchup::new(&solver, agents, &bar).map(ExactResult::Matchup),
        };
        let (found, positions) = (found.context(context)?, solver.indexer().len());
        Ok(Self { found, positions, cost: Cost::since(began) })
    }

    /// Writes the result for agents with these names.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, names: [&str; 2]) -> fmt::Result {
        let (matchup, regrets) = match &self.found {
            ExactResult::Matchup(matchup) => (matchup, None),
            ExactResult::Audit(audit) => (&audit.matchup, Some(&audit.regrets)),
        };
        writeln!(f, ", exact over {} positions", text::count(self.positions))?;
        let chances = [matchup.a_mean, matchup.a_first, matchup.a_second].map(text::exact_percent);
        writeln!(f, "{}", text::wins(names[0], &chances))?;
        writeln!(f, "first roll   worth {} points of 100", points(matchup.first_edge))?;
        let shares = matchup.shares;
        let [skill, seat, luck] = [shares.skill, shares.seat, shares.luck].map(text::percent);
        writeln!(f, "results      {luck} luck, {skill} who plays, {seat} who begins")?;
        writeln!(f, "length       {:.6} rolls", matchup.rolls)?;
        for (name, regret) in names.iter().zip(regrets.into_iter().flatten()) {
            write_regret(name, regret, f)?;
        }
        writeln!(f, "residual     {:.2e}", matchup.residual)?;
        writeln!(f, "this run     {}", self.cost)
    }
}

fn write_regret(name: &str, regret: &Regret, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [game, a_move, everywhere] = [regret.a_game, regret.a_move, regret.everywhere].map(points);
    writeln!(
        f,
        "{name} gives away {a_move} points of 100 a move, {game} in the {:.2} moves of a game; \
         {everywhere} a move over all positions",
        regret.moves
    )
}

/// Formats a difference of chances in points of a hundred.
fn points(difference: f64) -> String {
    format!("{:.4}", difference * 100.0)
}
