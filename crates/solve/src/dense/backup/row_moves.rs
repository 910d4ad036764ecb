//! Moves of the row side's pieces on pre squares and in hand.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use arrayvec::ArrayVec;

use crate::dense::layout::block::Ranks;
use crate::dense::layout::masks::{MaskTables, PRE, THROWS, ones};

/// A move to another row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowMove {
    /// The number of the block that it leads to: [`SLOTS_ROLL`], [`ROWS_ROLL`], or an entry.
    pub(crate) input: u8,
    /// The rank of the row there.
    pub(crate) rank: u8,
}

/// The block itself with the slot side about to roll.
pub(crate) const SLOTS_ROLL: usize = 0;
/// The block itself with the row side about to roll.
pub(crate) const ROWS_ROLL: usize = 1;
/// The first block with a piece of the row side entered; the others follow by shared square.
pub(crate) const ENTRIES: usize = 2;

/// The moves by pre mask and throw.
#[derive(Debug)]
pub(crate) struct RowMoves(Vec<ArrayVec<RowMove, 6>>);

impl RowMoves {
    pub(crate) fn new(tables: &MaskTables, ranks: &Ranks) -> Self {
        let mut moves = Vec::new();
        for hand in [false, true] {
            for mask in 0..1 << PRE {
                for throw in 0..THROWS {
                    let own = ones(mask).map(|bit| (bit + 1, mask & !(1 << bit)));
                    let pieces = own.chain(hand.then_some((0, mask)));
                    let row_move = |(from, rest)| row_move(tables, ranks, from, throw, rest);
                    moves.push(pieces.filter_map(row_move).collect());
                }
            }
        }
        Self(moves)
    }

    /// Returns the moves from a pre mask, given whether there are pieces in hand.
    #[inline(always)]
    pub(crate) fn moves(&self, hand: bool, mask: u32, throw: usize) -> &[RowMove] {
        &self.0[(usize::from(hand) * 16 + mask as usize) * THROWS + throw]
    }
}

/// Returns the move of the piece on `from`, or in hand for 0, with the others of its side on the pre mask `rest`.
#[expect(clippy::cast_possible_truncation, reason = "a block has at most sixteen rows")]
fn row_move(
    tables: &MaskTables,
    ranks: &Ranks,
    from: usize,
    throw: usize,
    rest: u32,
) -> Option<RowMove> {
    let hop = tables.hop(from, throw)?;
    let to = hop.to?;
    if to > PRE {
        let input = (ENTRIES + to - PRE - 1) as u8;
        return Some(RowMove { input, rank: ranks.rank(rest) as u8 });
    }
    let bit = 1 << (to - 1);
    let input = if hop.again { ROWS_ROLL } else { SLOTS_ROLL } as u8;
    (rest & bit == 0).then(|| RowMove { input, rank: ranks.rank(rest | bit) as u8 })
}
