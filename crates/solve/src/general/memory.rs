//! The memory and the work that a solve by the general engine takes, before it begins.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes are never negative, and casts of more than 2^64 give that"
)]

use puabi_core::{Indexer, Rules, Sublayer};

use super::layout::{BLOCKS, BoardBlock};
use super::successors::Successor;
use crate::plan::dependencies::{MOST_ALONE, is_large};
use crate::plan::size::{EngineWork, Speed, VALUE, WorkSize};
use crate::plan::spread::Handing;

/// Fitted to the solves of `docs/results.md` on machine N's kind: murray:3 and 4, skiriuk:3 and 4, dmytro:3 and 4.
const SPEED: Speed = Speed { block: 2.6e-6, value: 1.32e-6, growth: 0.11 };

/// A sweep hands on all values, and every fourth sweep those that are extrapolated once more.
pub(crate) const HANDING: Handing = Handing { renewed: [1.25, 1.25], strip: Some(BLOCKS as f64) };

/// Bytes for one block's successors, and for those of them that are candidates: some 145 together in `murray:3`, 160 in
/// `skiriuk:3`, 175 in `murray:4`.
const SUCCESSORS: f64 = 115.0;
const CANDIDATES: f64 = 60.0;
/// Bytes of the delta of a value.
const DELTA: f64 = 4.0;
/// Bytes for all else.
const REST: u64 = 32 << 20;

/// Returns the bytes of memory that a solve takes at its peak beside the values that a checkpoint holds, or bounds on `sides`
/// beside the values and the bounds that are finished: those of a sublayer while it is swept, with their deltas, all successors and
/// candidates, or at its end in the order of sweeps and in that of the index; a solve certifies it then, with all successors.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize, sides: u8) -> u64 {
    let (mut large, mut small) = (0, 0);
    for size in sizes(rules, indexer) {
        let is_large = is_large(size.positions, indexer.len(), threads, MOST_ALONE);
        let most = if is_large { &mut large } else { &mut small };
        *most = at_work(size, sides).max(*most);
    }
    // A large sublayer is at work alone.
    large.max(small.saturating_mul(threads as u64)).saturating_add(REST)
}

/// Returns what a solve sweeps.
pub(crate) fn work(rules: &Rules, indexer: &Indexer) -> EngineWork {
    EngineWork { sizes: sizes(rules, indexer), speed: SPEED, most_values: Successor::MOST_PLACES }
}

fn sizes(rules: &Rules, indexer: &Indexer) -> Vec<WorkSize> {
    indexer.sublayers().iter().map(|&sublayer| size(rules, indexer, sublayer)).collect()
}

fn size(rules: &Rules, indexer: &Indexer, sublayer: Sublayer) -> WorkSize {
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
    let blocks = if sublayer.is_mirror() { blocks.div_ceil(2) } else { blocks } as f64;
    let values = sublayer.len() as f64;
    WorkSize {
        positions: sublayer.len(),
        blocks,
        values,
        swept: values,
        deltas: DELTA * values,
        externals: 0.0,
        successors: SUCCESSORS * blocks,
        candidates: CANDIDATES * blocks,
    }
}

/// Bytes for the values and the blocks of a sublayer.
fn at_work(size: WorkSize, sides: u8) -> u64 {
    let both = f64::from(sides);
    // Bounds have no candidates and no certificate.
    let (candidates, certified) =
        if sides == 1 { (size.candidates, size.successors) } else { (0.0, 0.0) };
    let swept = both * size.deltas + candidates + size.successors;
    let ordered = both * VALUE * size.positions as f64 + certified;
    let blocks = size.blocks * size_of::<BoardBlock>() as f64;
    (blocks + both * VALUE * size.values + swept.max(ordered)) as u64
}
