//! The memory and the work that a solve takes, estimated before it begins.
#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "throws are few")]

use puabi_core::{Indexer, Rules, SideState, Sublayer};

use crate::dense::engine::holding::WORK_OF_BLOCK;
use crate::dense::engine::{DenseEngine, has_two_byte_deltas};
use crate::dense::layout::block::{BlockShape, Ranks, UNIT};
use crate::dense::layout::masks::{THROWS, count_masks};
use crate::dense::successors::packed::SENTINEL;
use crate::drive::engine::Engine;
use crate::memory::spill::OnDisk;
use crate::plan::size::{EngineWork, PackedSize, Speed, VALUE, WorkSize};
use crate::plan::spread::Handing;

/// Returns the bytes that the numbers of blocks take while successors are found: two words for each mask of the junior and each
/// 32 masks of the senior.
fn numbers(rules: &Rules, indexer: &Indexer) -> f64 {
    let masks = count_masks(rules, indexer.zones());
    masks.saturating_mul(masks.div_ceil(32)).saturating_mul(8) as f64
}

/// Returns the work of a solve, or of bounds on two `sides`.
pub(crate) fn work(rules: &Rules, indexer: &Indexer, sides: u8) -> EngineWork {
    let (ranks, numbers) = (Ranks::new(indexer), numbers(rules, indexer));
    let size = |&sublayer| {
        let size = size(rules, indexer, (&ranks, sublayer), sides);
        WorkSize { layout: numbers + size.layout, ..size }
    };
    EngineWork {
        sizes: indexer.sublayers().iter().map(size).collect(),
        speed: SPEED,
        // Blocks have numbers below the sentinel, and some places between blocks stay unused.
        most_values: UNIT as u64 * u64::from(SENTINEL) / 64 * 63,
        most_by_one_rank: DenseEngine::MOST_BY_ONE_RANK,
        leaves_buffers: true,
    }
}

fn size(
    rules: &Rules,
    indexer: &Indexer,
    (ranks, sublayer): (&Ranks, Sublayer),
    sides: u8,
) -> WorkSize {
    let [cells, externals, blocks] = count(rules, indexer, ranks, sublayer);
    // Of a sublayer that mirrors itself one half is swept. Bounds have no mirror images. In index order, bounds count once for
    // each side, and once more.
    let share = if sublayer.is_mirror() && sides == 1 { 0.5 } else { 1.0 };
    let copies = if sides == 1 { 1.0 } else { f64::from(sides) + 1.0 };
    let delta = if has_two_byte_deltas(indexer) { BFLOAT16 } else { VALUE };
    let successors = share * SUCCESSORS * blocks;
    WorkSize {
        positions: sublayer.len(),
        blocks: share * blocks,
        values: 2.0 * cells,
        swept: share * 2.0 * cells,
        deltas: share * 2.0 * cells * delta,
        externals: share * externals,
        successors,
        successors_on: OnDisk::Successors,
        laid_out: 0.0,
        candidates: 0.0,
        packed: PackedSize { successors, candidates: 0.0, seconds: [0.0; 2] },
        layout: share * ACTIVE * blocks,
        layout_of_held: 0.0,
        // A bit a block.
        marks_of_rank: share * blocks / 8.0,
        ordered: copies * VALUE * sublayer.len() as f64,
    }
}

/// Returns the numbers of boards, of external values and of blocks of a sublayer.
fn count(rules: &Rules, indexer: &Indexer, ranks: &Ranks, sublayer: Sublayer) -> [f64; 3] {
    let states = [sublayer.senior, sublayer.junior].map(|state| indexer.side_states()[state]);
    let [senior, junior] = states.map(|state| state.movable(rules.pieces()));
    let (mut cells, mut externals, mut blocks) = (0.0, 0.0, 0.0);
    for on_senior in 0..=senior {
        for on_junior in 0..=junior {
            let more = indexer.configurations(on_senior, on_junior) as f64;
            let len = BlockShape::new(senior - on_senior, junior - on_junior).len(ranks) as f64;
            let throws = answered(rules, indexer, states[0], on_senior)
                + answered(rules, indexer, states[1], on_junior);
            // A block of one value takes the room of `UNIT` values.
            cells += more * len.max(UNIT as f64);
            externals += more * len * throws;
            blocks += more;
        }
    }
    [cells, externals, blocks]
}

/// Bytes of a delta as bfloat16.
const BFLOAT16: f64 = 2.0;
/// The speed, fitted to solves on machine N, which take 0.83 to 1.27 of the estimated time: finkel, blitz, masters, simple-ur:4
/// to 6, skiriuk-path:4 (`docs/results.md`).
const SPEED: Speed = Speed { block: 21.5e-6, value: 0.06e-6, growth: 0.3 };

/// What a sweep hands on, as if all values were f64: blocks at rest are left out, sweeps in single precision count half, and
/// extrapolated blocks count once more. Fitted to `finkel:4` and `masters:3`. What is fetched is fitted to the most that 2 and 8
/// ranks fetch of `finkel:5` and `masters:4`.
pub(crate) const HANDING: Handing = Handing {
    renewed: [0.77, 0.49],
    strip: None,
    sides: 1.0,
    block: WORK_OF_BLOCK as f64,
    fetched: [6.0, 1.0],
};

/// Bytes for the successors of a block, as counted in presets, and for the block's part of the active set.
const SUCCESSORS: f64 = 250.0;
const ACTIVE: f64 = 32.0;

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
