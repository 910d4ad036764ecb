//! How a block holds the pre masks of both sides.
//!
//! A block is a few *rows* of *slots*. The slots of a row are the pre masks of one side, the *slot side*; the rows are
//! those of the other, the *row side*. These are the senior and the junior, unless the senior has so few pieces left to
//! place that most slots would stay empty: then the block is *swapped*, and the junior has the slots.
#![expect(
    clippy::cast_possible_truncation,
    reason = "there are sixteen pre masks, at most 256 values of a block, and fewer than 2^33 of a sublayer"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use arrayvec::ArrayVec;
use puabi_core::Indexer;

use crate::mover::{Junior, Mover, Senior};

/// The most values of a block.
pub(crate) const BLOCK: usize = 256;

/// Blocks begin at multiples of this, so that 31 bits are enough to number the places of four times as many values.
pub(crate) const UNIT: usize = 4;

/// Returns the number of the block that begins at `place`.
#[inline(always)]
pub(crate) const fn number_of(place: usize) -> u32 {
    debug_assert!(place.is_multiple_of(UNIT));
    (place / UNIT) as u32
}

/// Returns where the block of this number begins.
#[inline(always)]
pub(crate) const fn place_of(number: u32) -> usize {
    number as usize * UNIT
}

/// Returns how many slots a row has, by the pieces that its side may still place on pre squares.
const fn row_width(left: u8) -> usize {
    match left {
        0 => 1,
        1 => 8,
        _ => 16,
    }
}

/// Returns the slot of a pre mask in a row whose side may still place `left` pieces.
pub(crate) const fn slot(left: u8, mask: u32) -> usize {
    match (left, mask) {
        (1, 0) => 0,
        // One piece at most: slot n stands for square n.
        (1, mask) => mask.trailing_zeros() as usize + 1,
        _ => mask as usize,
    }
}

/// A pre mask and where it lies in a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreMask {
    pub(crate) mask: u32,
    /// Its place among rows, and in the index: by number of pieces and then by value.
    pub(crate) rank: usize,
    pub(crate) slot: usize,
}

/// The pre masks by how many pieces are left to place.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    rank: [u8; 16],
    /// By pieces left: the masks, from the most advanced down.
    masks: [ArrayVec<PreMask, 16>; 5],
}

impl Ranks {
    pub(crate) fn new(indexer: &Indexer) -> Self {
        let rank = std::array::from_fn(|mask| indexer.pre_rank(mask as u32) as u8);
        let masks = |left: u8| {
            let fits = move |mask: &u32| mask.count_ones() <= u32::from(left);
            let place = |mask: u32| PreMask {
                mask,
                rank: usize::from(rank[mask as usize]),
                slot: slot(left, mask),
            };
            (0..16).rev().filter(fits).map(place).collect()
        };
        Self { rank, masks: std::array::from_fn(|left| masks(left as u8)) }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, mask: u32) -> usize {
        usize::from(self.rank[(mask & 15) as usize])
    }

    /// Returns the masks with at most `left` pieces, from the most advanced down.
    #[inline(always)]
    pub(crate) fn masks(&self, left: u8) -> &[PreMask] {
        &self.masks[usize::from(left.min(4))]
    }
}

/// The shape of one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockShape {
    /// Whether the junior has the slots.
    pub(crate) swapped: bool,
    /// Pieces left to place of the slot side, and of the row side.
    pub(crate) slot_left: u8,
    pub(crate) row_left: u8,
    /// The slots of a row.
    pub(crate) width: usize,
}

impl BlockShape {
    #[inline(always)]
    pub(crate) fn new(senior_left: u8, junior_left: u8) -> Self {
        let (senior, junior) = (row_width(senior_left), row_width(junior_left));
        let swapped = senior < junior;
        let (slot_left, row_left) =
            if swapped { (junior_left, senior_left) } else { (senior_left, junior_left) };
        Self { swapped, slot_left, row_left, width: senior.max(junior) }
    }

    /// Returns what belongs to the slot side and to the row side, given what belongs to the senior and to the junior; and the
    /// other way round.
    #[inline(always)]
    pub(crate) fn by_side<V>(self, senior: V, junior: V) -> [V; 2] {
        if self.swapped { [junior, senior] } else { [senior, junior] }
    }

    /// Returns whether rows and slots are laid out as in `other`.
    pub(crate) fn has_layout_of(self, other: Self) -> bool {
        (self.swapped, self.width) == (other.swapped, other.width)
    }

    /// Returns the number of values of the block.
    #[inline(always)]
    pub(crate) fn len(self, ranks: &Ranks) -> usize {
        ranks.masks(self.row_left).len() * self.width
    }

    /// Returns the first place from `at` on where a block may begin: rows that fill whole cache lines begin at a cache line.
    #[inline(always)]
    pub(crate) const fn begin(self, at: usize) -> usize {
        at.next_multiple_of(if self.width < UNIT { UNIT } else { self.width })
    }

    /// Returns where the value of these pre masks lies in the block.
    #[inline(always)]
    pub(crate) fn place(self, ranks: &Ranks, senior: u32, junior: u32) -> usize {
        let [slots, rows] = self.by_side(senior, junior);
        ranks.rank(rows) * self.width + slot(self.slot_left, slots)
    }

    /// Returns every pair of the senior's and the junior's pre masks in the block.
    pub(crate) fn masks(self, ranks: &Ranks) -> impl Iterator<Item = [u32; 2]> {
        self.masks_of(ranks, self.slot_left, self.row_left)
    }

    /// Returns the pairs with at most this many pieces of the slot side and of the row side.
    pub(crate) fn masks_of(
        self,
        ranks: &Ranks,
        slot_left: u8,
        row_left: u8,
    ) -> impl Iterator<Item = [u32; 2]> {
        let slots = ranks.masks(slot_left);
        ranks
            .masks(row_left)
            .iter()
            .flat_map(move |row| slots.iter().map(move |slot| self.by_side(slot.mask, row.mask)))
    }

    /// Returns a value that the slot side never chooses. It is kept in slots without a position.
    pub(crate) const fn sentinel(self) -> f64 {
        if self.swapped { Junior::SENTINEL } else { Senior::SENTINEL }
    }
}
