//! Where the values of each board are stored, by the board's index.
#![expect(clippy::cast_possible_truncation, reason = "a sublayer fits memory")]

use puabi_core::Sublayer;

use super::layout::{BlockLayout, BoardBlock};
use super::pre::PreMoves;
use super::successors::word::Word;

/// Maps the index of a board to the place of its values; needed only while successors are found.
#[derive(Debug)]
pub(crate) struct Places<W> {
    /// By 64 boards: a bit for each that is the first of a block, and the number of such boards before them.
    firsts: Vec<(u64, u64)>,
    /// By block in index order: half the place of its first value less its first index, and whether the values are those of its
    /// mirror image. Each board has two values, so a block's place is even.
    found: Vec<W>,
}

impl<W: Word> Places<W> {
    /// Set if the values are those of the mirror image.
    const IMAGE: u64 = 1 << (W::BITS - 1);

    pub(crate) fn new(layout: &BlockLayout, pre: &PreMoves, sublayer: Sublayer) -> Self {
        let words = usize::try_from(sublayer.half / 64 + 1).expect("a sublayer fits memory");
        let mut places = Self { firsts: vec![(0, 0); words], found: Vec::new() };
        let image = |block: BoardBlock| if layout.is_halved { block.image() } else { block.base() };
        for (block, _) in layout.all(pre) {
            for base in [block.base(), image(block)] {
                places.firsts[base as usize / 64].0 |= 1 << (base % 64);
            }
        }
        let mut blocks = 0;
        for (bits, before) in &mut places.firsts {
            *before = blocks;
            blocks += u64::from(bits.count_ones());
        }
        places.found = vec![W::zeroed(); blocks as usize];
        for (block, at) in layout.all(pre) {
            for (base, is_image) in [(image(block), true), (block.base(), false)] {
                let number = places.block(base as usize);
                places.found[number] = Self::entry(at, base, is_image);
            }
        }
        places
    }

    /// Returns the place of a board's values, and whether they are those of its mirror image.
    ///
    /// A block begins at the place of its first board. If both players' values of a board lie side by side, this is also
    /// the place of any other board's.
    #[inline]
    pub(crate) fn find(&self, board: usize) -> (usize, bool) {
        self.in_block(self.block(board), board)
    }

    /// Returns the same, given the number of the board's block.
    #[inline]
    pub(crate) fn in_block(&self, block: usize, board: usize) -> (usize, bool) {
        Self::place(self.found[block], board)
    }

    /// Returns the entry of a block, given the place of its first value, its first index, and whether the values are those of its
    /// mirror image.
    fn entry(at: usize, base: u64, is_image: bool) -> W {
        let half = at as u64 / 2;
        assert!(half < Self::IMAGE, "words are chosen so that all places have room");
        let less = half.wrapping_sub(base) & (Self::IMAGE - 1);
        W::narrow(less | if is_image { Self::IMAGE } else { 0 })
    }

    #[inline]
    fn place(entry: W, board: usize) -> (usize, bool) {
        let entry = entry.widen();
        let half = entry.wrapping_add(board as u64) & (Self::IMAGE - 1);
        (2 * half as usize, entry & Self::IMAGE != 0)
    }

    /// Returns the number of the block with this board.
    #[inline]
    pub(crate) fn block(&self, board: usize) -> usize {
        let (bits, before) = self.firsts[board / 64];
        let up_to = bits & (u64::MAX >> (63 - board % 64));
        (before + u64::from(up_to.count_ones()) - 1) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::general::successors::word::WideWord;

    fn comes_back<W: Word>(at: u64, base: u64, further: u64, is_image: bool) {
        let at = at % (W::MOST_PLACES / 2) * 2;
        let base = base % (W::MOST_PLACES / 2);
        let entry = Places::<W>::entry(at as usize, base, is_image);
        let place = Places::<W>::place(entry, (base + further) as usize);
        assert_eq!(place, ((at + 2 * further) as usize, is_image));
    }

    proptest! {
        #[test]
        fn boards_follow_the_first_of_their_block_wherever_it_lies(
            at: u64, base: u64, further in 0_u64..10_000, is_image: bool
        ) {
            comes_back::<u32>(at, base, further, is_image);
            comes_back::<WideWord>(at, base, further, is_image);
        }
    }
}
