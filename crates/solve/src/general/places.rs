//! Where the values of each board lie, by the board's index.

use puabi_core::Sublayer;

use super::layout::{BlockLayout, BoardBlock};
use super::pre::PreMoves;

/// From the index of a board to the place of its values; needed only while successors are found.
#[derive(Debug)]
pub(crate) struct Places {
    /// By 64 boards: a bit for each that is the first of a block, and the number of such boards before them.
    firsts: Vec<(u64, u32)>,
    /// By block in index order: half the place of its first value less its first index, and whether the values are those of its
    /// mirror image. Each board has two values, so a block's place is even.
    found: Vec<u32>,
}

/// The values that there may be in a sublayer.
pub(super) const MOST_PLACES: u64 = 2 * IMAGE as u64;

/// Set where the values are those of the mirror image.
const IMAGE: u32 = 1 << 31;

impl Places {
    pub(crate) fn new(layout: &BlockLayout, pre: &PreMoves, sublayer: Sublayer) -> Self {
        let words = usize::try_from(sublayer.half / 64 + 1).expect("a sublayer fits memory");
        let mut places = Self { firsts: vec![(0, 0); words], found: Vec::new() };
        let image = |block: BoardBlock| if layout.is_halved { block.image } else { block.base };
        for (block, _) in layout.all(pre) {
            for base in [block.base, image(block)] {
                places.firsts[base as usize / 64].0 |= 1 << (base % 64);
            }
        }
        let mut blocks = 0;
        for (bits, before) in &mut places.firsts {
            *before = blocks;
            blocks += bits.count_ones();
        }
        places.found = vec![0; blocks as usize];
        for (block, at) in layout.all(pre) {
            let half = u32::try_from(at / 2).ok().filter(|half| half & IMAGE == 0);
            let half =
                half.expect("a solve begins only if the places of all sublayers are small enough");
            for (base, is_image) in [(image(block), IMAGE), (block.base, 0)] {
                let number = places.block(base as usize);
                places.found[number] = half.wrapping_sub(base) & !IMAGE | is_image;
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
        let found = self.found[block];
        let board = u32::try_from(board).expect("a sublayer has fewer than 2^32 boards");
        (2 * (found.wrapping_add(board) & !IMAGE) as usize, found & IMAGE != 0)
    }

    /// Returns the number of the block with this board.
    #[inline]
    pub(crate) fn block(&self, board: usize) -> usize {
        let (bits, before) = self.firsts[board / 64];
        let up_to = bits & (u64::MAX >> (63 - board % 64));
        (before + up_to.count_ones() - 1) as usize
    }
}
