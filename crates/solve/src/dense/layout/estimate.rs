//! The memory and the work that a solve takes, estimated before it begins.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "bytes are never negative, throws few, and casts of more than 2^64 give that"
)]

use puabi_core::{Indexer, Rules, SideState, Sublayer};

use crate::dense::engine::has_half_deltas;
use crate::dense::engine::holding::WORK_OF_BLOCK;
use crate::dense::layout::block::{BlockShape, Ranks, UNIT};
use crate::dense::layout::masks::{THROWS, count_masks};
use crate::dense::successors::packed::SENTINEL;
use crate::memory::shelf::room_for;
use crate::memory::spill::{OnDisk, Spilled};
use crate::plan::dependencies::{MOST_BESIDE, is_large};
use crate::plan::size::{EngineWork, Speed, VALUE, WorkSize};
use crate::plan::spread::Handing;

/// Returns the bytes of memory that a solve takes at its peak beside the values that a checkpoint holds, or bounds on `sides`
/// beside the values and the bounds that are finished: the buffers of the sublayers that are swept at the same time, with what
/// `disk` says on a disk.
pub(crate) fn memory(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    (sides, disk): (u8, Spilled),
) -> u64 {
    let bytes = if disk.is_empty() { Buffers::bytes } else { Buffers::unspilled };
    most(rules, indexer, &buffers(rules, indexer, threads, (sides, disk)), bytes)
}

/// Returns the bytes of small sublayers on all threads, or of a large one that all of them share: what the first had is gone then.
fn most(
    rules: &Rules,
    indexer: &Indexer,
    (small, large): &(Vec<Buffers>, Buffers),
    bytes: fn(Buffers) -> u64,
) -> u64 {
    let numbers = numbers(rules, indexer);
    sum(small, |it| bytes(it).saturating_add(numbers)).max(bytes(*large)).saturating_add(REST)
}

fn sum(buffers: &[Buffers], bytes: impl Fn(Buffers) -> u64) -> u64 {
    buffers.iter().fold(0, |sum, &it| sum.saturating_add(bytes(it)))
}

/// Returns the bytes for the numbers of blocks, two words for each of the junior's masks and 32 of the senior's, which are there
/// while successors are found.
fn numbers(rules: &Rules, indexer: &Indexer) -> u64 {
    let masks = count_masks(rules, indexer.zones());
    masks.saturating_mul(masks.div_ceil(32)).saturating_mul(8)
}

/// Returns the bytes of those buffers that lie on a disk.
pub(crate) fn spilled(rules: &Rules, indexer: &Indexer, threads: usize, disk: Spilled) -> u64 {
    let (small, large) = buffers(rules, indexer, threads, (1, disk));
    sum(&small, |it| it.spilled(disk)).saturating_add(large.spilled(disk))
}

/// Returns the buffers of small sublayers, those of each thread that can have one, and those of large ones, with what `disk` says
/// on a disk. Buffers go to the sublayer that they fit: of two threads, one has none as large as the largest.
fn buffers(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    (sides, disk): (u8, Spilled),
) -> (Vec<Buffers>, Buffers) {
    let numbers = numbers(rules, indexer) as f64;
    let mut sublayers: Vec<_> =
        sizes(rules, indexer).into_iter().zip(indexer.sublayers()).collect();
    sublayers.sort_by_key(|(size, _)| size.positions);
    let (mut small, mut most) = (Vec::new(), [Buffers { numbers, ..Buffers::default() }; 2]);
    for (size, sublayer) in sublayers {
        let is_large = is_large(size.positions, threads, MOST_BESIDE);
        let most = &mut most[usize::from(is_large)];
        *most = most.max(Buffers::of(size, sublayer.is_mirror(), sides, disk));
        if !is_large {
            small.push(*most);
        }
    }
    (small.split_off(small.len().saturating_sub(threads)), most[1])
}

/// Returns what a solve sweeps.
pub(crate) fn work(rules: &Rules, indexer: &Indexer) -> EngineWork {
    // Blocks have numbers below the sentinel, and some places between them are of no block.
    let most_values = UNIT as u64 * u64::from(SENTINEL) / 64 * 63;
    EngineWork { sizes: sizes(rules, indexer), speed: SPEED, most_values }
}

fn sizes(rules: &Rules, indexer: &Indexer) -> Vec<WorkSize> {
    let ranks = Ranks::new(indexer);
    indexer.sublayers().iter().map(|&sublayer| size(rules, indexer, &ranks, sublayer)).collect()
}

fn size(rules: &Rules, indexer: &Indexer, ranks: &Ranks, sublayer: Sublayer) -> WorkSize {
    let states = [sublayer.senior, sublayer.junior].map(|state| indexer.side_states()[state]);
    let [senior, junior] = states.map(|state| state.movable(rules.pieces()));
    let (mut cells, mut externals, mut blocks) = (0.0, 0.0, 0.0);
    for on_senior in 0..=senior {
        for on_junior in 0..=junior {
            let more = indexer.configurations(on_senior, on_junior) as f64;
            let len = BlockShape::new(senior - on_senior, junior - on_junior).len(ranks) as f64;
            let throws = answered(rules, indexer, states[0], on_senior)
                + answered(rules, indexer, states[1], on_junior);
            // A block of one value takes the place of a few.
            cells += more * len.max(UNIT as f64);
            externals += more * len * throws;
            blocks += more;
        }
    }
    // Of a sublayer that mirrors itself one half is swept.
    let share = if sublayer.is_mirror() { 0.5 } else { 1.0 };
    let delta = if has_half_deltas(indexer) { HALF } else { VALUE };
    WorkSize {
        positions: sublayer.len(),
        blocks: share * blocks,
        values: 2.0 * cells,
        swept: share * 2.0 * cells,
        deltas: share * 2.0 * cells * delta,
        externals: share * externals,
        successors: share * SUCCESSORS * blocks,
        candidates: 0.0,
        layout: share * ACTIVE * blocks,
        layout_of_held: 0.0,
        read_only: [VALUE * share * externals, share * SUCCESSORS * blocks],
    }
}

