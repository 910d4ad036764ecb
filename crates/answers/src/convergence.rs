//! How values converge: a game is solved, and its sweeps are shown.
//!
//! Before the first sweep every position is worth one half. The solver sweeps one sublayer after the other, those with
//! most pieces home first, so certainty flows from the end of the game to its start. A few hundred positions are
//! followed, so a game of any size that fits into memory can be shown.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use puabi_core::{Indexer, Player, Position, Rules, Sublayer};
use puabi_solve::{Options, SolveError, Solver, Unattended, Watch};
use serde::Serialize;
use utoipa::ToSchema;

/// The largest number of positions of a game of which every sweep is shown. Servers for others show no larger game.
pub const SMALL: u64 = 300_000;
/// The most positions whose values are shown.
const SAMPLES: u64 = 200;

/// The values before the first sweep, after one, or at the end.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Sweep {
    /// Sweeps shown so far; 0 is the beginning, which also names the positions.
    #[serde(rename = "sweep")]
    number: usize,
    /// The largest change of a value in the sweep, 0..=1; none with the first and the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// The largest difference between a value and its backup, with the last event only.
    #[serde(skip_serializing_if = "Option::is_none")]
    residual: Option<f64>,
    /// The value of the start: the chance of the player who begins.
    start: f64,
    /// The pieces home of both players in the positions that were swept, the larger number first; none with the first
    /// and the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<[u8; 2]>,
    /// The positions whose values are shown, evenly spread over the index; with sweep 0 only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    positions: Vec<String>,
    /// Their values, in the same order.
    values: Vec<f64>,
    /// Whether it was the last.
    settled: bool,
}

/// The positions that are followed, and their values.
struct Followed {
    /// Places in the index, ascending.
    indices: Vec<u64>,
    values: Vec<f64>,
}

impl Followed {
    /// Follows positions that are evenly spread over the index, and those that the value of the start comes from.
    fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let begun = RefCell::new(Vec::new());
        rules.start_value(|position: Position| {
            begun.borrow_mut().push(indexer.rank(position));
            0.5
        });
        let mut indices = begun.into_inner();
        indices.extend(shown(indexer));
        indices.sort_unstable();
        indices.dedup();
        Self { values: vec![0.5; indices.len()], indices }
    }

    fn value(&self, index: u64) -> f64 {
        self.indices.binary_search(&index).map_or(0.5, |at| self.values[at])
    }

    /// Takes over the values of a sublayer, if any of its positions is followed.
    fn update(&mut self, sublayer: Sublayer, values: impl FnOnce() -> Box<[f64]>) {
        let first = self.indices.partition_point(|&index| index < sublayer.base);
        let end = self.indices.partition_point(|&index| index < sublayer.base + sublayer.len());
        if first < end {
            let values = values();
            for at in first..end {
                self.values[at] = values[place(self.indices[at] - sublayer.base)];
            }
        }
    }
}

/// Returns the places in the index of the positions whose values are shown.
fn shown(indexer: &Indexer) -> impl Iterator<Item = u64> {
    let step = indexer.len().div_ceil(SAMPLES).max(1);
    (0..indexer.len()).step_by(place(step))
}

/// A solve whose sweeps are shown.
struct Demonstration<'a, D, F> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    state: Mutex<State>,
    is_due: D,
    show: F,
    /// Whether `show` has returned false, because no client watches any more.
    is_stopped: AtomicBool,
}

struct State {
    /// How many sweeps have been shown.
    number: usize,
    followed: Followed,
    /// The scores of the positions in the last of these sweeps.
    scores: Option<[u8; 2]>,
}

/// Solves a game, and calls `show` with its sweeps until `show` returns false. A game of at most [`SMALL`] positions is solved on
/// one thread, and each of its sweeps is shown. A larger game is solved on all threads; of its sweeps, those are shown at which
/// the scores change or for which `is_due` returns true.
///
/// # Errors
///
/// Returns an error if the positions cannot be counted, if no thread can be started or if `show` has returned false.
pub fn demonstrate(
    rules: &Rules,
    is_due: impl Fn() -> bool + Sync,
    show: impl Fn(Sweep) -> bool + Sync,
) -> Result<(), SolveError> {
    let is_small = Indexer::new(rules).is_ok_and(|indexer| indexer.len() <= SMALL);
    let all = Options::default();
    let solver = Solver::new(rules, if is_small { Options { threads: 1, ..all } } else { all })?;
    let indexer = solver.indexer();
    let followed = Followed::new(rules, indexer);
    let state = Mutex::new(State { number: 0, followed, scores: None });
    let is_stopped = AtomicBool::new(false);
    let demonstration = Demonstration { rules, indexer, state, is_due, show, is_stopped };
    demonstration.show(
        &mut demonstration.state.lock().unwrap_or_else(PoisonError::into_inner),
        None,
        None,
    );
    let (values, report) = solver.solve(&Unattended, &demonstration)?;
    let mut state = demonstration.state.lock().unwrap_or_else(PoisonError::into_inner);
    for (at, &sublayer) in indexer.sublayers().iter().enumerate() {
        state.followed.update(sublayer, || values.sublayer(at).into());
    }
    demonstration.show(&mut state, None, Some(report.residual));
    Ok(())
}

