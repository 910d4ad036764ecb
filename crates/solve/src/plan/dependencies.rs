//! Which sublayers lead to which, and which of them all threads sweep together.

use puabi_core::{Indexer, SideState, Sublayer};

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
