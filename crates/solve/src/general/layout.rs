//! The blocks of a sublayer and the order in which they are swept.

use std::cmp::Ordering;
use std::ops::Range;

use puabi_core::{Indexer, Position, Side, Sublayer};
use rustc_hash::FxHashMap;

use super::pre::PreMoves;
use super::successors::word::{WideWord, Word};
use crate::parallel::{self, Sharing};

/// The values of one configuration: `light` is the senior side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardBlock {
    base: WideWord,
    image: WideWord,
    /// Light's pieces on pre squares and in hand.
    pub(crate) light: u8,
    /// Dark's.
    pub(crate) dark: u8,
}

impl BoardBlock {
    /// Returns the index of the block's first board among those of the sublayer, seen by light.
    #[inline]
    pub(crate) fn base(self) -> u64 {
        self.base.widen()
    }

    /// Returns that of its mirror image if the sublayer mirrors itself; unknown for given policies.
    #[inline]
    pub(crate) fn image(self) -> u64 {
        self.image.widen()
    }

    /// Returns whether the block is its own mirror image, in a sublayer that mirrors itself.
    #[inline]
    pub(crate) fn is_own_image(self) -> bool {
        self.image == self.base
    }
}

/// Some slabs of a level: a task of its own.
#[derive(Debug, Clone)]
pub(crate) struct Strip {
    blocks: Range<usize>,
    /// The place of its first value.
    first: usize,
}

impl Strip {
    /// Returns the number of its blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }
}

/// For which backups a sublayer is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Those of a solve and of bounds. If the sublayer mirrors itself, half of the blocks are images of others.
    Solve,
    /// Those of given policies, board by board: no block is an image of another.
    Policies,
}

impl Purpose {
    fn halves(self, sublayer: Sublayer) -> bool {
        self == Self::Solve && sublayer.is_mirror()
    }
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
pub(crate) struct BlockLayout {
    blocks: Vec<BoardBlock>,
    pub(crate) strips: Vec<Strip>,
    /// Ranges of strips.
    pub(crate) levels: Vec<Range<usize>>,
    /// The number of values in all blocks.
    pub(crate) values: usize,
    /// Whether half of the blocks are left out as images of others.
    pub(crate) is_halved: bool,
}

/// A block with what orders it: as large as a block, and two words more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OrderedBlock {
    /// The halves of a number: how far dark has still to go, whether light has not gone as far, the number of dark's side, how
    /// far light has to go.
    key: [u32; 2],
    block: BoardBlock,
}

/// Bytes of a block that is put in order.
pub(super) const ORDERED: usize = size_of::<OrderedBlock>();

impl OrderedBlock {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the key")]
    fn new(key: u64, block: BoardBlock) -> Self {
        Self { key: [(key >> 32) as u32, key as u32], block }
    }

    fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }
}

impl Ord for OrderedBlock {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.key(), self.block.base()).cmp(&(other.key(), other.block.base()))
    }
}

impl PartialOrd for OrderedBlock {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The blocks that begin in a range of the boards, in the order of the index, with dark's sides in order of their first blocks.
/// The key of each block has the number of its side among these.
#[derive(Debug, Default)]
struct Part {
    entries: Vec<OrderedBlock>,
    sides: Sides,
}

/// Numbers of dark's sides.
#[derive(Debug, Default)]
struct Sides {
    numbers: FxHashMap<Side, u64>,
    order: Vec<Side>,
}

impl Sides {
    /// Returns the number of a side, the next if it has none.
    fn number(&mut self, side: Side) -> u64 {
        let next = self.order.len() as u64;
        let number = *self.numbers.entry(side).or_insert(next);
        if number == next {
            self.order.push(side);
        }
        number
    }
}

/// Blocks that make a strip worth a task of its own. The sums that a solve extrapolates by are added up strip by strip, so
/// its values depend on this number.
pub(super) const BLOCKS: usize = 512;
/// Boards that do so for given policies.
const BOARDS: usize = 2048;
/// More than any side can travel.
const FAR: u64 = 1 << 10;
/// Where the parts of a key begin: how far light has to go, dark's side, and what levels differ in.
const SLAB: u32 = 16;
const LEVEL: u32 = 47;
/// The bits of the number of dark's side.
const SIDES: u64 = (1 << (LEVEL - SLAB)) - 1;

impl BlockLayout {
    pub(crate) fn new(
        indexer: &Indexer,
        pre: &PreMoves,
        sublayer: Sublayer,
        purpose: Purpose,
    ) -> Self {
        let entries = sorted(indexer, sublayer, purpose);
        let mut layout = Self {
            blocks: Vec::new(),
            strips: Vec::new(),
            levels: Vec::new(),
            values: 0,
            is_halved: purpose.halves(sublayer),
        };
        for level in entries.chunk_by(|entry, next| entry.key() >> LEVEL == next.key() >> LEVEL) {
            let first = layout.strips.len();
            layout.push_level(level, pre, purpose);
            layout.levels.push(first..layout.strips.len());
        }
        // In the memory of the entries, which are larger.
        layout.blocks = entries.into_iter().map(|entry| entry.block).collect();
        layout.blocks.shrink_to_fit();
        layout
    }

