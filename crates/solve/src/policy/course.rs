//! Course: the units in the order in which they are settled.

use std::sync::atomic::{AtomicU64, Ordering};

use puabi_core::{Indexer, Player, Rules, SideState};
use rayon::prelude::*;

use super::field::{Field, Settled, Units};
use super::rows::{Lanes, add};
use super::settle::Task;
use super::unit::{Board, Unit};
use super::{ContestReport, Outcome};
use crate::types::{Options, SolveError, Watch};

/// Which units are kept to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All.
    All,
    /// Those that units still to come may lead to.
    Needed,
}

/// What is known when all units are settled.
#[derive(Debug)]
pub(crate) struct Finish<const N: usize> {
    pub(crate) settled: Units<N>,
    pub(crate) outcomes: [Outcome; N],
    pub(crate) report: ContestReport,
}

/// An evaluation in progress.
pub(crate) struct Course<'a, const N: usize> {
    pub(crate) field: &'a Field<'a, N>,
    pub(crate) options: Options,
    pub(crate) watch: &'a dyn Watch,
    /// Boards asked for, and boards settled.
    done: AtomicU64,
}

/// A unit's values, and what else is known of it.
#[derive(Debug)]
pub(crate) struct Done<const N: usize> {
    pub(crate) settled: Settled<N>,
    pub(crate) gathered: Lanes<N>,
    pub(crate) sweeps: u32,
    pub(crate) residual: f64,
}

impl<'a, const N: usize> Course<'a, N> {
    pub(crate) fn new(field: &'a Field<'a, N>, options: Options, watch: &'a dyn Watch) -> Self {
        Self { field, options, watch, done: AtomicU64::new(0) }
    }

    /// Settles all units.
    pub(crate) fn run(&self, kept: Kept) -> Result<Finish<N>, SolveError> {
        let threads = self.options.threads.max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| self.all(kept))
    }

    fn all(&self, kept: Kept) -> Result<Finish<N>, SolveError> {
        let indexer = self.field.indexer;
        let states = indexer.side_states().len();
        let mut settled: Units<N> = (0..states * states).map(|_| None).collect();
        let mut report = ContestReport { positions: indexer.len(), ..ContestReport::default() };
        let mut gathered = [0.0; N];
        let levels = levels(indexer);
        for (depth, units) in levels.iter().enumerate().rev() {
            for (&(mine, theirs), done) in units.iter().zip(self.level(units, &settled)?) {
                add(&mut gathered, 1.0, done.gathered);
                report.sweeps_max = report.sweeps_max.max(done.sweeps);
                report.residual = report.residual.max(done.residual);
                settled[self.field.unit(mine, theirs)] = Some(done.settled);
            }
            let reached = depth + stride(indexer);
            if let (Kept::Needed, Some(units)) = (kept, levels.get(reached)) {
                for &(mine, theirs) in units {
                    settled[self.field.unit(mine, theirs)] = None;
                }
            }
        }
        let outcomes = self.outcomes(&settled, gathered);
        Ok(Finish { settled, outcomes, report })
    }

    /// Settles units that do not lead to each other: small ones a thread each, then large ones by all threads.
    fn level(
        &self,
        units: &[(usize, usize)],
        settled: &Units<N>,
    ) -> Result<Vec<Done<N>>, SolveError> {
        let sizes = sizes(self.field.indexer, units);
        let is_large = |&at: &usize| is_large(&sizes, at, self.options.threads);
        let (large, small): (Vec<_>, Vec<_>) = (0..units.len()).partition(is_large);
        let settle = |at: usize, shared| {
            let unit = Unit::new(self.field.indexer, units[at]);
            let done = Task { course: self, unit: &unit, shared }.settle(settled)?;
            Ok((at, done))
        };
        let small = small.into_par_iter().with_max_len(1).map(|at| settle(at, false));
        let mut done = small.collect::<Result<Vec<_>, SolveError>>()?;
        for at in large {
            done.push(settle(at, true)?);
        }
        done.sort_unstable_by_key(|&(at, _)| at);
        Ok(done.into_iter().map(|(_, done)| done).collect())
    }

    /// Tells the watch that so many boards are asked for or settled, and asks whether to end.
    pub(crate) fn advance(&self, boards: usize) -> Result<(), SolveError> {
        let boards = boards as u64;
        let done = self.done.fetch_add(boards, Ordering::Relaxed) + boards;
        self.watch.progress(done, 2 * self.field.indexer.len());
        if self.watch.stop() { Err(SolveError::Stopped) } else { Ok(()) }
    }

    fn outcomes(&self, settled: &Units<N>, gathered: Lanes<N>) -> [Outcome; N] {
        let [light, dark] = Player::BOTH.map(|player| self.field.opening(player, settled));
        std::array::from_fn(|lane| Outcome {
            light_first: light[lane],
            dark_first: dark[lane],
            gathered: gathered[lane],
        })
    }
}

