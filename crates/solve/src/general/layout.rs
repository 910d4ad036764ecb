//! The blocks of a sublayer and the order in which they are swept.

use std::ops::Range;

use puabi_core::{Indexer, Rules, Side, Sublayer};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::lane::Lane;
use crate::plan::dependencies::is_large;

/// The values of one configuration: `light` is the senior side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// The index of its first board among those of the sublayer, seen by light.
    pub(super) base: u32,
    /// That of its mirror image, where the sublayer mirrors itself.
    pub(super) image: u32,
    /// Light's pieces on pre squares and in hand.
    pub(super) light: u8,
    /// Dark's.
    pub(super) dark: u8,
}

/// Some slabs of a level: a task of its own.
#[derive(Debug, Clone)]
pub(super) struct Strip {
    blocks: Range<usize>,
    /// The place of its first value.
    first: usize,
}

/// The blocks of a sublayer in the order of sweeping, which is that of their values.
///
/// Blocks in which dark has travelled further come first; they form a *level*. A move of light that captures nothing
/// leaves dark's side as it is, and so the *slab* of blocks with that side; any other move leads to another level or
/// stays in its block. So slabs of one level do not lead to each other. A *strip* is some slabs of a level.
///
/// Where the sublayer mirrors itself, blocks in which light has travelled further are left out: they are images of
/// others. Those in which both have travelled equally far come first, as a level of their own: moves of light's in the
/// rest of their level lead to their images.
#[derive(Debug)]
pub(super) struct Layout {
    blocks: Vec<Block>,
    pub(super) strips: Vec<Strip>,
    /// Ranges of strips.
    pub(super) levels: Vec<Range<usize>>,
    /// Values in all blocks.
    pub(super) values: usize,
}

/// A block with what orders it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// How far dark has still to go, whether light has not gone as far, dark's side, how far light has to go.
    key: u64,
    base: u32,
    image: u32,
    light: u8,
    dark: u8,
}

/// Blocks that make a strip worth a task of its own.
const STRIP: usize = 512;
/// More than any side can travel.
const FAR: u64 = 1 << 10;
/// Where the parts of a key begin: how far light has to go, dark's side, and what levels differ in.
const SLAB: u32 = 16;
const LEVEL: u32 = 47;

impl Layout {
    pub(super) fn new(indexer: &Indexer, lane: &Lane, sublayer: Sublayer) -> Self {
        let entries = sorted(indexer, sublayer);
        let block =
            |it: &Entry| Block { base: it.base, image: it.image, light: it.light, dark: it.dark };
        let mut layout = Self {
            blocks: entries.iter().map(block).collect(),
            strips: Vec::new(),
            levels: Vec::new(),
            values: 0,
        };
        for level in entries.chunk_by(|entry, next| entry.key >> LEVEL == next.key >> LEVEL) {
            let first = layout.strips.len();
            layout.push_level(level, lane);
            layout.levels.push(first..layout.strips.len());
        }
        layout
    }

    /// Adds the strips of a level.
    fn push_level(&mut self, level: &[Entry], lane: &Lane) {
        let mut start = self.strips.last().map_or(0, |last| last.blocks.end);
        let mut open = false;
        for slab in level.chunk_by(|entry, next| entry.key >> SLAB == next.key >> SLAB) {
            let end = start + slab.len();
            match self.strips.last_mut().filter(|last| open && last.blocks.len() < STRIP) {
                Some(last) => last.blocks.end = end,
                None => self.strips.push(Strip { blocks: start..end, first: self.values }),
            }
            open = true;
            start = end;
            self.values +=
                slab.iter().map(|it| 2 * lane.boards([it.light, it.dark])).sum::<usize>();
        }
    }

    /// The blocks of a strip, each with the place of its first value.
    pub(super) fn blocks<'b>(
        &'b self,
        strip: &Strip,
        lane: &'b Lane,
    ) -> impl Iterator<Item = (Block, usize)> + 'b {
        let mut next = strip.first;
        self.blocks[strip.blocks.clone()].iter().map(move |&block| {
            let at = next;
            next += 2 * lane.boards([block.light, block.dark]);
            (block, at)
        })
    }

    /// Every block with the place of its first value.
    pub(super) fn all<'b>(&'b self, lane: &'b Lane) -> impl Iterator<Item = (Block, usize)> + 'b {
        self.strips.iter().flat_map(|strip| self.blocks(strip, lane))
    }

    /// The places of a level's values.
    pub(super) fn places(&self, level: &Range<usize>) -> Range<usize> {
        let first = |strip: usize| self.strips.get(strip).map_or(self.values, |it| it.first);
        first(level.start)..first(level.end)
    }
}

/// All blocks that are swept, in the order of sweeping.
fn sorted(indexer: &Indexer, sublayer: Sublayer) -> Vec<Entry> {
    let parts = rayon::current_num_threads().max(1) as u64 * 4;
    let part = sublayer.half.div_ceil(parts).max(1);
    let found =
        (0..parts).into_par_iter().map(|at| entries(indexer, sublayer, at * part..(at + 1) * part));
    let parts: Vec<Vec<(Side, Entry)>> = found.collect();
    let mut entries = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    let mut sides = FxHashMap::default();
    for (side, mut entry) in parts.into_iter().flatten() {
        let next = sides.len() as u64;
        entry.key |= *sides.entry(side).or_insert(next) << SLAB;
        entries.push(entry);
    }
    entries.par_sort_unstable();
    entries
}

/// The blocks that begin in a range of the boards, but for images of others.
fn entries(indexer: &Indexer, sublayer: Sublayer, range: Range<u64>) -> Vec<(Side, Entry)> {
    let mut entries = Vec::new();
    let mut at = range.start;
    while at < range.end.min(sublayer.half) {
        let position = indexer.position(sublayer.base + at).expect("an index below the length");
        let (board, before) = indexer.without_pre(position);
        let [light, dark] = [board.mine(), board.theirs()].map(|side| indexer.hand(side));
        let values = indexer.pre_index().ways_at_most(light) * indexer.pre_index().ways_at_most(dark);
        let base = at - before;
        at = base + values;
        if base < range.start {
            continue;
        }
        let [far, dark_far] = [board.mine(), board.theirs()].map(travelled);
        if sublayer.is_mirror() && far > dark_far {
            continue;
        }
        let image = if sublayer.is_mirror() { indexer.place(board.flipped()).offset } else { base };
        if far == dark_far && image < base {
            continue;
        }
        let behind = u64::from(sublayer.is_mirror() && far < dark_far);
        let key = (FAR - dark_far) << (LEVEL + 1) | behind << LEVEL | (FAR - far);
        let number =
            |base: u64| u32::try_from(base).expect("the links of 2^32 blocks fit no memory");
        let (base, image) = (number(base), number(image));
        entries.push((board.theirs(), Entry { key, base, image, light, dark }));
    }
    entries
}

/// The squares that a side's pieces on the board have travelled.
fn travelled(side: Side) -> u64 {
    side.pieces().map(|square| u64::from(square.number())).sum()
}

/// Bytes for one block: itself, and its links, 24 to 27 words on average in the games with three pieces.
const BLOCK: u64 = size_of::<Block>() as u64 + 30 * 4;

/// Returns the bytes of memory that a solve takes at its peak: all values, and a sublayer's own beside them while they
/// are certified. While they are swept, their moves take less than their published form then.
pub(crate) fn memory(rules: &Rules, indexer: &Indexer, threads: usize) -> u64 {
    let (mut large, mut small) = (0, 0);
    for &sublayer in indexer.sublayers() {
        let most = if is_large(indexer, sublayer, threads) { &mut large } else { &mut small };
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
