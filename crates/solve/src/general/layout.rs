//! The blocks of a sublayer and the order in which they are swept.

use std::ops::Range;

use puabi_core::{Indexer, Rules, Side, Sublayer};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::lane::Lane;

/// The values of one configuration: `light` is the senior side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// The place of its first value among the positions with one side about to roll.
    pub(super) base: u32,
    /// Light's pieces on pre squares and in hand.
    pub(super) light: u8,
    /// Dark's.
    pub(super) dark: u8,
}

/// The blocks of a sublayer in the order of sweeping.
///
/// Blocks in which dark has travelled further come first; they form a *level*. A move of light that captures nothing
/// leaves dark's side as it is, and so the *slab* of blocks with that side; any other move leads to another level or
/// stays in its block. So slabs of one level do not lead to each other. A *strip* is some slabs of a level.
#[derive(Debug)]
pub(super) struct Layout {
    blocks: Vec<Block>,
    /// Ranges of blocks.
    pub(super) strips: Vec<Range<usize>>,
    /// Ranges of strips.
    pub(super) levels: Vec<Range<usize>>,
}

/// A block with what orders it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// How far dark has still to go, dark's side, how far light has to go.
    key: u64,
    base: u32,
    light: u8,
    dark: u8,
}

/// Blocks that make a strip worth a task of its own.
const STRIP: usize = 512;
/// More than any side can travel.
const FAR: u64 = 1 << 10;

impl Layout {
    pub(super) fn new(indexer: &Indexer, lane: &Lane, sublayer: Sublayer) -> Self {
        let parts = rayon::current_num_threads().max(1) as u64 * 4;
        let part = sublayer.half.div_ceil(parts).max(1);
        let entries = (0..parts)
            .into_par_iter()
            .map(|at| entries(indexer, lane, sublayer, at * part..(at + 1) * part));
        let parts: Vec<Vec<(Side, Entry)>> = entries.collect();
        let mut entries = Vec::with_capacity(parts.iter().map(Vec::len).sum());
        let mut sides = FxHashMap::default();
        for (side, mut entry) in parts.into_iter().flatten() {
            let next = sides.len() as u64;
            // Dark's side comes between how far dark and light have to go.
            entry.key |= *sides.entry(side).or_insert(next) << 16;
            entries.push(entry);
        }
        entries.par_sort_unstable();
        let strips = strips(&entries);
        let levels = levels(&entries, &strips);
        let block = |it: Entry| Block { base: it.base, light: it.light, dark: it.dark };
        Self { blocks: entries.into_iter().map(block).collect(), strips, levels }
    }

    /// The blocks of a strip.
    pub(super) fn blocks(&self, strip: usize) -> &[Block] {
        &self.blocks[self.strips[strip].clone()]
    }
}

/// The blocks that begin in a range of the positions with one side about to roll.
fn entries(
    indexer: &Indexer,
    lane: &Lane,
    sublayer: Sublayer,
    range: Range<u64>,
) -> Vec<(Side, Entry)> {
    let mut entries = Vec::new();
    let mut at = range.start;
    while at < range.end.min(sublayer.half) {
        let position = indexer.position(sublayer.base + at).expect("an index below the length");
        let (board, before) = indexer.without_lanes(position);
        let [light, dark] = [board.mine(), board.theirs()].map(|side| indexer.hand(side));
        let values = indexer.lane().rows(light) * indexer.lane().rows(dark);
        let base = at - before;
        if base >= range.start {
            let base = u32::try_from(base).expect("the links of 2^32 blocks fit no memory");
            let key = (FAR - travelled(board.theirs())) << 48 | (FAR - travelled(board.mine()));
            entries.push((board.theirs(), Entry { key, base, light, dark }));
        }
        at = base + values;
    }
    debug_assert!(!lane.pieces.is_empty());
    entries
}

/// The squares that a side's pieces on the board have travelled.
fn travelled(side: Side) -> u64 {
    side.pieces().map(|square| u64::from(square.number())).sum()
}

fn slab(entry: &Entry) -> u64 {
    entry.key >> 16
}

fn level(entry: &Entry) -> u64 {
    entry.key >> 48
}

fn strips(entries: &[Entry]) -> Vec<Range<usize>> {
    let mut strips: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for blocks in entries.chunk_by(|entry, next| slab(entry) == slab(next)) {
        let range = start..start + blocks.len();
        start = range.end;
        match strips.last_mut() {
            Some(last)
                if last.len() < STRIP && level(&entries[last.start]) == level(&blocks[0]) =>
            {
                last.end = range.end;
            }
            _ => strips.push(range),
        }
    }
    strips
}

fn levels(entries: &[Entry], strips: &[Range<usize>]) -> Vec<Range<usize>> {
    let of = |strip: &Range<usize>| level(&entries[strip.start]);
    let mut start = 0;
    let mut levels = Vec::new();
    for strips in strips.chunk_by(|strip, next| of(strip) == of(next)) {
        levels.push(start..start + strips.len());
        start += strips.len();
    }
    levels
}

/// Bytes for one block: itself, and about 12 links of each player.
const BLOCK: u64 = 16 + 2 * 14 * 4;

/// Returns the bytes of memory that a solve takes at its peak: all values, and the largest sublayer at work.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize) -> u64 {
    let states = indexer.side_states();
    let work = |sublayer: &Sublayer| {
        let [light, dark] =
            [sublayer.senior, sublayer.junior].map(|state| states[state].movable(rules.pieces()));
        let mut blocks = 0_u64;
        for on_light in 0..=light {
            for on_dark in 0..=dark {
                blocks = blocks.saturating_add(indexer.configurations(on_light, on_dark));
            }
        }
        blocks.saturating_mul(BLOCK).saturating_add(sublayer.half.saturating_mul(16))
    };
    let mut sizes: Vec<u64> = indexer.sublayers().iter().map(work).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let works = sizes.into_iter().take(threads).fold(0, u64::saturating_add);
    // A finished sublayer is copied out of the values at work.
    indexer.len().saturating_mul(8).saturating_add(works).saturating_add(64 << 20)
}