/// Returns the units by depth: moves lead to the same unit or to a deeper one.
fn levels(indexer: &Indexer) -> Vec<Vec<(usize, usize)>> {
    let depths: Vec<_> = indexer.side_states().iter().map(|&state| depth(indexer, state)).collect();
    let deepest = depths.iter().max().map_or(0, |deepest| 2 * deepest);
    let mut levels = vec![Vec::new(); deepest + 1];
    for (mine, my_depth) in depths.iter().enumerate() {
        for (theirs, their_depth) in depths.iter().enumerate() {
            levels[my_depth + their_depth].push((mine, theirs));
        }
    }
    levels
}

/// Returns how far the pieces that are home or on post squares have come, counted from before the first post square.
fn depth(indexer: &Indexer, state: SideState) -> usize {
    let post = (0..usize::from(indexer.zones().post())).filter(|bit| state.post >> bit & 1 != 0);
    usize::from(state.score) * stride(indexer) + post.map(|bit| bit + 1).sum::<usize>()
}

/// The most that one move adds to the depth.
fn stride(indexer: &Indexer) -> usize {
    usize::from(indexer.zones().post()) + 1
}

fn sizes(indexer: &Indexer, units: &[(usize, usize)]) -> Vec<u64> {
    units.iter().map(|&(mine, theirs)| indexer.sublayer(mine, theirs).0.half).collect()
}

/// Returns whether all threads should share the unit at `at`: it is much of its level, and worth the barriers.
fn is_large(sizes: &[u64], at: usize, threads: usize) -> bool {
    let share = sizes.iter().sum::<u64>() / (4 * threads as u64);
    threads > 1 && sizes[at] > share.max(1 << 14)
}

/// Returns the bytes of memory that an evaluation takes at its peak.
pub(crate) fn memory(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    measures: usize,
    kept: Kept,
) -> u64 {
    let a_value = 16 * measures as u64;
    let (mut held, mut most_held, mut most_worked) = (0_u64, 0_u64, 0_u64);
    let levels = levels(indexer);
    let positions = |units: &Vec<_>| sizes(indexer, units).iter().sum::<u64>();
    for (depth, units) in levels.iter().enumerate().rev() {
        held += positions(units);
        most_held = most_held.max(held);
        let sizes = sizes(indexer, units);
        let is_large = |&at: &usize| is_large(&sizes, at, threads);
        let (large, mut small): (Vec<_>, Vec<_>) = (0..units.len()).partition(is_large);
        small.sort_unstable_by_key(|&at| std::cmp::Reverse(sizes[at]));
        let large = large.into_iter().map(|at| sizes[at]).max().unwrap_or(0);
        let small = small.into_iter().take(threads).map(|at| sizes[at]).sum::<u64>();
        most_worked = most_worked.max(large.max(small));
        if let (Kept::Needed, Some(units)) = (kept, levels.get(depth + stride(indexer))) {
            held -= positions(units);
        }
    }
    let rolls = rules.rolls().len() as u64;
    let worked = most_worked * (BOARD + 2 * (a_value + ROW + rolls * MOVES_A_ROLL * MOVE));
    // At the end the values of each player are written beside those of the units.
    let results = if kept == Kept::All { indexer.len() * 16 } else { 0 };
    most_held * a_value + worked + results + (32 << 20)
}

/// Bytes of a board in a unit.
const BOARD: u64 = (size_of::<Board>() + size_of::<u32>()) as u64;
/// Bytes of a row with one measure, without its moves.
const ROW: u64 = 20;
/// Bytes of a move in a row.
const MOVE: u64 = 12;
/// Moves of a roll that stay in the unit.
const MOVES_A_ROLL: u64 = 3;
