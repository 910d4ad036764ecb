//! The rank of a shared configuration by the masks of both sides alone, on boards on which these suffice.

use crate::index::boards_before::PiecesLeft;
use crate::index::contents::SharedTile;
use crate::index::counts::Counts;
use crate::{Squares, Zones};

/// The counts of a board whose shared tiles are crossed by both players in the same order, once each, and hold one
/// piece.
///
/// A tile then is a bit of both players' masks, and holds nothing, the senior's piece or the junior's, in that order.
#[derive(Debug, Clone)]
pub(crate) struct MaskRanks {
    first: u32,
    width: usize,
    /// By tile, the senior's pieces left and the junior's: the number of boards with nothing there, and with nothing or the
    /// senior's piece.
    before: Vec<[u64; 2]>,
}

impl MaskRanks {
    /// Returns the counts of these tiles, or `None` if the board is of another kind; `digits` are the senior's and the junior's.
    pub(crate) fn new(
        tiles: &[SharedTile],
        counts: &Counts,
        zones: Zones,
        digits: [&[(u8, u16); 32]; 2],
        pieces: u8,
    ) -> Option<Self> {
        let squares = || zones.shared_squares().iter();
        let is_straight = |digit: u16| {
            let digits = digits[usize::from(digit) - 1];
            squares().zip(0..).all(|(square, tile)| digits[square.index()] == (tile, digit))
        };
        let holds_one = tiles.iter().all(|tile| tile.contents().len() == 3);
        if tiles.len() != squares().count() || !holds_one || !is_straight(1) || !is_straight(2) {
            return None;
        }
        let left =
            || (0..=pieces).flat_map(|senior| (0..=pieces).map(move |junior| (senior, junior)));
        // Never `None`: each count is part of a sum that fits into 64 bits.
        let counts =
            |t, left| [1, 2].map(|digit| counts.before(t, &tiles[t], digit, left).unwrap_or(0));
        let before = (0..tiles.len()).flat_map(|t| left().map(move |left| counts(t, left)));
        Some(Self {
            first: u32::from(zones.pre()) + 1,
            width: usize::from(pieces) + 1,
            before: before.collect(),
        })
    }

    /// Returns the number of boards before those with these shared squares, and subtracts their pieces from `left`.
    #[inline]
    pub(crate) fn rank(&self, [senior, junior]: [Squares; 2], left: &mut PiecesLeft) -> u64 {
        let [seniors, juniors] = [senior, junior].map(|squares| squares.bits() >> self.first);
        let (mut tiles, mut rank) = (seniors | juniors, 0);
        while tiles != 0 {
            let tile = tiles.trailing_zeros();
            tiles &= tiles - 1;
            // No branch: the processor could not predict which side stands there.
            let is_junior = (juniors >> tile & 1) as usize;
            rank += self.before[tile as usize * self.width * self.width + left.0][is_junior];
            left.0 -= [self.width, 1][is_junior];
        }
        rank
    }
}
