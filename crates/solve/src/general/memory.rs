//! The memory that a solve by the general engine takes, before it is taken.

use puabi_core::{Indexer, Rules, Sublayer};

use super::layout::BoardBlock;
use crate::plan::dependencies::{MOST_ALONE, is_large};

/// Bytes for one block: itself, and its successors, 24 to 27 words on average in the games with three pieces.
const BLOCK: u64 = size_of::<BoardBlock>() as u64 + 30 * 4;

/// Returns the bytes of memory that a solve takes at its peak: all values, and a sublayer's own beside them while they
/// are certified. While they are swept, their moves take less than their published form then.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize) -> u64 {
    let (mut large, mut small) = (0, 0);
    for &sublayer in indexer.sublayers() {
        let is_large = is_large(sublayer.len(), indexer.len(), threads, MOST_ALONE);
        let most = if is_large { &mut large } else { &mut small };
        *most = at_work(rules, indexer, sublayer).max(*most);
    }
    // A large sublayer is at work alone.
    let most = large.max(small.saturating_mul(threads as u64));
    indexer.len().saturating_mul(8).saturating_add(most).saturating_add(64 << 20)
}

/// Bytes for the values at work and the blocks of a sublayer.
fn at_work(rules: &Rules, indexer: &Indexer, sublayer: Sublayer) -> u64 {
    let states = indexer.side_states();
    let [light, dark] =
        [sublayer.senior, sublayer.junior].map(|state| states[state].movable(rules.pieces()));
    let mut blocks = 0_u64;
    for on_light in 0..=light {
        for on_dark in 0..=dark {
            blocks = blocks.saturating_add(indexer.configurations(on_light, on_dark));
        }
    }
    // Of a sublayer that mirrors itself one half is at work.
    let swept = if sublayer.is_mirror() { blocks.div_ceil(2) } else { blocks };
    swept.saturating_mul(BLOCK).saturating_add(sublayer.len().saturating_mul(8))
}