    /// Adds the strips of a level.
    fn push_level(&mut self, level: &[OrderedBlock], pre: &PreMoves, purpose: Purpose) {
        let mut start = self.strips.last().map_or(0, |last| last.blocks.end);
        let mut open = false;
        for slab in level.chunk_by(|entry, next| entry.key() >> SLAB == next.key() >> SLAB) {
            let end = start + slab.len();
            let has_room = |last: &&mut Strip| match purpose {
                Purpose::Solve => last.blocks.len() < BLOCKS,
                Purpose::Policies => self.values - last.first < 2 * BOARDS,
            };
            match self.strips.last_mut().filter(|_| open).filter(has_room) {
                Some(last) => last.blocks.end = end,
                None => self.strips.push(Strip { blocks: start..end, first: self.values }),
            }
            open = true;
            start = end;
            self.values += slab
                .iter()
                .map(|it| 2 * pre.boards([it.block.light, it.block.dark]))
                .sum::<usize>();
        }
    }

    /// The blocks of a strip, each with the place of its first value.
    pub(crate) fn blocks<'b>(
        &'b self,
        strip: &Strip,
        pre: &'b PreMoves,
    ) -> impl Iterator<Item = (BoardBlock, usize)> + 'b {
        let mut next = strip.first;
        self.blocks[strip.blocks.clone()].iter().map(move |&block| {
            let at = next;
            next += 2 * pre.boards([block.light, block.dark]);
            (block, at)
        })
    }

    /// Calls `action` with each board of a strip in the order of sweeping: its index among those of the sublayer, and the
    /// place of its value with light about to roll if both players' values of a board lie side by side.
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

    /// Every block with the place of its first value.
    pub(crate) fn all<'b>(
        &'b self,
        pre: &'b PreMoves,
    ) -> impl Iterator<Item = (BoardBlock, usize)> + 'b {
        self.strips.iter().flat_map(|strip| self.blocks(strip, pre))
    }

    /// The strip that has a place.
    pub(crate) fn strip(&self, place: usize) -> usize {
        self.strips.partition_point(|strip| strip.first <= place) - 1
    }

    /// The places of the values of some strips, such as those of a level.
    pub(crate) fn places(&self, level: &Range<usize>) -> Range<usize> {
        let first = |strip: usize| self.strips.get(strip).map_or(self.values, |it| it.first);
        first(level.start)..first(level.end)
    }
}

/// All blocks that are swept, in the order of sweeping.
fn sorted(indexer: &Indexer, sublayer: Sublayer, purpose: Purpose) -> Vec<OrderedBlock> {
    let parts = parallel::threads() * 4;
    let part = sublayer.half.div_ceil(parts as u64).max(1);
    let parts = parallel::map(Sharing::All, 0..parts, |at| {
        let at = at as u64;
        Part::new(indexer, sublayer, purpose, at * part..(at + 1) * part)
    });
    let mut entries = Vec::with_capacity(parts.iter().map(|part| part.entries.len()).sum());
    let mut sides = Sides::default();
    for Part { entries: part, sides: of_part } in parts {
        let numbers: Vec<_> = of_part.order.into_iter().map(|side| sides.number(side)).collect();
        entries.extend(part.into_iter().map(|entry| {
            let key = entry.key();
            let number = numbers[(key >> SLAB & SIDES) as usize];
            OrderedBlock::new(key & !(SIDES << SLAB) | number << SLAB, entry.block)
        }));
    }
    parallel::sort_unstable(&mut entries);
    entries
}

impl Part {
    /// Returns the blocks that begin in a range of the boards, but for images of others.
    fn new(indexer: &Indexer, sublayer: Sublayer, purpose: Purpose, range: Range<u64>) -> Self {
        let mut part = Self::default();
        let mut at = range.start;
        while at < range.end.min(sublayer.half) {
            let position = indexer.position(sublayer.base + at).expect("an index below the length");
            let (board, before) = indexer.without_pre(position);
            let [light, dark] = [board.mine(), board.theirs()].map(|side| indexer.hand(side));
            let values =
                indexer.pre_index().ways_at_most(light) * indexer.pre_index().ways_at_most(dark);
            let base = at - before;
            at = base + values;
            if base >= range.start {
                part.push(indexer, (sublayer, purpose), board, (base, [light, dark]));
            }
        }
        part
    }

    /// Adds a block, given its board without what stands on pre squares, the index of its first board, and either side's pieces on
    /// pre squares and in hand, unless it is the image of another.
    fn push(
        &mut self,
        indexer: &Indexer,
        (sublayer, purpose): (Sublayer, Purpose),
        board: Position,
        (base, [light, dark]): (u64, [u8; 2]),
    ) {
        let is_halved = purpose.halves(sublayer);
        let [far, dark_far] = [board.mine(), board.theirs()].map(travelled);
        if is_halved && far > dark_far {
            return;
        }
        let has_image = sublayer.is_mirror() && purpose != Purpose::Policies;
        let image = if has_image { indexer.place(board.flipped()).offset } else { base };
        if is_halved && far == dark_far && image < base {
            return;
        }
        let behind = u64::from(is_halved && far < dark_far);
        let side = self.sides.number(board.theirs());
        let key = (FAR - dark_far) << (LEVEL + 1) | behind << LEVEL | side << SLAB | (FAR - far);
        let number = WideWord::narrow;
        let (base, image) = (number(base), number(image));
        self.entries.push(OrderedBlock::new(key, BoardBlock { base, image, light, dark }));
    }
}

/// The squares that a side's pieces on the board have travelled.
fn travelled(side: Side) -> u64 {
    side.pieces().map(|square| u64::from(square.number())).sum()
}
