//! Positions, seen by the player about to roll.

mod conversion;
pub(crate) mod error;
pub(crate) mod order;
pub(crate) mod setup;

use crate::position::order::Order;
use crate::{Square, Squares};

/// The pieces of one player: those on the board and those brought home.
///
/// The rest are in hand; how many that is depends on the rules, see [`Rules::hand`](crate::Rules::hand).
///
/// ```
/// use puabi_core::RuleSet;
/// let rules = RuleSet::FINKEL.compile()?;
/// let mine = rules.position(&"4,8,12+2:1,5:L".parse()?)?.mine();
/// assert_eq!((mine.on_board(), mine.score(), rules.hand(mine)), (3, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Side {
    squares: Squares,
    score: u8,
    /// Two bits for each square: the number of pieces on it beyond the first.
    stacked: u64,
}

impl Side {
    pub(crate) const fn new(squares: Squares, score: u8) -> Self {
        Self { squares, score, stacked: 0 }
    }

    /// Returns the squares of the owner's path that its pieces stand on.
    pub const fn squares(self) -> Squares {
        self.squares
    }

    /// Returns the number of pieces on `square`.
    pub const fn count(self, square: Square) -> u8 {
        self.squares.contains(square) as u8 + self.beyond(square)
    }

    /// Returns the square of every piece on the board, ascending, once for each.
    pub fn pieces(self) -> impl Iterator<Item = Square> {
        self.squares
            .iter()
            .flat_map(move |square| std::iter::repeat_n(square, usize::from(self.count(square))))
    }

    /// Returns the number of pieces on the board.
    pub const fn on_board(self) -> u8 {
        self.squares.len() + self.all_beyond()
    }

    /// Returns the number of pieces brought home.
    pub const fn score(self) -> u8 {
        self.score
    }

    /// Returns the number of pieces on `square` beyond the first.
    const fn beyond(self, square: Square) -> u8 {
        (self.stacked >> (2 * square.number()) & 3) as u8
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a path has at most 31 squares with 3 pieces each"
    )]
    const fn all_beyond(self) -> u8 {
        const LOW: u64 = 0x5555_5555_5555_5555;
        if self.stacked == 0 {
            return 0;
        }
        ((self.stacked & LOW).count_ones() + 2 * (self.stacked >> 1 & LOW).count_ones()) as u8
    }

    /// Lays a piece on `to`, which holds at most three pieces before.
    #[inline]
    pub(crate) const fn enter(self, to: Square) -> Self {
        if self.squares.contains(to) {
            return Self { stacked: self.stacked + (1 << (2 * to.number())), ..self };
        }
        Self { squares: self.squares.with(to), ..self }
    }

    /// Takes a piece from `from`, which holds at least one.
    #[inline]
    pub(crate) const fn lift(self, from: Square) -> Self {
        if self.beyond(from) > 0 {
            return Self { stacked: self.stacked - (1 << (2 * from.number())), ..self };
        }
        Self { squares: self.squares.without(from), ..self }
    }

    pub(crate) const fn bring_home(self, from: Square) -> Self {
        let lifted = self.lift(from);
        Self { score: lifted.score + 1, ..lifted }
    }
}

/// A position before the roll, seen by the player about to roll.
///
/// It has no colours: *mine* are the pieces of the player about to roll. Positions are made by
/// [`Rules::start`](crate::Rules::start), [`Rules::position`](crate::Rules::position) and
/// [`Indexer::position`](crate::Indexer::position), so they always obey the rules, and their game is never finished.
///
/// ```
/// use puabi_core::RuleSet;
/// let rules = RuleSet::FINKEL.compile()?;
/// let start = rules.start();
/// assert_eq!(start.mine(), start.theirs());
/// assert_eq!(start.flipped(), start);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Position {
    mine: Side,
    theirs: Side,
    order: Order,
}

impl Position {
    pub(crate) const fn new(mine: Side, theirs: Side, order: Order) -> Self {
        Self { mine, theirs, order }
    }

    /// Returns the pieces of the player about to roll.
    pub const fn mine(self) -> Side {
        self.mine
    }

    /// Returns the pieces of the other player.
    pub const fn theirs(self) -> Side {
        self.theirs
    }

    /// Returns the stacks in which the order of pieces counts, seen by the player about to roll.
    pub(crate) const fn order(self) -> Order {
        self.order
    }

    /// Returns the same board with the other player about to roll.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { mine: self.theirs, theirs: self.mine, order: self.order.flipped() }
    }
}
