//! Which sublayers lead to which, and which are large enough for all threads together.

use puabi_core::{Indexer, SideState, Sublayer};

/// Returns whether a sublayer is swept by all threads together.
pub(crate) fn is_large(indexer: &Indexer, sublayer: Sublayer, threads: usize) -> bool {
    // Sharing costs two barriers a level: not worth it below some ten thousand positions, and not needed where there
    // are many more sublayers of the size than threads.
    let share = indexer.len() / (8 * threads as u64);
    threads > 1 && sublayer.len() > share.clamp(1 << 16, 1 << 23)
}

/// The sublayers that the moves of either side lead to.
pub(crate) fn leads_to(indexer: &Indexer, sublayer: Sublayer) -> Vec<usize> {
    let (senior, junior) = (sublayer.senior, sublayer.junior);
    let number = |first: usize, second: usize| {
        let (sublayer, _) = indexer.sublayer(first, second);
        sublayer.senior * (sublayer.senior + 1) / 2 + sublayer.junior
    };
    let after_senior = later_states(indexer, senior).into_iter().map(|next| number(next, junior));
    let after_junior = later_states(indexer, junior).into_iter().map(|next| number(senior, next));
    let mut numbers: Vec<_> = after_senior.chain(after_junior).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
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
