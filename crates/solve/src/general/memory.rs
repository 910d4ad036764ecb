//! The memory and the work that a solve by the general engine takes, before it begins.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes are never negative, and casts of more than 2^64 give that"
)]

use puabi_core::{Indexer, Rules, Sublayer};

use super::layout::{BLOCKS, BoardBlock, ORDERED};
use super::successors::word::{WideWord, Word};
use crate::memory::shelf::room_for;
use crate::memory::spill::{OnDisk, Spilled};
use crate::plan::dependencies::{MOST_BESIDE, is_large};
use crate::plan::size::{EngineWork, Speed, VALUE, WorkSize};
use crate::plan::spread::Handing;

/// Fitted to the solves of `docs/results.md` on machine N's kind: murray:3 and 4, skiriuk:3 and 4, dmytro:3 and 4.
const SPEED: Speed = Speed { block: 2.6e-6, value: 1.32e-6, growth: 0.11 };

/// A sweep hands on all values, and every fourth sweep those that are extrapolated once more. The part of sides is fitted to what
/// 2, 4 and 8 ranks receive of `murray:3` and `skiriuk:3`, and what is fetched to the most that 2 and 8 ranks fetch of these.
pub(crate) const HANDING: Handing = Handing {
    renewed: [1.25, 1.25],
    strip: Some(BLOCKS as f64),
    sides: 0.5,
    block: 0.0,
    fetched: [3.0, 0.5],
};

/// Bytes for one block's successors, and for those of them that are candidates, in words of 32 bits: some 145 together in
/// `murray:3`, 160 in `skiriuk:3`, 175 in `murray:4`.
const SUCCESSORS: f64 = 115.0;
const CANDIDATES: f64 = 60.0;
/// Bytes of the delta of a value.
const DELTA: f64 = 4.0;
/// Bytes for all else.
const REST: u64 = 32 << 20;

/// Bytes of a block while blocks are put in order: parts of them go over one by one into what is sorted.
const ORDERING: f64 = 1.25 * ORDERED as f64;
/// Bytes of a block and its image for the places of boards in words of 32 bits, while successors are found.
const PLACES: f64 = 8.0;
/// Bytes of a position for those of the first boards of blocks.
const BOARD: f64 = 0.125;

/// Returns the bytes of memory that a solve takes at its peak beside the values that a checkpoint holds, or bounds on `sides`
/// beside the values and the bounds that are finished, with what `disk` says on a disk: those of a sublayer while it is laid out, or
/// while it is swept, with its values, their deltas, all successors and candidates, or at its end in the order of sweeps and in
/// that of the index; a solve certifies it then, with all successors.
pub(crate) fn memory(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    (sides, disk): (u8, Spilled),
) -> u64 {
    most(rules, indexer, threads, |size| in_memory(size, sides, disk)).saturating_add(REST)
}

/// Returns the most bytes that a solve has on a disk, if it has as much there as this says.
pub(crate) fn spilled(rules: &Rules, indexer: &Indexer, threads: usize, disk: Spilled) -> u64 {
    most(rules, indexer, threads, |size| on_disk(size, disk))
}

/// Returns the bytes of the small sublayers that take most, one on each thread, or of a large one, which is at work alone.
fn most(rules: &Rules, indexer: &Indexer, threads: usize, bytes: impl Fn(WorkSize) -> f64) -> u64 {
    let is_large = |size: &WorkSize| is_large(size.positions, threads, MOST_BESIDE);
    let (large, small): (Vec<_>, Vec<_>) = sizes(rules, indexer).into_iter().partition(is_large);
    let bytes = |sizes: Vec<WorkSize>| sizes.into_iter().map(|size| bytes(size) as u64);
    let mut small: Vec<_> = bytes(small).collect();
    small.sort_unstable();
    let side_by_side = small.into_iter().rev().take(threads).fold(0, u64::saturating_add);
    bytes(large).max().unwrap_or(0).max(side_by_side)
}

/// Returns what a solve sweeps.
pub(crate) fn work(rules: &Rules, indexer: &Indexer) -> EngineWork {
    EngineWork { sizes: sizes(rules, indexer), speed: SPEED, most_values: WideWord::MOST_PLACES }
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
    let width = width(sublayer.len());
    WorkSize {
        positions: sublayer.len(),
        blocks,
        values,
        swept: values,
        deltas: DELTA * values,
        externals: 0.0,
        successors: width * SUCCESSORS * blocks,
        candidates: width * CANDIDATES * blocks,
        layout: BOARD * values,
        layout_of_held: size_of::<BoardBlock>() as f64 * blocks,
        read_only: [width * (SUCCESSORS + CANDIDATES) * blocks, 0.0],
    }
}

/// Returns how many times as wide as 32 bits the words of a sublayer are.
fn width(positions: u64) -> f64 {
    let bits = if positions <= u32::MOST_PLACES { u32::BITS } else { <WideWord as Word>::BITS };
    f64::from(bits) / f64::from(u32::BITS)
}

/// Bytes in memory for a sublayer, if some of it is on a disk.
fn in_memory(size: WorkSize, sides: u8, disk: Spilled) -> f64 {
    let both = f64::from(sides);
    let values = disk.unless(OnDisk::Values, both * VALUE * size.values);
    let deltas = disk.unless(OnDisk::Deltas, both * size.deltas);
    let successors = disk.unless(OnDisk::ReadOnly, size.successors);
    // Bounds have no candidates and no certificate.
    let once = |bytes: f64| if sides == 1 { bytes } else { 0.0 };
    let candidates = disk.unless(OnDisk::ReadOnly, once(size.candidates));
    let ordered = disk.unless(OnDisk::Ordered, both * VALUE * size.positions as f64);
    let at_work = values + (deltas + candidates + successors).max(ordered + once(successors));
    let found = width(size.positions) * PLACES * size.blocks + successors;
    (size.layout_of_held + at_work.max(size.layout + found)).max(ORDERING * size.blocks)
}

/// Bytes on the disk for a sublayer.
fn on_disk(size: WorkSize, disk: Spilled) -> f64 {
    let read_only = room_for(size.successors) + room_for(size.candidates);
    let swept_with =
        disk.lying(OnDisk::ReadOnly, read_only) + disk.lying(OnDisk::Deltas, size.deltas);
    let ordered = disk.lying(OnDisk::Ordered, VALUE * size.positions as f64);
    disk.lying(OnDisk::Values, VALUE * size.values) + swept_with.max(ordered)
}
