//! Which boards come before: the numbers of boards with a smaller digit on a shared tile.

use crate::PreIndex;
use crate::index::contents::SharedTile;
use crate::index::counts::Counts;

/// The numbers of boards with a smaller digit on a tile, by the pieces left to place from that tile on.
#[derive(Debug, Clone)]
pub(crate) struct BoardsBefore {
    width: usize,
    digits: Vec<Digits>,
    /// For each tile, by pieces left and digit: the number of boards with a smaller digit there.
    boards: Vec<u64>,
    /// By pieces left, then tile: the number of boards on which the tile is empty, which is all boards if the tile must be
    /// empty.
    empty: Vec<u64>,
    /// By pieces left: the number of ways to place the senior's pieces on pre squares.
    ways: Vec<u64>,
}

/// The digits of one tile.
#[derive(Debug, Clone)]
struct Digits {
    /// The index in `boards` at which the numbers of this tile begin.
    first: usize,
    /// By digit: the pieces of that content, to be subtracted from [`PiecesLeft`].
    taken: Vec<usize>,
}

/// The pieces left to place, as one number: the senior's times the width, plus the junior's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PiecesLeft(pub(super) usize);

impl BoardsBefore {
    pub(crate) fn new(
        tiles: &[SharedTile],
        counts: &Counts,
        pre_index: &PreIndex,
        pieces: u8,
    ) -> Self {
        let width = usize::from(pieces) + 1;
        let left =
            || (0..=pieces).flat_map(|senior| (0..=pieces).map(move |junior| (senior, junior)));
        let mut before = Self {
            width,
            digits: Vec::new(),
            boards: Vec::new(),
            empty: Vec::new(),
            ways: left().map(|(senior, _)| pre_index.ways_at_most(senior)).collect(),
        };
        // Never `None`: each count is part of a sum that fits into 64 bits.
        let boards = |t: usize, digit, left| counts.before(t, &tiles[t], digit, left).unwrap_or(0);
        for (t, tile) in tiles.iter().enumerate() {
            let taken = tile.contents().iter();
            let taken = taken.map(|it| usize::from(it.senior()) * width + usize::from(it.junior()));
            before.digits.push(Digits { first: before.boards.len(), taken: taken.collect() });
            let digits = 0..tile.contents().len();
            let of_left = left().flat_map(|left| digits.clone().map(move |it| boards(t, it, left)));
            before.boards.extend(of_left);
        }
        before.empty =
            left().flat_map(|left| (0..tiles.len()).map(move |t| boards(t, 1, left))).collect();
        before
    }

    pub(crate) fn left(&self, (senior, junior): (u8, u8)) -> PiecesLeft {
        PiecesLeft(usize::from(senior) * self.width + usize::from(junior))
    }

    /// Returns the number of ways to place the senior's remaining pieces on pre squares.
    pub(crate) fn ways(&self, left: PiecesLeft) -> u64 {
        self.ways[left.0]
    }

    /// Returns the number of boards before those with these digits on the occupied `tiles`, a bit for each tile, and subtracts
    /// the pieces on them from `left`.
    #[inline]
    pub(crate) fn rank(
        &self,
        mut tiles: u64,
        digit: impl Fn(usize) -> u16,
        left: &mut PiecesLeft,
    ) -> u64 {
        let mut rank = 0;
        while tiles != 0 {
            let tile = tiles.trailing_zeros() as usize;
            tiles &= tiles - 1;
            let (digits, digit) = (&self.digits[tile], usize::from(digit(tile)));
            rank += self.boards[digits.first + left.0 * digits.taken.len() + digit];
            left.0 -= digits.taken[digit];
        }
        rank
    }

    /// Finds the first tile from `tile` on that is not empty on the board with this rank, and the digit there. Subtracts the
    /// tile's pieces from `left`, and from `rank` the number of boards with a smaller digit there.
    #[inline]
    pub(crate) fn next(
        &self,
        tile: usize,
        rank: &mut u64,
        left: &mut PiecesLeft,
    ) -> Option<(usize, usize)> {
        let tiles = self.digits.len();
        let empty = &self.empty[left.0 * tiles..][tile..tiles];
        let tile = tile + empty.iter().position(|&empty| *rank >= empty)?;
        let Digits { first, taken } = &self.digits[tile];
        let boards = &self.boards[first + left.0 * taken.len()..][..taken.len()];
        let digit = boards.partition_point(|before| before <= rank) - 1;
        *rank -= boards[digit];
        left.0 -= taken[digit];
        Some((tile, digit))
    }
}
