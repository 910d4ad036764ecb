//! Places: where the values of each block lie, by the block's index.

use puabi_core::Sublayer;

use super::lane::Lane;
use super::layout::Layout;

/// From the index of a block's first board to the place of its values; needed only while links are found.
#[derive(Debug)]
pub(super) struct Places {
    /// A bit for each board that is the first of a block.
    firsts: Vec<u64>,
    /// By word of those: the bits before it.
    before: Vec<u32>,
    /// By block in index order: the place of its first value, and whether that is its mirror image's.
    found: Vec<u32>,
}

/// Set where the values are those of the mirror image.
const IMAGE: u32 = 1 << 31;

impl Places {
    pub(super) fn new(layout: &Layout, lane: &Lane, sublayer: Sublayer) -> Self {
        let words = usize::try_from(sublayer.half / 64 + 1).expect("a sublayer fits memory");
        let mut places =
            Self { firsts: vec![0; words], before: Vec::with_capacity(words), found: Vec::new() };
        for (block, _) in layout.all(lane) {
            for base in [block.base, block.image] {
                places.firsts[base as usize / 64] |= 1 << (base % 64);
            }
        }
        let mut blocks = 0;
        for word in &places.firsts {
            places.before.push(blocks);
            blocks += word.count_ones();
        }
        places.found = vec![0; blocks as usize];
        for (block, at) in layout.all(lane) {
            let at = u32::try_from(at).ok().filter(|at| at & IMAGE == 0);
            let at = at.expect("a sublayer has fewer than 2^31 positions");
            for (base, is_image) in [(block.image, IMAGE), (block.base, 0)] {
                let block = places.block(base as usize);
                places.found[block] = at | is_image;
            }
        }
        places
    }

    /// Returns the place of the first value of the block that begins at `base`, and whether that is its mirror image's.
    pub(super) fn find(&self, base: usize) -> (usize, bool) {
        let place = self.found[self.block(base)];
        ((place & !IMAGE) as usize, place & IMAGE != 0)
    }

    fn block(&self, base: usize) -> usize {
        let (word, bit) = (base / 64, base % 64);
        debug_assert!(self.firsts[word] >> bit & 1 != 0, "no block begins at {base}");
        (self.before[word] + (self.firsts[word] & ((1 << bit) - 1)).count_ones()) as usize
    }
}
