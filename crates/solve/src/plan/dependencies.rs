//! Which sublayers lead to which, and which of them all threads sweep together.

use puabi_core::{Indexer, SideState, Sublayer};

/// The most positions of a sublayer that is at work beside others in a solve.
pub(crate) const MOST_BESIDE: u64 = 1 << 23;
/// The most positions that are at work side by side, unless sublayers that are too small to be worth sharing add up to more.
const BESIDE: u64 = 1 << 26;
/// The number of positions from which the levels of a sublayer are worth sharing: sharing costs two barriers a level.
pub(crate) const LEAST_SHARED: u64 = 1 << 16;

/// Returns whether a sublayer is at work alone, swept by all threads together, since several of its size would take too much
/// memory. With several threads, a sublayer of more than `most_beside` positions always is.
pub(crate) fn is_large(positions: u64, threads: usize, most_beside: u64) -> bool {
    threads > 1 && positions > (BESIDE / threads as u64).min(most_beside).max(LEAST_SHARED)
}

/// Returns whether all ranks together sweep a sublayer of `positions`, given all positions of the game and the threads of all
/// ranks. There are many more smaller sublayers than threads, so one rank can sweep each of them alone.
pub(crate) fn is_for_all_ranks(positions: u64, all: u64, threads: usize) -> bool {
    threads > 1 && positions > (all / (8 * threads as u64)).clamp(LEAST_SHARED, MOST_BESIDE)
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

/// Returns the pairs of side states that a move of either side leads to, except the pair itself.
pub(crate) fn later_pairs(
    indexer: &Indexer,
    first: usize,
    second: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let after_first = later_states(indexer, first).into_iter().map(move |next| (next, second));
    let after_second = later_states(indexer, second).into_iter().map(move |next| (first, next));
    after_first.chain(after_second)
}

/// Returns the side states that one move of a side may lead to, whatever the roll.
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
