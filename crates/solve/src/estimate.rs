//! Estimates: the memory that a solve takes, before it is taken.

use puabi_core::{Indexer, Rules, Sublayer};

use crate::schedule::is_large;
use crate::shape::{Ranks, Shape};
use crate::terrain::count_masks;

/// Returns the bytes of memory that a solve takes at its peak: all values, and the buffers of the sublayers that are
/// swept at the same time.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize) -> u64 {
    let masks = count_masks(rules, indexer.zones());
    let layout = masks.saturating_mul(masks).saturating_mul(4);
    let (mut large, mut small) = (0, 0);
    for &sublayer in indexer.sublayers() {
        let bytes = workspace(rules, indexer, sublayer).saturating_add(layout);
        let most = if is_large(indexer, sublayer, threads) { &mut large } else { &mut small };
        *most = bytes.max(*most);
    }
    let values = indexer.len().saturating_mul(8);
    // A large sublayer is swept alone, but in buffers beside those that small ones left.
    let buffers = large.saturating_add(small.saturating_mul(threads as u64));
    values.saturating_add(buffers).saturating_add(64 << 20)
}

/// Bytes of buffers for one value of one side: the value, its last move and its best exits in double precision, and
/// the value and its exits in single; about one exit for each value was counted in every preset. Links take some 250 bytes
/// a block, of 100 to 200 values in presets.
const BYTES_A_LANE: u64 = 8 + 8 + 8 + 4 + 4 + 2;

fn workspace(rules: &Rules, indexer: &Indexer, sublayer: Sublayer) -> u64 {
    let states = indexer.side_states();
    let movable = |state: usize| states[state].movable(rules.pieces());
    let (light, dark) = (movable(sublayer.senior), movable(sublayer.junior));
    let ranks = Ranks::new(indexer);
    let mut lanes = 0_u64;
    for on_light in 0..=light {
        for on_dark in 0..=dark {
            let block = Shape::new(light - on_light, dark - on_dark).len(&ranks) as u64;
            let blocks = indexer.configurations(on_light, on_dark);
            lanes = lanes.saturating_add(blocks.saturating_mul(block));
        }
    }
    lanes.saturating_mul(2 * BYTES_A_LANE)
}
