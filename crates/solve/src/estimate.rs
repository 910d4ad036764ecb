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
        let most = if is_large(indexer, sublayer, threads) { &mut large } else { &mut small };
        *most = workspace(rules, indexer, sublayer).max(*most);
    }
    let threads = threads as u64;
    let values = indexer.len().saturating_mul(8);
    // A large sublayer is swept alone, but in buffers beside those that small ones left.
    // While links are found, which is before the buffers fill, blocks have a place and a number.
    let layouts = large.saturating_add(layout).max(layout.saturating_mul(2 * threads));
    let buffers = small.saturating_mul(threads).saturating_add(layouts);
    values.saturating_add(buffers).saturating_add(REST)
}

/// What all else takes, most of it rooms between allocations: 100 MB were found at finkel.
const REST: u64 = 128 << 20;
/// Bytes for a value, and for one that is swept: its last move and its best exits, of which about one for each value was
/// counted in every preset. And for the links of a block that is swept, as counted in presets.
const VALUE: u64 = 8;
const SWEPT: u64 = 8 + 8;
const LINKS: u64 = 250;

fn workspace(rules: &Rules, indexer: &Indexer, sublayer: Sublayer) -> u64 {
    let states = indexer.side_states();
    let movable = |state: usize| states[state].movable(rules.pieces());
    let (light, dark) = (movable(sublayer.senior), movable(sublayer.junior));
    let ranks = Ranks::new(indexer);
    let (mut lanes, mut blocks) = (0_u64, 0_u64);
    for on_light in 0..=light {
        for on_dark in 0..=dark {
            let values = Shape::new(light - on_light, dark - on_dark).len(&ranks) as u64;
            let more = indexer.configurations(on_light, on_dark);
            lanes = lanes.saturating_add(more.saturating_mul(values));
            blocks = blocks.saturating_add(more);
        }
    }
    // Of a sublayer that mirrors itself one half is swept.
    let swept = |all: u64| if sublayer.is_mirror() { all.div_ceil(2) } else { all };
    let values = lanes.saturating_mul(VALUE).saturating_add(swept(lanes).saturating_mul(SWEPT));
    values.saturating_mul(2).saturating_add(swept(blocks).saturating_mul(LINKS))
}
