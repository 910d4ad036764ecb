//! Finds what the backups of each block read. It is the same in every sweep of a sublayer.
#![expect(
    clippy::cast_possible_truncation,
    reason = "a sublayer has fewer than 2^31 blocks, and a throw moves at most fifteen pieces"
)]

use crate::dense::layout::block::{BlockShape, number_of};
use crate::dense::layout::masks::{MaskTables, NONE, Step, THROWS};
use crate::dense::layout::sublayer::DenseLayout;
use crate::dense::successors::external::ExternalSuccessors;
use crate::dense::successors::packed::{BlockWords, COPIED, Count, EntryLayout, SENTINEL};
use crate::dense::successors::relayout::{Captured, Entering, Relayouts};
use crate::mover::{Junior, Mover, Senior};

/// The numbers of blocks, by the junior's and the senior's mask. The number of a swept block is its column. After these come the
/// numbers of the mirror images of swept blocks, in the same order.
#[derive(Debug)]
pub(crate) struct BlockNumbers {
    /// By the junior's mask: its row in `seniors`.
    rows: Vec<u32>,
    /// By row, and then by 32 masks of the senior: a bit for each mask that has a column, and the column of the first of these
    /// masks.
    seniors: Vec<(u32, u32)>,
    /// The number of parts of a row, of 32 masks each.
    parts: usize,
    columns: u32,
}

impl BlockNumbers {
    pub(crate) fn new(tables: &MaskTables, layout: &DenseLayout) -> Self {
        let masks = tables.masks.len();
        let parts = masks.div_ceil(MASKS_OF_PART);
        let mut rows = vec![NONE; masks];
        let mut seniors = vec![(0_u32, 0); layout.slabs.len() * parts];
        for ((row, slab), seniors) in (0..).zip(&layout.slabs).zip(seniors.chunks_exact_mut(parts))
        {
            rows[slab.junior as usize] = row;
            let (first, end) = slab.columns;
            for &senior in &layout.columns[first..end] {
                seniors[senior as usize / MASKS_OF_PART].0 |= 1 << (senior % u32::BITS);
            }
            let mut next = first as u32;
            for (bits, first) in seniors {
                *first = next;
                next += bits.count_ones();
            }
        }
        Self { rows, seniors, parts, columns: layout.columns.len() as u32 }
    }

    fn number(&self, senior: u32, junior: u32) -> u32 {
        let image = || self.column(junior, senior).map(|column| self.columns + column);
        let number = self.column(senior, junior).or_else(image);
        number.expect("a move leads to a block of the sublayer or to the image of one")
    }

    fn column(&self, senior: u32, junior: u32) -> Option<u32> {
        let row = self.rows[junior as usize] as usize * self.parts;
        let (bits, first) = self.seniors[row + senior as usize / MASKS_OF_PART];
        let bit = 1 << (senior % u32::BITS);
        (bits & bit != 0).then(|| first + (bits & (bit - 1)).count_ones())
    }
}

/// The number of the senior's masks for which one word has bits.
const MASKS_OF_PART: usize = u32::BITS as usize;

/// A configuration: a shared mask of each side.
#[derive(Debug, Clone, Copy)]
struct Configuration {
    senior: u32,
    junior: u32,
}

impl Configuration {
    /// Returns the masks of `M` and of its opponent.
    fn masks<M: Mover>(self) -> (u32, u32) {
        M::pair(self.senior, self.junior)
    }
}

/// A configuration after a move, and what the move did.
#[derive(Debug, Clone, Copy)]
struct Landed {
    after: Configuration,
    captured: Captured,
    again: bool,
}

/// The words of one block while they are found.
#[derive(Debug, Default)]
struct Found {
    /// The numbers of the blocks that it reads.
    sources: Vec<u32>,
    reads: Vec<u32>,
    /// For one throw: the place of each block that is copied into another layout, and its relayout.
    copied: Vec<u32>,
}

/// Finds the successors of blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SuccessorFinder<'a> {
    pub(crate) tables: &'a MaskTables,
    pub(crate) layout: &'a DenseLayout,
    pub(crate) externals: &'a ExternalSuccessors,
    pub(crate) numbers: &'a BlockNumbers,
    /// Whether to note the numbers of the blocks that are read.
    pub(crate) notes_sources: bool,
}

