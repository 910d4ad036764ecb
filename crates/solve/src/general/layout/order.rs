//! Which blocks of a sublayer are swept, and in which order.

use std::cmp::Ordering;
use std::ops::Range;

use puabi_core::{Indexer, Position, Side, Sublayer};
use rustc_hash::FxHashMap;

use super::block::{BoardBlock, Purpose};
use crate::general::successors::word::{WideWord, Word};
use crate::parallel::{self, Sharing};

/// The blocks of a sublayer that are swept.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweptBlocks<'a> {
    pub(super) indexer: &'a Indexer,
    pub(super) sublayer: Sublayer,
    pub(super) purpose: Purpose,
}

/// A block with its key in the order of sweeping: two words larger than a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OrderedBlock {
    /// The halves of a number, which has from its highest bits down: how far dark still has to go, whether light has gone less
    /// far, the number of dark's side, and how far light still has to go.
    key: [u32; 2],
    pub(super) block: BoardBlock,
}

/// Bytes of a block that is put in order.
pub(crate) const ORDERED: usize = size_of::<OrderedBlock>();

/// More than any side can travel.
const FAR: u64 = 1 << 10;
/// The bits where parts of a key begin: dark's side, and what levels differ in. Below them is how far light has to go.
const SLAB: u32 = 16;
const LEVEL: u32 = 47;
/// The bits of the number of dark's side.
const SIDES: u64 = (1 << (LEVEL - SLAB)) - 1;

/// The slab of a sublayer that a block belongs to. Slabs are swept in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slab(u64);

impl Slab {
    /// Returns whether another slab is in the same level.
    pub(super) fn is_beside(self, other: Self) -> bool {
        self.0 >> (LEVEL - SLAB) == other.0 >> (LEVEL - SLAB)
    }
}

impl OrderedBlock {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of the key")]
    fn new(key: u64, block: BoardBlock) -> Self {
        Self { key: [(key >> 32) as u32, key as u32], block }
    }

    fn key(self) -> u64 {
        u64::from(self.key[0]) << 32 | u64::from(self.key[1])
    }

    pub(super) fn slab(self) -> Slab {
        Slab(self.key() >> SLAB)
    }

    /// Returns the number of dark's side.
    fn side(self) -> usize {
        usize::try_from(self.key() >> SLAB & SIDES).expect("there are fewer sides than blocks")
    }

    /// Returns the block with another number of dark's side.
    pub(super) fn with_side(self, number: u64) -> Self {
        Self::new(self.key() & !(SIDES << SLAB) | number << SLAB, self.block)
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

/// Numbers of dark's sides, in order of their first blocks.
#[derive(Debug, Default)]
pub(super) struct Sides {
    numbers: FxHashMap<Side, u64>,
    order: Vec<Side>,
}

impl Sides {
    /// Returns the number of a side. A side without one gets the next number.
    pub(super) fn number(&mut self, side: Side) -> u64 {
        let next = self.order.len() as u64;
        let number = *self.numbers.entry(side).or_insert(next);
        if number == next {
            self.order.push(side);
        }
        number
    }

    /// Returns the number of a side that has one.
    pub(super) fn number_of(&self, side: Side) -> u64 {
        self.numbers[&side]
    }
}

/// The blocks that begin in a range of the boards, in the order of the index, with the numbers that dark's sides have among these.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) entries: Vec<OrderedBlock>,
    pub(super) sides: Sides,
}

impl Part {
    /// Returns the blocks, with the numbers that dark's sides have in `sides`.
    pub(super) fn numbered_as(self, sides: &Sides) -> Vec<OrderedBlock> {
        let Self { mut entries, sides: own } = self;
        let numbers: Vec<_> = own.order.into_iter().map(|side| sides.number_of(side)).collect();
        for entry in &mut entries {
            *entry = entry.with_side(numbers[entry.side()]);
        }
        entries
    }
}

impl SweptBlocks<'_> {
    /// Returns the blocks that begin in a range of the boards, found on all threads.
    pub(super) fn within(self, range: Range<u64>) -> Part {
        let parts = parallel::threads() * 4;
        let len = (range.end - range.start).div_ceil(parts as u64).max(1);
        let start = |at: u64| (range.start + at * len).min(range.end);
        let parts = parallel::map(Sharing::All, 0..parts, |at| {
            let at = at as u64;
            self.part(start(at)..start(at + 1))
        });
        let entries = Vec::with_capacity(parts.iter().map(|part| part.entries.len()).sum());
        let mut all = Part { entries, ..Part::default() };
        for Part { entries, sides } in parts {
            let numbers: Vec<_> =
                sides.order.into_iter().map(|side| all.sides.number(side)).collect();
            let numbered = |entry: OrderedBlock| entry.with_side(numbers[entry.side()]);
            all.entries.extend(entries.into_iter().map(numbered));
        }
        all
    }

    fn part(self, range: Range<u64>) -> Part {
        let Self { indexer, sublayer, .. } = self;
        let (mut part, mut at) = (Part::default(), range.start);
        while at < range.end {
            let position = indexer.position(sublayer.base + at).expect("an index below the length");
            let (board, before) = indexer.without_pre(position);
            let [light, dark] = self.left(board);
            let values =
                indexer.pre_index().ways_at_most(light) * indexer.pre_index().ways_at_most(dark);
            let base = at - before;
            at = base + values;
            let found = if base >= range.start { self.swept(board, base) } else { None };
            if let Some((side, entry)) = found {
                let number = part.sides.number(side);
                part.entries.push(entry.with_side(number));
            }
        }
        part
    }

    /// Returns the swept block whose first board has this index, or whose image begins with this board; and dark's side.
    pub(super) fn at(self, base: u64) -> (Side, OrderedBlock) {
        let Self { indexer, sublayer, .. } = self;
        let board = indexer.position(sublayer.base + base).expect("an index below the length");
        let image = || {
            let image = board.flipped();
            self.swept(image, indexer.rank_parts(image).offset)
        };
        self.swept(board, base).or_else(image).expect("a block or its image is swept")
    }

    /// Returns the pieces on pre squares and in hand of either side.
    fn left(self, board: Position) -> [u8; 2] {
        [board.mine(), board.theirs()].map(|side| self.indexer.hand(side))
    }

    /// Returns dark's side and a block in which this side has no number yet; `None` if the block is the image of another. The
    /// block is given by its board without pieces on pre squares, and by the index of its first board.
    fn swept(self, board: Position, base: u64) -> Option<(Side, OrderedBlock)> {
        let Self { indexer, sublayer, purpose } = self;
        let is_halved = purpose.halves(sublayer);
        let [far, dark_far] = [board.mine(), board.theirs()].map(travelled);
        if is_halved && far > dark_far {
            return None;
        }
        let has_image = sublayer.is_mirror() && purpose != Purpose::Policies;
        let image = if has_image { indexer.rank_parts(board.flipped()).offset } else { base };
        if is_halved && far == dark_far && image < base {
            return None;
        }
        let behind = u64::from(is_halved && far < dark_far);
        let key = (FAR - dark_far) << (LEVEL + 1) | behind << LEVEL | (FAR - far);
        let [light, dark] = self.left(board);
        let [base, image] = [base, image].map(WideWord::narrow);
        Some((board.theirs(), OrderedBlock::new(key, BoardBlock { base, image, light, dark })))
    }
}

/// Returns how many squares a side's pieces on the board have travelled.
fn travelled(side: Side) -> u64 {
    side.pieces().map(|square| u64::from(square.number())).sum()
}
