//! The memory and the work that a solve by the general engine takes, estimated before it begins.

use puabi_core::{Indexer, Rules, Sublayer};

use super::General;
use super::layout::{BLOCKS, BoardBlock, ORDERED};
use super::moving_rolls::MovingRolls;
use super::successors::word::{WideWord, Word};
use crate::drive::engine::Engine;
use crate::memory::spill::OnDisk;
use crate::plan::size::{EngineWork, PackedSize, Speed, VALUE, WorkSize};
use crate::plan::spread::Handing;

/// The speed, fitted to the solves of `docs/results.md` on machine N's kind: murray:3 and 4, skiriuk:3 and 4, dmytro:3 and 4.
const SPEED: Speed = Speed { block: 2.7e-6, value: 0.95e-6, growth: 0.11 };

/// Each sweep hands on all values; every fourth sweep hands on the extrapolated ones a second time. The part of sides is fitted
/// to what 2, 4 and 8 ranks receive of `murray:3` and `skiriuk:3`, and what is fetched to the most that 2 and 8 ranks fetch of
/// these.
pub(crate) const HANDING: Handing = Handing {
    renewed: [1.25, 1.25],
    strip: Some(BLOCKS as f64),
    sides: 0.5,
    block: 0.0,
    fetched: [3.0, 0.5],
};

/// Bytes of a word of 32 bits.
const WORD: f64 = 4.0;
/// Words for the successors of one piece of a block's configuration by one roll that moves a piece. A successor that leads out of
/// the sublayer takes two. Counted in the largest sublayers: 0.89 in `murray:3`, 0.76 in `skiriuk:3`, 0.85 in `dmytro:3`.
const OF_PIECE: f64 = 0.9;
/// Words for the candidates of a roll of a position, and for the values of exits among them.
const CANDIDATES: f64 = 1.05;
/// Bytes of a word of successors on a disk, and of one of candidates: 1.27 and 1.76 in `murray:3`, 1.60 and 1.37 in `skiriuk:3`,
/// 1.64 and 1.48 in `dmytro:4`. By these numbers the three take 5 to 8 % less than planned.
const PACKED: [f64; 2] = [1.35, 1.8];
/// Seconds of a processor to pack a word and to unpack it, from solves of `murray:3` with the words on a disk and in memory.
const PACKING: [f64; 2] = [10e-9, 3e-9];
/// Bytes of the delta of a value.
const DELTA: f64 = 4.0;

/// Bytes of a block while blocks are put in order: the parts that were found are moved one by one into the list that is sorted.
const ORDERING: f64 = 1.25 * ORDERED as f64;
/// Bytes of a position to mark and count the first boards of blocks.
const BOARD: f64 = 0.125;

/// Returns the work of a solve, or of bounds on two `sides`, which have no candidates.
pub(crate) fn work(rules: &Rules, indexer: &Indexer, sides: u8) -> EngineWork {
    let size = |&sublayer| size(rules, indexer, sublayer, f64::from(sides));
    EngineWork {
        sizes: indexer.sublayers().iter().map(size).collect(),
        speed: SPEED,
        most_values: WideWord::MOST_POSITIONS,
        most_by_one_rank: General::MOST_BY_ONE_RANK,
        leaves_buffers: false,
    }
}

fn size(rules: &Rules, indexer: &Indexer, sublayer: Sublayer, sides: f64) -> WorkSize {
    let states = indexer.side_states();
    let [light, dark] =
        [sublayer.senior, sublayer.junior].map(|state| states[state].movable(rules.pieces()));
    let (mut blocks, mut pieces) = (0.0, 0.0);
    for on_light in 0..=light {
        for on_dark in 0..=dark {
            // Of a sublayer that mirrors itself one half is at work.
            let share = if sublayer.is_mirror() { 0.5 } else { 1.0 };
            let more = share * indexer.configurations(on_light, on_dark) as f64;
            blocks += more;
            pieces += more * f64::from(on_light + on_dark);
        }
    }
    let positions = sublayer.len() as f64;
    let values = sides * positions;
    let rolls = MovingRolls::new(rules).len() as f64;
    let word = WORD * width(sublayer.len());
    let successors = rolls * blocks + OF_PIECE * rolls * pieces;
    let candidates = if sides > 1.0 { 0.0 } else { CANDIDATES * rolls * positions };
    let layout_of_held = size_of::<BoardBlock>() as f64;
    WorkSize {
        positions: sublayer.len(),
        blocks,
        values,
        swept: values,
        deltas: DELTA * values,
        externals: 0.0,
        successors: word * successors,
        successors_on: OnDisk::ReadOnly,
        candidates: word * candidates,
        packed: packed(successors, candidates),
        laid_out: (2.0 * word).max(ORDERING - layout_of_held) * blocks,
        layout: BOARD * positions,
        layout_of_held: layout_of_held * blocks,
        marks_of_rank: 0.0,
        ordered: VALUE * values,
    }
}

/// Returns the bytes that words of successors and candidates take on a disk, and the seconds to pack and to unpack them.
fn packed(successors: f64, candidates: f64) -> PackedSize {
    let seconds = PACKING.map(|word| word * (successors + candidates));
    PackedSize { successors: PACKED[0] * successors, candidates: PACKED[1] * candidates, seconds }
}

/// Returns how many times as wide as 32 bits the words of a sublayer are.
fn width(positions: u64) -> f64 {
    let bits = if positions <= u32::MOST_POSITIONS { u32::BITS } else { <WideWord as Word>::BITS };
    f64::from(bits) / f64::from(u32::BITS)
}
