//! The zones of a path, and the pieces of a side that never return to the hand.

use crate::{Rules, Square, Squares};

/// The zones of a path: the pre squares at its beginning, the post squares at its end, and the shared squares between.
///
/// ```
/// use puabi_core::{Indexer, RuleSet, Squares};
/// let zones = Indexer::new(&RuleSet::FINKEL.compile()?)?.zones();
/// assert_eq!((zones.pre(), zones.post()), (4, 2));
/// assert_eq!(zones.shared_squares(), Squares::range(5, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zones {
    pre: u8,
    post: u8,
    /// The number of squares before the post squares.
    others: u8,
    pre_squares: Squares,
    shared_squares: Squares,
    post_squares: Squares,
}

impl Zones {
    /// The most pre squares.
    pub const MAX_PRE: u8 = 4;
    /// The most post squares.
    pub const MAX_POST: u8 = 3;

    pub(crate) fn new(rules: &Rules) -> Self {
        let length = rules.length();
        let private = |number: &u8| rules.is_private(Square::new_in_range(*number));
        let pre = (1..=length.min(Self::MAX_PRE)).take_while(private).max().unwrap_or(0);
        let from_end = |post: &u8| {
            let number = length + 1 - post;
            private(&number) && !rules.landing(Square::new_in_range(number)).stacks()
        };
        let most = (length - pre).min(Self::MAX_POST);
        let post = (1..=most).take_while(from_end).max().unwrap_or(0);
        Self::of(pre, post, length)
    }

    /// Returns the zones of a path of this length.
    const fn of(pre: u8, post: u8, length: u8) -> Self {
        let others = length - post;
        Self {
            pre,
            post,
            others,
            pre_squares: Squares::range(1, pre),
            shared_squares: Squares::range(pre + 1, others),
            post_squares: Squares::range(others + 1, length),
        }
    }

    /// Returns the number of pre squares, 0 to 4.
    pub const fn pre(self) -> u8 {
        self.pre
    }

    /// Returns the number of post squares, 0 to 3.
    pub const fn post(self) -> u8 {
        self.post
    }

    /// Returns the pre squares.
    pub(crate) const fn pre_squares(self) -> Squares {
        self.pre_squares
    }

    /// Returns the shared squares.
    pub const fn shared_squares(self) -> Squares {
        self.shared_squares
    }

    /// Returns the pre squares among `squares` as a mask, bit 0 for square 1.
    pub(crate) const fn pre_mask(self, squares: Squares) -> u32 {
        (squares.bits() & self.pre_squares.bits()) >> 1
    }

    /// Returns the post squares among `squares` as a mask, bit 0 for the first post square.
    pub const fn post_mask(self, squares: Squares) -> u32 {
        // In two steps: a path of 31 squares without post squares would shift by all 32 bits.
        (squares.bits() & self.post_squares.bits()) >> self.others >> 1
    }

    /// Returns the squares of a post mask.
    pub(crate) const fn post_from_mask(self, mask: u32) -> Squares {
        Squares::from_bits(mask << self.others << 1)
    }

    /// Returns the place of a pre mask among all pre masks, those with fewer pieces first.
    #[inline]
    pub(crate) const fn pre_rank(self, mask: u32) -> u64 {
        PRE_RANK[self.pre as usize][(mask & 15) as usize] as u64
    }
}

/// The pieces of one player that never return to the hand: those home, and those on post squares.
///
/// ```
/// use puabi_core::SideState;
/// let state = SideState { score: 2, post: 0b10 };
/// assert_eq!(state.movable(7), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SideState {
    /// Pieces home.
    pub score: u8,
    /// Pieces on post squares, bit 0 for the first of them.
    pub post: u32,
}

impl SideState {
    /// Returns every state of an unfinished game, ascending.
    pub(crate) fn all(zones: Zones, rules: &Rules) -> Vec<Self> {
        let pieces = u32::from(rules.pieces());
        (0..rules.goal())
            .flat_map(|score| (0..1_u32 << zones.post()).map(move |post| Self { score, post }))
            .filter(|state| u32::from(state.score) + state.post.count_ones() <= pieces)
            .collect()
    }

    /// Returns the number of the player's `pieces` that are neither home nor on a post square.
    pub const fn movable(self, pieces: u8) -> u8 {
        pieces - self.score - Squares::from_bits(self.post << 1).len()
    }
}

/// `PRE_RANK[pre squares][mask]`: the place of a mask, by number of pieces and then by value.
const PRE_RANK: [[u8; 16]; 5] =
    [pre_ranks(0), pre_ranks(1), pre_ranks(2), pre_ranks(3), pre_ranks(4)];

const fn pre_ranks(pre: u32) -> [u8; 16] {
    let mut ranks = [u8::MAX; 16];
    let (mut rank, mut pieces) = (0, 0);
    while pieces <= pre {
        let mut mask = 0_u32;
        while mask < 1 << pre {
            if mask.count_ones() == pieces {
                ranks[mask as usize] = rank;
                rank += 1;
            }
            mask += 1;
        }
        pieces += 1;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pre_masks_are_ranked_without_holes_those_with_fewer_pieces_first() {
        for pre in 0..=Zones::MAX_PRE {
            let zones = Zones::of(pre, 0, 31);
            for pieces in 0..=4 {
                let ranks = (0..1_u32 << pre).filter(|mask| mask.count_ones() <= pieces);
                let mut ranks: Vec<_> = ranks.map(|mask| zones.pre_rank(mask)).collect();
                ranks.sort_unstable();
                assert!(ranks.iter().copied().eq(0..ranks.len() as u64), "{pre} {pieces}");
            }
        }
    }

    #[test]
    fn masks_of_the_longest_path_shift_within_their_bits() {
        let zones = Zones::of(4, 0, 31);
        assert_eq!(zones.post_mask(Squares::range(1, 31)), 0);
        assert_eq!(zones.post_from_mask(0), Squares::EMPTY);
        let zones = Zones::of(4, 3, 31);
        assert_eq!(zones.post_mask(Squares::range(1, 31)), 0b111);
        assert_eq!(zones.post_from_mask(0b111), Squares::range(29, 31));
    }
}