impl SuccessorFinder<'_> {
    /// Adds the words of the slab at `at` to `words`.
    pub(crate) fn push_slab(&self, at: usize, words: &mut Vec<u32>) {
        let mut found = Found::default();
        let first = self.layout.slabs[at].columns.0;
        for (column, (senior, junior)) in (first..).zip(self.layout.slab_blocks(at)) {
            let own = Configuration { senior, junior };
            found.sources.clear();
            found.reads.clear();
            if self.shape(own).swapped {
                self.find::<Junior>(own, &mut found);
            } else {
                self.find::<Senior>(own, &mut found);
            }
            let words_of_block = BlockWords {
                at: self.layout.block(column),
                externals: self.externals.count(senior, junior),
                sources: &found.sources,
                reads: &found.reads,
            };
            words_of_block.push_to(words);
        }
    }

    fn shape(&self, Configuration { senior, junior }: Configuration) -> BlockShape {
        self.layout.shape(self.tables, senior, junior)
    }

    /// Finds what a block whose slot side is `M` reads.
    fn find<M: Mover>(&self, own: Configuration, found: &mut Found) {
        // If a side passes, a backup reads the block's own values from before.
        self.note(own, found);
        self.moves::<M>(own, found);
        self.moves::<M::Opponent>(own, found);
        self.slot_entries::<M>(own, found);
        self.row_entries::<M::Opponent>(own, found);
    }

    /// Notes that the block of a configuration is read.
    fn note(&self, Configuration { senior, junior }: Configuration, found: &mut Found) {
        if self.notes_sources {
            found.sources.push(self.numbers.number(senior, junior));
        }
    }

    /// Adds the moves of a side's shared pieces and its external moves, by throw.
    fn moves<M: Mover>(&self, own: Configuration, found: &mut Found) {
        let (mover, _) = own.masks::<M>();
        let external = self.externals.side::<M>().throws[mover as usize];
        for throw in 0..THROWS {
            let head = found.reads.len();
            found.reads.push(0);
            for &step in self.tables.masks.steps(mover, throw) {
                if let Some(landed) = self.land::<M>(own, step) {
                    self.shared_move::<M>(landed, own, found);
                }
            }
            let (plain, copied) = (found.reads.len() - head - 1, found.copied.len() / 2);
            let count = Count::new(plain as u32, copied as u32, external >> throw & 1 != 0);
            found.reads[head] = count.word();
            found.reads.append(&mut found.copied);
        }
    }

    /// Adds the block that a move leads to, with its relayout if it is to be copied into another layout.
    fn shared_move<M: Mover>(&self, landed: Landed, own: Configuration, found: &mut Found) {
        self.note(landed.after, found);
        let (place, shape) = (self.place::<M>(landed), self.shape(own));
        // Without a capture both sides have as many pieces left to place as before.
        if landed.captured == Captured::Neither || self.shape(landed.after).has_layout_of(shape) {
            found.reads.push(place);
        } else {
            let relayout = Relayouts::number(shape, Entering::Neither, landed.captured);
            found.copied.extend([place, relayout]);
        }
    }

    /// Returns what follows a step of `M`, or `None` if the other side's piece on the square cannot be captured.
    fn land<M: Mover>(&self, own: Configuration, step: Step) -> Option<Landed> {
        let masks = &self.tables.masks;
        let (_, other) = own.masks::<M>();
        let bits = masks.bits[other as usize];
        let met = step.landing.meets & bits;
        let after = |other: u32| {
            let (senior, junior) = M::pair(step.mask, other);
            Configuration { senior, junior }
        };
        if met == 0 {
            let (after, again) = (after(other), step.landing.again);
            return Some(Landed { after, captured: Captured::Neither, again });
        }
        if step.landing.blocks & bits != 0 {
            return None;
        }
        let after = after(masks.removed(other, met.trailing_zeros() as usize));
        let captured = if M::IS_SENIOR { Captured::Junior } else { Captured::Senior };
        Some(Landed { after, captured, again: step.landing.again_capturing })
    }

    /// Returns the number of the place where the values begin that a move of `M` leads to, for the side that rolls next.
    fn place<M: Mover>(&self, Landed { after, again, .. }: Landed) -> u32 {
        let junior_rolls = M::IS_SENIOR != again;
        let number = self.numbers.number(after.senior, after.junior) as usize;
        let at = match number.checked_sub(self.layout.columns.len()) {
            None => self.layout.placed(number),
            Some(column) => self.layout.image(column),
        };
        // Until all that is read has a place, the caller does not use the result.
        let at = at.unwrap_or(0);
        number_of(at + if junior_rolls { self.layout.len } else { 0 })
    }

    /// Returns the configuration in which one of `M`'s `left` pieces has entered on `bit`, if it may.
    fn enter<M: Mover>(&self, own: Configuration, left: u8, bit: usize) -> Option<Landed> {
        let (mover, _) = own.masks::<M>();
        let step = self.tables.masks.entered(mover, bit).filter(|_| left > 0)?;
        self.land::<M>(own, step)
    }

    /// Adds the blocks that the slot side's entries lead to.
    fn slot_entries<M: Mover>(&self, own: Configuration, found: &mut Found) {
        let shape = self.shape(own);
        for bit in 0..THROWS {
            let Some(landed) = self.enter::<M>(own, shape.slot_left, bit) else {
                found.reads.extend([SENTINEL, EntryLayout::COPIED.word()]);
                continue;
            };
            self.note(landed.after, found);
            let place = self.place::<M>(landed);
            let entered = self.shape(landed.after);
            let is_swapped = entered.swapped != shape.swapped;
            // Sixteen slots are read at once, so they must be stored side by side.
            if is_swapped && shape.slot_left >= 3 {
                let relayout = Relayouts::number(shape, Entering::Slots, landed.captured);
                found.reads.extend([place | COPIED, relayout]);
            } else {
                found.reads.extend([place, EntryLayout::new(entered, is_swapped).word()]);
            }
        }
    }

    /// Adds the blocks that the row side's entries lead to.
    fn row_entries<M: Mover>(&self, own: Configuration, found: &mut Found) {
        let shape = self.shape(own);
        for bit in 0..THROWS {
            let Some(landed) = self.enter::<M>(own, shape.row_left, bit) else {
                found.reads.push(SENTINEL);
                continue;
            };
            self.note(landed.after, found);
            let place = self.place::<M>(landed);
            if self.shape(landed.after).has_layout_of(shape) {
                found.reads.push(place);
            } else {
                let relayout = Relayouts::number(shape, Entering::Rows, landed.captured);
                found.reads.extend([place | COPIED, relayout]);
            }
        }
    }
}
