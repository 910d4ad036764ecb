//! Shape: how a block holds the pre masks of both sides.
//!
//! A block is a few *rows* of *lanes*. Lanes are the pre masks of one side, rows those of the other: usually light's
//! and dark's, but where light has so few pieces left to place that most lanes would stay empty, the block is *turned*
//! and dark has the lanes.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use arrayvec::ArrayVec;
use puabi_core::Indexer;

/// How many lanes a row has, by the pieces that its side may still place on pre squares.
pub(crate) const fn row_width(left: u8) -> usize {
    match left {
        0 => 1,
        1 => 8,
        _ => 16,
    }
}

/// The lane of a pre mask in such a row.
pub(crate) const fn lane(left: u8, mask: u32) -> usize {
    match (left, mask) {
        (1, 0) => 0,
        // One piece at most: lane n stands for square n.
        (1, mask) => mask.trailing_zeros() as usize + 1,
        _ => mask as usize,
    }
}

/// A pre mask and where it lies in a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) mask: u32,
    /// Its place among rows, and in the index: by number of pieces and then by value.
    pub(crate) rank: usize,
    pub(crate) lane: usize,
}

/// The pre masks by how many pieces are left to place.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    rank: [u8; 16],
    /// By pieces left: the masks, from the most advanced down.
    placed: [ArrayVec<Placed, 16>; 5],
}

impl Ranks {
    pub(crate) fn new(indexer: &Indexer) -> Self {
        let pre = usize::from(indexer.zones().pre());
        let mut rank = [0; 16];
        for mask in 0..1_u32 << pre {
            rank[mask as usize] = indexer.pre_rank(mask) as u8;
        }
        let place = |left: u8| {
            let fits = move |mask: &u32| mask.count_ones() <= u32::from(left);
            let placed = move |mask: u32| Placed {
                mask,
                rank: usize::from(rank[mask as usize]),
                lane: lane(left, mask),
            };
            (0..1_u32 << pre).rev().filter(fits).map(placed).collect()
        };
        Self { rank, placed: std::array::from_fn(|left| place(left as u8)) }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, mask: u32) -> usize {
        usize::from(self.rank[(mask & 15) as usize])
    }

    /// The masks with at most `left` pieces, from the most advanced down.
    #[inline(always)]
    pub(crate) fn masks(&self, left: u8) -> &[Placed] {
        &self.placed[usize::from(left.min(4))]
    }

    #[inline(always)]
    pub(crate) fn rows(&self, left: u8) -> usize {
        self.masks(left).len()
    }
}

/// The shape of one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether dark has the lanes.
    pub(crate) turned: bool,
    /// Pieces left to place of the side with the lanes, and of the side with the rows.
    pub(crate) lane_left: u8,
    pub(crate) row_left: u8,
    pub(crate) width: usize,
}

impl Shape {
    #[inline(always)]
    pub(crate) fn new(light_left: u8, dark_left: u8) -> Self {
        let (light_width, dark_width) = (row_width(light_left), row_width(dark_left));
        if light_width < dark_width {
            Self { turned: true, lane_left: dark_left, row_left: light_left, width: dark_width }
        } else {
            Self { turned: false, lane_left: light_left, row_left: dark_left, width: light_width }
        }
    }

    /// Light's and dark's pieces left to place.
    pub(crate) const fn left(self) -> (u8, u8) {
        if self.turned { (self.row_left, self.lane_left) } else { (self.lane_left, self.row_left) }
    }

    /// Whether rows and lanes lie as in `other`.
    pub(crate) fn has_layout_of(self, other: Self) -> bool {
        (self.turned, self.width) == (other.turned, other.width)
    }

    /// The number of values of the block.
    #[inline(always)]
    pub(crate) fn len(self, ranks: &Ranks) -> usize {
        ranks.rows(self.row_left) * self.width
    }

    /// The first place from `at` on where a block may begin: rows of a whole number of cache lines begin where one does.
    #[inline(always)]
    pub(crate) const fn begin(self, at: usize) -> usize {
        at.next_multiple_of(self.width)
    }

    /// Where the values of these masks lie in the block.
    #[inline(always)]
    pub(crate) fn place(self, ranks: &Ranks, light: u32, dark: u32) -> usize {
        let (lane_mask, row_mask) = if self.turned { (dark, light) } else { (light, dark) };
        ranks.rank(row_mask) * self.width + lane(self.lane_left, lane_mask)
    }

    /// Every pair of light's and dark's masks in the block.
    pub(crate) fn masks(self, ranks: &Ranks) -> impl Iterator<Item = (u32, u32)> {
        self.masks_of(ranks, self.lane_left, self.row_left)
    }

    /// The pairs with at most so many pieces of the sides with the lanes and with the rows.
    pub(crate) fn masks_of(
        self,
        ranks: &Ranks,
        lane_left: u8,
        row_left: u8,
    ) -> impl Iterator<Item = (u32, u32)> {
        let lanes = ranks.masks(lane_left);
        ranks.masks(row_left).iter().flat_map(move |row| {
            lanes.iter().map(move |lane| {
                if self.turned { (row.mask, lane.mask) } else { (lane.mask, row.mask) }
            })
        })
    }

    /// What the side with the lanes never chooses; kept in lanes of no position.
    pub(crate) const fn never(self) -> f64 {
        if self.turned { DARK_NEVER } else { LIGHT_NEVER }
    }
}

/// A chance of light's that light never chooses.
pub(crate) const LIGHT_NEVER: f64 = -1.0;
/// A chance of light's that dark never chooses.
pub(crate) const DARK_NEVER: f64 = 2.0;