impl<D: Fn() -> bool + Sync, F: Fn(Sweep) -> bool + Sync> Demonstration<'_, D, F> {
    /// Shows the present values: after a sweep with its largest change and its scores, and at the end with the residual.
    fn show(&self, state: &mut State, sweep: Option<(f64, [u8; 2])>, residual: Option<f64>) {
        let name = |index| {
            let position = self.indexer.position(index)?;
            Some(self.rules.setup(position, Player::Light).to_string())
        };
        let positions = if state.number == 0 {
            shown(self.indexer).filter_map(name).collect()
        } else {
            Vec::new()
        };
        let value = |index| state.followed.value(index);
        let start = self.rules.start_value(|position: Position| value(self.indexer.rank(position)));
        let values = shown(self.indexer).map(value).collect();
        let number = state.number;
        state.number += 1;
        let (change, scores) = sweep.unzip();
        let settled = residual.is_some();
        let sweep = Sweep { number, change, residual, start, scores, positions, values, settled };
        if !(self.show)(sweep) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

impl<D: Fn() -> bool + Sync, F: Fn(Sweep) -> bool + Sync> Watch for Demonstration<'_, D, F> {
    fn progress(&self, _done: u64, _total: u64) {}

    fn stop(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn sweep(&self, at: usize, sweep: &puabi_solve::Sweep<'_>) {
        let sublayer = self.indexer.sublayers()[at];
        let states = self.indexer.side_states();
        let [a, b] = [sublayer.senior, sublayer.junior].map(|state| states[state].score);
        let scores = [a.max(b), a.min(b)];
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_small = self.indexer.len() <= SMALL;
        // A change of the scores is always shown, so that each pair of scores is seen.
        if is_small || state.scores != Some(scores) || (self.is_due)() {
            state.followed.update(sublayer, || (sweep.values)());
            state.scores = Some(scores);
            self.show(&mut state, Some((sweep.change, scores)), None);
        }
    }
}

/// Returns the place of an index in a slice.
fn place(index: u64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::{Roll, RuleSet};

    fn sweeps(rules: &Rules) -> Vec<Sweep> {
        let sweeps = Mutex::new(Vec::new());
        let keep = |sweep| {
            sweeps.lock().unwrap().push(sweep);
            true
        };
        demonstrate(rules, || false, keep).unwrap();
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
        let between = &sweeps[1..sweeps.len() - 1];
        assert!(between.iter().all(|sweep| sweep.change.is_some() && sweep.residual.is_none()));
        assert_eq!((first.change, first.residual, last.change), (None, None, None));
        let error = |sweep: &Sweep| -> f64 {
            let errors = sweep.values.iter().zip(&last.values).map(|(now, end)| (now - end).abs());
            errors.sum()
        };
        let quarters =
            [0, 1, 2, 3, 4].map(|quarter| error(&sweeps[quarter * (sweeps.len() - 1) / 4]));
        assert!(quarters.is_sorted_by(|before, after| before > after), "{quarters:?}");
    }

    #[test]
    fn each_pair_of_scores_is_seen_in_games_of_any_size() {
        for (pieces, expected) in [(2, 3), (4, 10)] {
            let sweeps = sweeps(&RuleSet::FINKEL.with_pieces(pieces).compile().unwrap());
            let mut pairs: Vec<_> = sweeps.iter().filter_map(|sweep| sweep.scores).collect();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), expected);
            let last = sweeps.last().unwrap();
            assert!(last.settled && last.start > 0.5);
            assert!(last.residual.is_some_and(|residual| residual < 1e-15));
        }
    }

    #[test]
    fn a_solve_ends_if_nobody_looks() {
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let stopped = demonstrate(&rules, || true, |sweep| sweep.number < 3);
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
