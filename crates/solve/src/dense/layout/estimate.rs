//! The memory that a solve takes, estimated before it is taken.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "bytes are never negative, throws few, and casts of more than 2^64 give that"
)]

use puabi_core::{Indexer, Rules, SideState, Sublayer};

use crate::dense::layout::block::{BlockShape, Ranks};
use crate::dense::layout::masks::{THROWS, count_masks};
use crate::plan::dependencies::{MOST_ALONE, is_large};

/// Returns the bytes of memory that a solve takes at its peak: all values, and the buffers of the sublayers that are
/// swept at the same time.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize) -> u64 {
    let masks = count_masks(rules, indexer.zones());
    let layout = masks.saturating_mul(masks).saturating_mul(4);
    let (mut large, mut small) = (Buffers::default(), Buffers::default());
    for &sublayer in indexer.sublayers() {
        let is_large = is_large(sublayer.len(), indexer.len(), threads, MOST_ALONE);
        let most = if is_large { &mut large } else { &mut small };
        *most = most.max(Buffers::of(rules, indexer, sublayer));
    }
    let (large, small) = (large.bytes(), small.bytes());
    let threads = threads as u64;
    let values = indexer.len().saturating_mul(8);
    // A large sublayer is swept alone, but in buffers beside those that small ones left.
    // While successors are found, which is before the buffers fill, blocks have a place and a number.
    let layouts = large.saturating_add(layout).max(layout.saturating_mul(2 * threads));
    let buffers = small.saturating_mul(threads).saturating_add(layouts);
    values.saturating_add(buffers).saturating_add(REST)
}

/// Bytes for all else.
const REST: u64 = 64 << 20;
/// Bytes for a value with either side to roll, for its last deltas where it is swept, and for an external value.
const VALUES: f64 = 16.0;
const DELTAS: f64 = 16.0;
const EXTERNAL: f64 = 8.0;
/// Bytes for a block that is swept: its successors, as counted in presets, and its part of the active set.
const BLOCK: f64 = 250.0 + 32.0;

/// Bytes of buffers. One sublayer leaves them to the next, so that each is as large as for the one that takes most of it.
#[derive(Debug, Clone, Copy, Default)]
struct Buffers {
    values: f64,
    deltas: f64,
    externals: f64,
    blocks: f64,
}

impl Buffers {
    fn of(rules: &Rules, indexer: &Indexer, sublayer: Sublayer) -> Self {
        let states = [sublayer.senior, sublayer.junior].map(|state| indexer.side_states()[state]);
        let [senior, junior] = states.map(|state| state.movable(rules.pieces()));
        let ranks = Ranks::new(indexer);
        let (mut cells, mut externals, mut blocks) = (0.0, 0.0, 0.0);
        for on_senior in 0..=senior {
            for on_junior in 0..=junior {
                let more = indexer.configurations(on_senior, on_junior) as f64;
                let len =
                    BlockShape::new(senior - on_senior, junior - on_junior).len(&ranks) as f64;
                let throws = answered(rules, indexer, states[0], on_senior)
                    + answered(rules, indexer, states[1], on_junior);
                cells += more * len;
                externals += more * len * throws;
                blocks += more;
            }
        }
        // Of a sublayer that mirrors itself one half is swept; its certificate has all external values, but no deltas.
        let share = if sublayer.is_mirror() { 0.5 } else { 1.0 };
        Self {
            values: VALUES * cells,
            deltas: (share * DELTAS * cells).max((1.0 - share) * EXTERNAL * externals),
            externals: share * EXTERNAL * externals,
            blocks: share * BLOCK * blocks,
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            values: self.values.max(other.values),
            deltas: self.deltas.max(other.deltas),
            externals: self.externals.max(other.externals),
            blocks: self.blocks.max(other.blocks),
        }
    }

    fn bytes(self) -> u64 {
        (self.values + self.deltas + self.externals + self.blocks) as u64
    }
}

/// Returns for how many throws a side with `pieces` on shared squares has an external move, on average.
fn answered(rules: &Rules, indexer: &Indexer, state: SideState, pieces: u8) -> f64 {
    if state.post != 0 {
        return THROWS as f64;
    }
    let zones = indexer.zones();
    let shared = rules.length() - zones.pre() - zones.post();
    let free = 1.0 - (f64::from(pieces) / f64::from(shared)).min(1.0);
    // A throw of n leads from the last n shared squares onto post squares or home.
    let origins = (1..=THROWS).map(|steps| steps.min(usize::from(zones.post()) + 1));
    origins.map(|origins| 1.0 - free.powi(origins as i32)).sum()
}
