//! How values converge: a small game is solved, and each sweep is shown.
//!
//! Before the first sweep every position is worth one half. The solver sweeps one sublayer after the other, those with
//! most pieces home first, so certainty flows from the end of the game to its start.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use puabi_core::{Indexer, Player, Position, Rules};
use puabi_solve::{Options, SolveError, Solver, Unattended, Watch};
use serde::Serialize;
use utoipa::ToSchema;

/// The most positions of a game that is shown.
pub(crate) const MAX_POSITIONS: u64 = 300_000;
/// The most positions whose values are shown.
const SAMPLES: u64 = 200;

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
    /// The positions whose values are shown, evenly spread over the index; with sweep 0 only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positions: Vec<String>,
    /// Their values, in the same order.
    values: Vec<f64>,
    /// Whether it was the last.
    settled: bool,
}

/// A solve whose sweeps are shown.
struct Demonstration<'a, F> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    /// How many sweeps have been made, and the values after them, in index order.
    state: Mutex<(usize, Vec<f64>)>,
    show: F,
    /// Whether nobody looks any more.
    is_left: AtomicBool,
}

/// Solves a game on one thread and calls `show` with each sweep, until that returns false.
///
/// # Errors
///
/// Returns an error if the positions cannot be counted, if no thread can be started or if `show` has returned false.
pub(crate) fn demonstrate(
    rules: &Rules,
    show: impl Fn(Sweep) -> bool + Sync,
) -> Result<(), SolveError> {
    let solver = Solver::new(rules, Options { threads: 1, ..Options::default() })?;
    let indexer = solver.indexer();
    let halves = (0..indexer.len()).map(|_| 0.5).collect();
    let is_left = AtomicBool::new(false);
    let demonstration =
        Demonstration { rules, indexer, state: Mutex::new((0, halves)), show, is_left };
    demonstration.show(1.0, false, |_| ());
    let (values, report) = solver.solve(&Unattended, &demonstration)?;
    demonstration.show(report.residual, true, |all| {
        all.clear();
        all.extend(values.chunks().flatten());
    });
    Ok(())
}

impl<F: Fn(Sweep) -> bool + Sync> Demonstration<'_, F> {
    /// Shows the values after a sweep, brought up to date by `update`.
    fn show(&self, residual: f64, settled: bool, update: impl FnOnce(&mut Vec<f64>)) {
        let mut state = self.state.lock().expect("no holder of this lock panics");
        let (number, values) = &mut *state;
        update(values);
        let samples = || (0..self.indexer.len()).step_by(self.step());
        let name = |index| {
            let position = self.indexer.position(index)?;
            Some(self.rules.setup(position, Player::Light).to_string())
        };
        let positions =
            if *number == 0 { samples().filter_map(name).collect() } else { Vec::new() };
        let start =
            self.rules.start_value(|position: Position| values[place(self.indexer.rank(position))]);
        let values = samples().map(|index| values[place(index)]).collect();
        let sweep = Sweep { number: *number, residual, start, positions, values, settled };
        *number += 1;
        if !(self.show)(sweep) {
            self.is_left.store(true, Ordering::Relaxed);
        }
    }

    fn step(&self) -> usize {
        place(self.indexer.len().div_ceil(SAMPLES).max(1))
    }
}

impl<F: Fn(Sweep) -> bool + Sync> Watch for Demonstration<'_, F> {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }

    fn sweep(&self, at: usize, sweep: &puabi_solve::Sweep<'_>) {
        let first = place(self.indexer.sublayers()[at].base);
        let swept = (sweep.values)();
        let update = |all: &mut Vec<f64>| all[first..][..swept.len()].copy_from_slice(&swept);
        self.show(sweep.change, false, update);
    }
}

/// Returns the place of an index in a slice; there are few enough positions here.
fn place(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::{Roll, RuleSet};

    fn sweeps(rules: &Rules) -> Vec<Sweep> {
        let sweeps = Mutex::new(Vec::new());
        demonstrate(rules, |sweep| {
            sweeps.lock().unwrap().push(sweep);
            true
        })
        .unwrap();
        sweeps.into_inner().unwrap()
    }

    #[test]
    fn sweeps_approach_the_values_of_the_solved_game_and_end_there() {
        let sweeps = sweeps(&RuleSet::FINKEL.with_pieces(1).compile().unwrap());
        let (first, last) = (&sweeps[0], sweeps.last().unwrap());
        assert_eq!((first.start, first.positions.len()), (0.5, first.values.len()));
        assert!((50..=200).contains(&first.values.len()));
        assert!(last.settled && (last.start - 0.530_049_839_525).abs() < 1e-12, "{}", last.start);
        assert!(sweeps[1..].iter().all(|sweep| sweep.positions.is_empty()));
        assert!(sweeps.iter().enumerate().all(|(at, sweep)| sweep.number == at));
        let error = |sweep: &Sweep| -> f64 {
            let errors = sweep.values.iter().zip(&last.values).map(|(now, end)| (now - end).abs());
            errors.sum()
        };
        let quarters =
            [0, 1, 2, 3, 4].map(|quarter| error(&sweeps[quarter * (sweeps.len() - 1) / 4]));
        assert!(quarters.is_sorted_by(|before, after| before > after), "{quarters:?}");
    }

    #[test]
    fn a_solve_ends_if_nobody_looks() {
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let stopped = demonstrate(&rules, |sweep| sweep.number < 3);
        assert!(matches!(stopped, Err(SolveError::Stopped)), "{stopped:?}");
    }

    #[test]
    fn the_start_is_shown_with_the_first_roll_if_the_rules_give_it() {
        let first_roll = Some(Roll::new(1));
        let rule_set = RuleSet { name: "given".into(), first_roll, ..RuleSet::FINKEL };
        let rules = rule_set.with_pieces(1).compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let (_, report) = solver.solve(&Unattended, &Unattended).unwrap();
        let start = sweeps(&rules).last().unwrap().start;
        assert!((start - report.start_value).abs() < 1e-12, "{start} {report:?}");
    }
}