/// Bytes of a number in single precision.
const SINGLE: f64 = 4.0;
/// Bytes of a delta as bfloat16.
const HALF: f64 = 2.0;
/// How many of a sublayer's mirror images are read, as a part of them: those that are not have no room. With four pieces and
/// more, 0.61 to 0.75 in presets.
const IMAGES: f64 = 0.7;
/// Bytes for all else.
const REST: u64 = 32 << 20;
/// Fitted to solves on machine N, which take 0.83 to 1.27 of it: finkel, blitz, masters, simple-ur:4 to 6, skiriuk-path:4
/// (`docs/results.md`).
const SPEED: Speed = Speed { block: 21.5e-6, value: 0.06e-6, growth: 0.3 };

/// As if all values were f64: blocks at rest are left out, sweeps in single precision count half, and blocks that are
/// extrapolated once more. Fitted to `finkel:4` and `masters:3`; what is fetched, to the most that 2 and 8 ranks fetch of `finkel:5`
/// and `masters:4`.
pub(crate) const HANDING: Handing = Handing {
    renewed: [0.77, 0.49],
    strip: None,
    sides: 1.0,
    block: WORK_OF_BLOCK as f64,
    fetched: [6.0, 1.0],
};

/// Bytes for the successors of a block, as counted in presets, and for its part of the active set.
const SUCCESSORS: f64 = 250.0;
const ACTIVE: f64 = 32.0;

/// Bytes of buffers. One sublayer leaves them to the next, so that each is as large as for the one that takes most of it.
#[derive(Debug, Clone, Copy, Default)]
struct Buffers {
    values: f64,
    /// What the certificate of a solve that spills has in memory: external values, and values in double precision.
    certified: f64,
    deltas: f64,
    externals: f64,
    successors: f64,
    /// The numbers of blocks: a certificate has them as long as it has values.
    numbers: f64,
    active: f64,
    /// The values in index order, before they are in a file.
    ordered: f64,
    /// What the certificate has: values, external values, and the values in index order, read from the file.
    certificate: f64,
    /// What a solve that spills has in memory of one sublayer: its external values, values, deltas and successors, or then its
    /// external values, swept values and the values in index order. What lies on the disk is not counted.
    unspilled: f64,
}

impl Buffers {
    fn of(size: WorkSize, is_mirror: bool, sides: u8, disk: Spilled) -> Self {
        let both = if is_mirror { 2.0 } else { 1.0 };
        // Bounds have no mirror images. Those of a side come to the end of both in index order.
        let (swept, copies) = if sides == 1 { (1.0, 1.0) } else { (both, f64::from(sides) + 1.0) };
        let ordered = copies * VALUE * size.positions as f64;
        let held = swept * size.swept + IMAGES * (size.values - swept * size.swept);
        // In single precision, external values lie behind the values.
        let values = (VALUE * held).max(SINGLE * (held + swept * size.externals));
        let deltas = swept * size.deltas;
        let externals = swept * VALUE * size.externals;
        let successors = swept * size.successors;
        let in_memory = disk.unless(OnDisk::ReadOnly, externals);
        let swept_with = disk.unless(OnDisk::Values, values)
            + disk.unless(OnDisk::Deltas, deltas)
            + disk.unless(OnDisk::Successors, successors);
        let at_end =
            disk.unless(OnDisk::Values, VALUE * size.swept) + disk.unless(OnDisk::Ordered, ordered);
        Self {
            values,
            certified: in_memory + disk.unless(OnDisk::Values, VALUE * held),
            deltas,
            externals,
            successors,
            numbers: 0.0,
            active: swept * size.layout,
            ordered,
            certificate: VALUE * held + externals + ordered,
            unspilled: in_memory + swept_with.max(at_end),
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            values: self.values.max(other.values),
            certified: self.certified.max(other.certified),
            deltas: self.deltas.max(other.deltas),
            externals: self.externals.max(other.externals),
            successors: self.successors.max(other.successors),
            numbers: self.numbers.max(other.numbers),
            active: self.active.max(other.active),
            ordered: self.ordered.max(other.ordered),
            certificate: self.certificate.max(other.certificate),
            unspilled: self.unspilled.max(other.unspilled),
        }
    }

    /// Returns the bytes on the disk; the certificate has no more of a sublayer there than its solve.
    fn spilled(self, disk: Spilled) -> u64 {
        let swept_with = disk.lying(OnDisk::Successors, room_for(self.successors))
            + disk.lying(OnDisk::Deltas, self.deltas);
        let always =
            disk.lying(OnDisk::ReadOnly, self.externals) + disk.lying(OnDisk::Values, self.values);
        (always + swept_with.max(disk.lying(OnDisk::Ordered, self.ordered))) as u64
    }

    /// Returns the bytes of all else.
    fn unspilled(self) -> u64 {
        (self.active + self.unspilled.max(self.certified + self.numbers)) as u64
    }

    fn bytes(self) -> u64 {
        let blocks = self.active + self.successors;
        let solve = self.deltas + self.externals + blocks + self.ordered;
        (self.values + solve).max(self.certificate + self.numbers) as u64
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
