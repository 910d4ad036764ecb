//! The blocks of a sublayer and the order in which they are swept.

pub(super) mod among_ranks;
mod block;
mod order;

use std::ops::Range;

use puabi_core::{Indexer, Sublayer};

use super::pre::PreMoves;
use crate::parallel;
pub(crate) use block::{BoardBlock, Purpose};
pub(super) use order::ORDERED;
use order::{OrderedBlock, Part, Slab, SweptBlocks};

/// Some slabs of a level, which are swept as one task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strip {
    /// Those of its blocks that have a place.
    blocks: Range<usize>,
    /// The place of its first value.
    first: usize,
    /// The number of values of all its blocks, with a place or without.
    values: usize,
}

impl Strip {
    /// Returns the number of the values of all its blocks, whichever rank has them.
    pub(crate) fn values(&self) -> usize {
        self.values
    }
}

/// The blocks of a sublayer in the order of sweeping, which is that of their values.
///
/// Blocks in which dark has travelled further come first; they form a *level*. A move of light that captures nothing
/// leaves dark's side as it is, and so the *slab* of blocks with that side; any other move leads to another level or
/// stays in its block. So slabs of one level do not lead to each other. A *strip* is some slabs of a level.
///
/// If the sublayer mirrors itself, blocks in which light has travelled further are left out: they are images of others. Blocks in
/// which both have travelled equally far come first, as a level of their own: light's moves in the rest of their level lead to
/// their images.
///
/// Among several ranks, each has places only for the blocks that it sweeps or reads; other strips have no blocks.
#[derive(Debug, Default)]
pub(crate) struct BlockLayout {
    blocks: Vec<BoardBlock>,
    pub(crate) strips: Vec<Strip>,
    /// Ranges of strips.
    pub(crate) levels: Vec<Range<usize>>,
    /// The number of values that have a place.
    pub(crate) values: usize,
    /// Whether half of the blocks are left out as images of others.
    pub(crate) is_halved: bool,
}

/// The number of blocks that make a strip worth a task of its own. The sums that a solve extrapolates by are added up strip by
/// strip, so its values depend on this number.
pub(super) const BLOCKS: usize = 512;
/// The number of boards that do so for given policies.
const BOARDS: usize = 2048;
/// A slab, and how much of a sublayer is in it.
#[derive(Debug, Clone, Copy)]
struct SlabSize {
    slab: Slab,
    blocks: usize,
    values: usize,
}

/// The last slab of each strip.
type LastSlabs = Vec<Slab>;

impl BlockLayout {
    pub(crate) fn new(
        indexer: &Indexer,
        pre: &PreMoves,
        sublayer: Sublayer,
        purpose: Purpose,
    ) -> Self {
        let blocks = SweptBlocks { indexer, sublayer, purpose };
        let Part { mut entries, .. } = blocks.within(0..sublayer.half);
        parallel::sort_unstable(&mut entries);
        let slabs = entries.chunk_by(|entry, next| entry.slab() == next.slab()).map(|slab| {
            let values = slab.iter().map(|entry| entry.block.values(pre)).sum();
            SlabSize { slab: slab[0].slab(), blocks: slab.len(), values }
        });
        let (mut layout, last) = Self::of_slabs(slabs, blocks);
        layout.lay(entries, &last, pre);
        layout
    }

    /// Returns a layout that has all strips but no blocks, given all slabs in their order.
    fn of_slabs(
        slabs: impl Iterator<Item = SlabSize>,
        SweptBlocks { sublayer, purpose, .. }: SweptBlocks<'_>,
    ) -> (Self, LastSlabs) {
        let is_halved = purpose.halves(sublayer);
        let mut layout = Self { is_halved, ..Self::default() };
        let (mut last, mut open) = (LastSlabs::new(), 0);
        for SlabSize { slab, blocks, values } in slabs {
            let is_level_open = last.last().is_some_and(|&before| slab.is_beside(before));
            let strips = layout.strips.len();
            let has_room = |strip: &&mut Strip| match purpose {
                Purpose::Solve => open < BLOCKS,
                Purpose::Policies => strip.values < 2 * BOARDS,
            };
            if let Some(strip) = layout.strips.last_mut().filter(|_| is_level_open).filter(has_room)
            {
                strip.values += values;
                open += blocks;
                last[strips - 1] = slab;
                continue;
            }
            layout.strips.push(Strip { values, ..Strip::default() });
            open = blocks;
            last.push(slab);
            match layout.levels.last_mut().filter(|_| is_level_open) {
                Some(level) => level.end += 1,
                None => layout.levels.push(strips..strips + 1),
            }
        }
        (layout, last)
    }

    /// Puts blocks, which are in the order of sweeping, into their strips.
    fn lay(&mut self, blocks: Vec<OrderedBlock>, last: &[Slab], pre: &PreMoves) {
        let (mut start, mut first) = (0, 0);
        for (strip, last) in self.strips.iter_mut().zip(last) {
            let more = blocks[start..].iter().take_while(|it| it.slab() <= *last).count();
            strip.blocks = start..start + more;
            strip.first = first;
            let values = |it: &OrderedBlock| it.block.values(pre);
            first += blocks[strip.blocks.clone()].iter().map(values).sum::<usize>();
            start += more;
        }
        self.values = first;
        // This takes place in the memory of the ordered blocks, which are larger.
        self.blocks = blocks.into_iter().map(|it| it.block).collect();
        self.blocks.shrink_to_fit();
    }

    /// Returns the blocks of a strip, each with the place of its first value.
    pub(crate) fn blocks<'b>(
        &'b self,
        strip: &Strip,
        pre: &'b PreMoves,
    ) -> impl Iterator<Item = (BoardBlock, usize)> + 'b {
        let mut next = strip.first;
        self.blocks[strip.blocks.clone()].iter().map(move |&block| {
            let at = next;
            next += block.values(pre);
            (block, at)
        })
    }

    /// Calls `action` with each board of a strip in the order of sweeping: its index among those of the sublayer, and the place
    /// of its value with light about to roll if both players' values of a board are stored side by side.
    pub(crate) fn for_each_board(
        &self,
        strip: &Strip,
        pre: &PreMoves,
        mut action: impl FnMut(u64, usize),
    ) {
        for (block, at) in self.blocks(strip, pre) {
            let lights = pre.ways_at_most(block.light);
            for &dark in &pre.orders[usize::from(block.dark)] {
                for &light in &pre.orders[usize::from(block.light)] {
                    let board = usize::from(dark) * lights + usize::from(light);
                    action(block.base() + board as u64, at + 2 * board);
                }
            }
        }
    }

    /// Returns every block with the place of its first value.
    pub(crate) fn all<'b>(
        &'b self,
        pre: &'b PreMoves,
    ) -> impl Iterator<Item = (BoardBlock, usize)> + 'b {
        self.strips.iter().flat_map(|strip| self.blocks(strip, pre))
    }

    /// Returns the places of the values of some strips, such as those of a level.
    pub(crate) fn places(&self, level: &Range<usize>) -> Range<usize> {
        let first = |strip: usize| self.strips.get(strip).map_or(self.values, |it| it.first);
        first(level.start)..first(level.end)
    }
}
