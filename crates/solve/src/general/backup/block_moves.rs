//! The moves of a block of several boards, and what each leads to on every board.

use crate::general::successors::{Candidate, Successor};

/// The moves of a block from and onto its configuration, and what they lead to on each board.
#[derive(Debug, Default)]
pub(super) struct BlockMoves {
    /// By player, then roll: the moves, each with what it leads to from its first value on.
    moves: Vec<Successor>,
    /// By player and roll: the end of its moves.
    ends: Vec<usize>,
    /// By move and board.
    seen: Vec<Seen>,
}

/// What a move leads to on a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Light's chance, or NaN if the move is not possible there.
    pub(super) value: f64,
    /// The number of the value among those that the move leads to.
    pub(super) number: usize,
}

impl BlockMoves {
    /// Removes the moves of the last block.
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.seen.clear();
    }

    /// Adds a move of the roll. Returns what it leads to on each of the block's boards, which is for the caller to fill in.
    #[inline]
    pub(super) fn add(&mut self, first: Successor, boards: usize) -> &mut [Seen] {
        self.moves.push(first);
        let start = self.seen.len();
        self.seen.resize(start + boards, Seen { value: f64::NAN, number: 0 });
        &mut self.seen[start..]
    }

    /// Ends the moves of a roll.
    pub(super) fn end_roll(&mut self) {
        self.ends.push(self.moves.len());
    }

    /// Returns what the moves of a roll lead to on one of the block's boards, given the number of the roll, light's first, and
    /// the place of the board: candidates, and light's chance after each.
    #[inline]
    pub(super) fn on_board(
        &self,
        roll: usize,
        boards: usize,
        place: usize,
    ) -> impl ExactSizeIterator<Item = (Option<Candidate>, f64)> {
        let start = roll.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start..self.ends[roll]).map(move |at| {
            let (first, Seen { value, number }) = (self.moves[at], self.seen[at * boards + place]);
            (Candidate::within(Successor { at: first.at + number, ..first }), value)
        })
    }
}
