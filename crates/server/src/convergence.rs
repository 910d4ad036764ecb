//! How values converge: a plain value iteration over a small game, shown sweep by sweep.
//!
//! It is how the solve can be understood, and not how it is done: every position is backed up from the sweep before, from
//! one half everywhere, so that certainty flows from the end of the game to its start.

use puabi_core::{Afterstate, Indexer, Player, Position, Rules, TooManyPositions};
use serde::Serialize;
use utoipa::ToSchema;

/// The most positions of a game that is shown.
pub(crate) const MAX_POSITIONS: u64 = 300_000;
/// Positions whose values are told.
const SAMPLES: usize = 200;
/// The change at which values count as settled for the eye.
const SETTLED: f64 = 1e-9;
/// Sweeps after which it ends in any case.
const MAX_SWEEPS: usize = 2_000;

/// The values after a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Sweep {
    /// Sweeps made; 0 is the beginning, which also names the positions.
    #[serde(rename = "sweep")]
    number: usize,
    /// The largest change of a value.
    residual: f64,
    /// The value of the start: the chance of the player who begins.
    start: f64,
    /// The positions that values are told of, evenly spread over the index; with sweep 0 only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positions: Vec<String>,
    /// Their values, in the same order.
    values: Vec<f64>,
    /// Whether it was the last.
    settled: bool,
}

/// A plain value iteration over a small game.
#[derive(Debug)]
pub(crate) struct Demonstration<'r> {
    rules: &'r Rules,
    /// Positions in the order of the index.
    positions: Vec<Position>,
    indexer: Indexer,
    /// If the moves of each position and roll begin in `after`, one more at the end.
    bounds: Vec<u32>,
    /// What follows each move.
    after: Vec<Follow>,
}

/// What follows a move, by index.
#[derive(Debug, Clone, Copy)]
enum Follow {
    Won,
    Again(u32),
    Passed(u32),
}

impl<'r> Demonstration<'r> {
    /// Returns the game, its moves found.
    ///
    /// # Errors
    ///
    /// Returns an error if its positions cannot be counted.
    pub(crate) fn new(rules: &'r Rules) -> Result<Self, TooManyPositions> {
        let indexer = Indexer::new(rules)?;
        let positions: Vec<_> = (0..indexer.len()).map_while(|at| indexer.position(at)).collect();
        let mut demonstration =
            Self { rules, positions, indexer, bounds: vec![0], after: Vec::new() };
        for at in 0..demonstration.positions.len() {
            demonstration.find_moves(demonstration.positions[at]);
        }
        Ok(demonstration)
    }

    fn find_moves(&mut self, position: Position) {
        let indexer = &self.indexer;
        for &(roll, _) in self.rules.rolls() {
            let decision = self.rules.decision(position, roll);
            self.after.extend(decision.afterstates().map(|(_, after)| match after {
                Afterstate::Won => Follow::Won,
                Afterstate::RollsAgain(next) => Follow::Again(index(indexer, next)),
                Afterstate::TurnPasses(next) => Follow::Passed(index(indexer, next)),
            }));
            self.bounds.push(u32::try_from(self.after.len()).unwrap_or(u32::MAX));
        }
    }

    /// Sweeps until the values have settled, or until `tell` returns that no client listens.
    pub(crate) fn run(&self, mut tell: impl FnMut(Sweep) -> bool) {
        let step = self.positions.len().div_ceil(SAMPLES).max(1);
        let mut values = vec![0.5; self.positions.len()];
        let mut next = values.clone();
        let mut residual = 1.0;
        for number in 0..=MAX_SWEEPS {
            if number > 0 {
                residual = self.sweep(&values, &mut next);
                std::mem::swap(&mut values, &mut next);
            }
            let settled = residual < SETTLED || number == MAX_SWEEPS;
            let samples = values.iter().step_by(step).copied().collect();
            let positions = if number == 0 { self.sample_names(step) } else { Vec::new() };
            let value = |position| values[index(&self.indexer, position) as usize];
            let start = self.rules.start_value(value);
            if !tell(Sweep { number, residual, start, positions, values: samples, settled })
                || settled
            {
                return;
            }
        }
    }

    fn sample_names(&self, step: usize) -> Vec<String> {
        let samples = self.positions.iter().step_by(step);
        samples.map(|&position| self.rules.setup(position, Player::Light).to_string()).collect()
    }

    /// Backs every position up from `values` into `next`, and returns the largest change.
    fn sweep(&self, values: &[f64], next: &mut [f64]) -> f64 {
        let rolls = self.rules.rolls();
        let mut change = 0.0_f64;
        for (at, (old, new)) in values.iter().zip(next).enumerate() {
            let bounds = &self.bounds[at * rolls.len()..=(at + 1) * rolls.len()];
            let best = |pair: &[u32]| {
                let moves = &self.after[pair[0] as usize..pair[1] as usize];
                moves.iter().map(|follow| follow.value(values)).fold(0.0, f64::max)
            };
            *new = rolls
                .iter()
                .zip(bounds.windows(2))
                .map(|((_, chance), pair)| chance * best(pair))
                .sum();
            change = change.max((*new - old).abs());
        }
        change
    }
}

impl Follow {
    fn value(self, values: &[f64]) -> f64 {
        match self {
            Self::Won => 1.0,
            Self::Again(at) => values[at as usize],
            Self::Passed(at) => 1.0 - values[at as usize],
        }
    }
}

/// Returns the index of a position; there are few enough positions here.
fn index(indexer: &Indexer, position: Position) -> u32 {
    u32::try_from(indexer.rank(position)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::{Roll, RuleSet};
    use puabi_solve::{Options, Solver, Unattended};

    #[test]
    fn plain_sweeps_end_at_the_value_of_the_solved_game() {
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let mut sweeps = Vec::new();
        Demonstration::new(&rules).unwrap().run(|sweep| {
            sweeps.push(sweep);
            true
        });
        let (first, last) = (&sweeps[0], sweeps.last().unwrap());
        assert_eq!((first.start, first.positions.len()), (0.5, first.values.len()));
        assert!(first.values.len() <= SAMPLES && first.values.len() > SAMPLES / 4);
        assert!(last.settled && (last.start - 0.530_049_839_525).abs() < 1e-8, "{}", last.start);
        assert!(sweeps[1..].iter().all(|sweep| sweep.positions.is_empty()));
    }

    #[test]
    fn the_start_is_told_with_the_first_roll_where_the_rules_give_it() {
        let first_roll = Some(Roll::new(1));
        let rule_set = RuleSet { name: "given".into(), first_roll, ..RuleSet::FINKEL };
        let rules = rule_set.with_pieces(1).compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let (_, report) = solver.solve(&Unattended, &Unattended).unwrap();
        let mut start = 0.0;
        Demonstration::new(&rules).unwrap().run(|sweep| {
            start = sweep.start;
            true
        });
        assert!((start - report.start_value).abs() < 1e-8, "{start} {report:?}");
    }
}
