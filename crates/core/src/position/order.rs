//! The order of pieces on tiles where pieces of different players or squares lie on each other.

/// A piece in a stack whose order counts, seen by the player about to roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct StackedPiece {
    /// Whether the piece is the opponent's.
    pub(crate) is_theirs: bool,
    /// Whether the piece stands on the second square of its owner's path that lies on the tile.
    pub(crate) is_second: bool,
}

impl StackedPiece {
    const fn code(self) -> u64 {
        PRESENT | if self.is_theirs { THEIRS } else { 0 } | if self.is_second { SECOND } else { 0 }
    }

    const fn decoded(code: u64) -> Self {
        Self { is_theirs: code & THEIRS != 0, is_second: code & SECOND != 0 }
    }
}

const PRESENT: u64 = 4;
const THEIRS: u64 = 2;
const SECOND: u64 = 1;
/// The number of bits of a piece.
const PIECE: u32 = 3;
/// The number of bits of a tile's stack.
const STACK: u32 = PIECE * Order::MAX_HEIGHT as u32;
const MASK: u64 = (1 << STACK) - 1;
/// The bit `PRESENT` of every piece: whether it is there.
const ALL_PRESENT: u64 =
    0o4_4444_4444_4444_4444_4444 & ((1 << (STACK * Order::MAX_TILES as u32)) - 1);

/// The stacks of a position in which the order of pieces counts, by the index of the tile among the tiles with such stacks.
///
/// Empty under rules without such tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub(crate) struct Order(u64);

impl Order {
    /// The most pieces of a stack.
    pub(crate) const MAX_HEIGHT: u8 = 4;
    /// The most tiles of a board on which the order of pieces counts.
    pub(crate) const MAX_TILES: u8 = 5;

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the order seen by the other player.
    pub(crate) const fn flipped(self) -> Self {
        Self(self.0 ^ (self.0 & ALL_PRESENT) >> 1)
    }

    /// Returns the stack of a tile as a number below [`Order::CODES`].
    pub(crate) const fn code(self, tile: u8) -> usize {
        (self.0 >> (STACK * tile as u32) & MASK) as usize
    }

    /// The number of codes that a stack can have.
    pub(crate) const CODES: usize = 1 << STACK;

    pub(crate) const fn top(self, tile: u8) -> Option<StackedPiece> {
        let code = self.code(tile) as u64;
        if code & PRESENT == 0 { None } else { Some(StackedPiece::decoded(code)) }
    }

    /// Returns the order with a piece laid on top of a tile, which must have room for it.
    pub(crate) const fn push(self, tile: u8, piece: StackedPiece) -> Self {
        self.with_code(tile, (self.code(tile) as u64) << PIECE | piece.code())
    }

    /// Returns the order without the top piece of a tile.
    pub(crate) const fn pop(self, tile: u8) -> Self {
        self.with_code(tile, self.code(tile) as u64 >> PIECE)
    }

    pub(crate) const fn with_code(self, tile: u8, code: u64) -> Self {
        let at = STACK * tile as u32;
        Self(self.0 & !(MASK << at) | (code & MASK) << at)
    }

    /// Returns the pieces of a tile, bottom first.
    pub(crate) fn pieces(self, tile: u8) -> impl Iterator<Item = StackedPiece> {
        let code = self.code(tile) as u64;
        let codes =
            (0..Self::MAX_HEIGHT).rev().map(move |height| code >> (PIECE * u32::from(height)));
        codes.filter(|code| code & PRESENT != 0).map(StackedPiece::decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_last_in_first_out_and_flip_back() {
        let pieces = [(true, false), (false, false), (false, true), (true, true)]
            .map(|(is_theirs, is_second)| StackedPiece { is_theirs, is_second });
        for tile in 0..Order::MAX_TILES {
            let mut order = Order::default().push(4 - tile, pieces[0]);
            let missing = pieces.into_iter().skip(usize::from(tile == 2));
            order = missing.fold(order, |order, piece| order.push(tile, piece));
            assert_eq!(order.top(tile), Some(pieces[3]));
            assert!(order.pieces(tile).eq(pieces));
            let theirs = pieces.map(|it| StackedPiece { is_theirs: !it.is_theirs, ..it });
            assert!(order.flipped().pieces(tile).eq(theirs));
            assert_eq!(order.flipped().flipped(), order);
            let popped = pieces.iter().fold(order, |order, _| order.pop(tile));
            assert_eq!(popped.top(tile), None);
        }
    }
}
