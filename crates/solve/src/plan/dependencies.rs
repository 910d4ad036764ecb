//! Which sublayers lead to which, in which order they are solved, and which all threads sweep together.

use puabi_core::{Indexer, SideState, Sublayer};

use crate::drive::engine::Engine;

/// The sublayers of a game as a graph without cycles.
#[derive(Debug)]
pub(crate) struct Graph {
    /// By sublayer: those that moves lead to.
    pub(crate) leads_to: Vec<Vec<usize>>,
    /// By sublayer: those whose moves lead to it.
    pub(crate) needed_by: Vec<Vec<usize>>,
    /// By sublayer: the most sublayers that a game may come through after it.
    pub(crate) depth: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(engine: &impl Engine) -> Self {
        let sublayers = engine.sublayers();
        let leads_to: Vec<_> = (0..sublayers).map(|at| engine.leads_to(at)).collect();
        let (mut needed_by, mut depth) = (vec![Vec::new(); sublayers], vec![0; sublayers]);
        // Moves lead to larger numbers.
        for (at, targets) in leads_to.iter().enumerate().rev() {
            for &target in targets {
                needed_by[target].push(at);
                depth[at] = depth[at].max(depth[target] + 1);
            }
        }
        Self { leads_to, needed_by, depth }
    }

    /// Returns how many sublayers are to come that read each; those that the beginning of a game reads are read once more.
    pub(crate) fn readers(&self) -> Vec<usize> {
        let mut readers: Vec<_> = self.needed_by.iter().map(Vec::len).collect();
        for (at, targets) in self.leads_to.iter().enumerate() {
            if self.needed_by[at].is_empty() {
                readers[at] += 1;
                for &target in targets {
                    readers[target] += 1;
                }
            }
        }
        readers
    }

    /// Returns the most positions that one thread holds at a time if each sublayer is let go after its last reader.
    pub(crate) fn most_held(&self, engine: &impl Engine, threads: usize) -> u64 {
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        order.sort_by_key(|&at| (self.depth[at], engine.is_large(at, threads), at));
        let mut readers = self.readers();
        let (mut held, mut most) = (0, 0);
        for at in order {
            held += engine.positions(at);
            most = most.max(held);
            for &target in &self.leads_to[at] {
                readers[target] -= 1;
                held -= if readers[target] == 0 { engine.positions(target) } else { 0 };
            }
        }
        most
    }
}

/// The positions up to which one thread sweeps a sublayer of a solve alone, however few sublayers there are.
pub(crate) const MOST_ALONE: u64 = 1 << 23;

/// Returns whether `positions` of `all` are swept by all threads together; one thread sweeps `most_alone` at most.
pub(crate) fn is_large(positions: u64, all: u64, threads: usize, most_alone: u64) -> bool {
    // Sharing costs two barriers a level: not worth it below some ten thousand positions, and not needed if there are
    // many more sublayers of the size than threads.
    let share = all / (8 * threads as u64);
    threads > 1 && positions > share.clamp(1 << 16, most_alone)
}

/// Returns the numbers of the sublayers that the moves of either side lead to.
pub(crate) fn leads_to(indexer: &Indexer, at: usize) -> Vec<usize> {
    let Sublayer { senior, junior, .. } = indexer.sublayers()[at];
    let number = |(first, second): (usize, usize)| {
        let (senior, junior) = (first.max(second), first.min(second));
        senior * (senior + 1) / 2 + junior
    };
    let mut numbers: Vec<_> = later_pairs(indexer, senior, junior).map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The pairs of side states that a move of either side leads to, but for the pair itself.
pub(crate) fn later_pairs(
    indexer: &Indexer,
    first: usize,
    second: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let after_first = later_states(indexer, first).into_iter().map(move |next| (next, second));
    let after_second = later_states(indexer, second).into_iter().map(move |next| (first, next));
    after_first.chain(after_second)
}

/// The side states that one move of a side may lead to, whatever the roll.
fn later_states(indexer: &Indexer, state: usize) -> Vec<usize> {
    let SideState { score, post } = indexer.side_states()[state];
    let movable = indexer.side_states()[state].movable(indexer.pieces()) > 0;
    let mut later = Vec::new();
    let bits = || (0..indexer.zones().post()).map(|bit| 1_u32 << bit);
    if movable {
        later.push(SideState { score: score + 1, post });
        later.extend(
            bits().filter(|bit| post & bit == 0).map(|bit| SideState { score, post: post | bit }),
        );
    }
    for from in bits().filter(|bit| post & bit != 0) {
        let left = post & !from;
        later.push(SideState { score: score + 1, post: left });
        let onward = bits().filter(|&to| to > from && post & to == 0);
        later.extend(onward.map(|to| SideState { score, post: left | to }));
    }
    later.into_iter().filter_map(|state| indexer.state_index(state)).collect()
}
