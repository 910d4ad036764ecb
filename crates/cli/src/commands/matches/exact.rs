//! The exact result of a match: every possible game, weighed by its chance.

use std::fmt;

use anyhow::Result;
use puabi_core::Rules;
use puabi_engine::SharedEvaluator;
use puabi_solve::{Options, Solver};
use puabi_study::{Audit, Matchup, Regret, SharedAgent};
use serde::Serialize;

use crate::errors::Advise;
use crate::output::{Cost, Start, text};
use crate::progress::Bar;
use crate::tables;

/// The exact result of a match and the cost of finding it. Chances are A's.
#[derive(Debug, Serialize)]
pub(super) struct Exact {
    #[serde(flatten)]
    matchup: Matchup,
    /// What A and B give away, if the user wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    regrets: Option<[Regret; 2]>,
    /// After how many games the stronger agent is ahead in 95 of 100 matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_to_lead: Option<u64>,
    positions: u64,
    #[serde(flatten)]
    cost: Cost,
}

impl Exact {
    /// Returns the result of two agents, with the regret of both if `values` of the solved game are given.
    pub(super) fn new(
        rules: &Rules,
        agents: [SharedAgent<'_>; 2],
        values: Option<SharedEvaluator<'_>>,
        (label, options): (String, Options),
    ) -> Result<Self> {
        let began = Start::now();
        let memory: fn(&Solver) -> u64 = match values {
            Some(_) => |solver| solver.meeting_memory(Audit::MEASURES),
            None => |solver| solver.meeting_memory(Matchup::MEASURES),
        };
        let solver = tables::solver_or(rules, options, tables::in_all(memory), |_, _| {
            Some("--games 1000 plays games".to_owned())
        })?;
        let bar = Bar::new(label.clone());
        let found = match values {
            Some(values) => Audit::new(&solver, agents, values, &bar)
                .map(|Audit { matchup, regrets }| (matchup, Some(regrets))),
            None => Matchup::new(&solver, agents, &bar).map(|matchup| (matchup, None)),
        };
        let (matchup, regrets) = found.doing("evaluating", label)?;
        let (games_to_lead, positions) = (matchup.games_to_lead(), solver.indexer().len());
        Ok(Self { matchup, regrets, games_to_lead, positions, cost: began.cost() })
    }

    /// Writes the result for agents with these names.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, names: [&str; 2]) -> fmt::Result {
        let matchup = &self.matchup;
        writeln!(f, ", exact over {} positions", text::count(self.positions))?;
        let chances = [matchup.a_mean, matchup.a_first, matchup.a_second].map(text::exact_percent);
        writeln!(f, "{}", text::wins(names[0], &chances))?;
        writeln!(f, "first roll   worth {} points of 100", points(matchup.first_edge))?;
        let shares = matchup.shares;
        let [skill, seat, luck] = [shares.skill, shares.seat, shares.luck].map(text::percent);
        write!(f, "results      {luck} luck, {skill} who plays, {seat} who begins")?;
        if shares.drawn > 0.0 {
            write!(f, ", {} won by nobody", text::percent(shares.drawn))?;
        }
        writeln!(f)?;
        if let Some(games) = self.games_to_lead {
            let games = text::count(games);
            writeln!(
                f,
                "lead         after {games} games the stronger is ahead in 95 of 100 matches"
            )?;
        }
        writeln!(f, "length       {:.6} rolls", matchup.rolls)?;
        for (name, regret) in names.iter().zip(self.regrets.iter().flatten()) {
            write_regret(name, regret, f)?;
        }
        writeln!(f, "residual     {:.2e}", matchup.residual)?;
        writeln!(f, "this run     {}", self.cost)
    }
}

fn write_regret(name: &str, regret: &Regret, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let [game, a_move, everywhere] = [regret.a_game, regret.a_move, regret.everywhere].map(points);
    write!(f, "{name} gives away {a_move} points of 100 a move, ")?;
    write!(f, "{game} in the {:.2} moves of a game; ", regret.moves)?;
    writeln!(f, "{everywhere} a move over all positions")
}

/// Formats a difference of chances in points of a hundred.
fn points(difference: f64) -> String {
    text::rounded(difference * 100.0, 4)
}
