//! Positions, seen by the player about to roll.

use crate::squares::{Square, Squares};

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
}

impl Side {
    pub(crate) const fn new(squares: Squares, score: u8) -> Self {
        Self { squares, score }
    }

    /// Returns the squares of the owner's path that its pieces stand on.
    pub const fn squares(self) -> Squares {
        self.squares
    }

    /// Returns the number of pieces on `square`.
    pub const fn count(self, square: Square) -> u8 {
        self.squares.contains(square) as u8
    }

    /// Returns the number of pieces on the board.
    pub const fn on_board(self) -> u8 {
        self.squares.len()
    }

    /// Returns the number of pieces brought home.
    pub const fn score(self) -> u8 {
        self.score
    }

    pub(crate) const fn enter(self, to: Square) -> Self {
        Self { squares: self.squares.with(to), ..self }
    }

    pub(crate) const fn lift(self, from: Square) -> Self {
        Self { squares: self.squares.without(from), ..self }
    }

    pub(crate) const fn bring_home(self, from: Square) -> Self {
        Self { score: self.score + 1, ..self.lift(from) }
    }
}

/// A position before the roll, seen by the player about to roll.
///
/// It has no colours: *mine* are the pieces of the player about to roll. Positions are made by
/// [`Rules::start`](crate::Rules::start), [`Rules::position`](crate::Rules::position) and
/// [`Indexer::position`](crate::Indexer::position), and so always obey the rules and are never of a finished game.
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
}

impl Position {
    pub(crate) const fn new(mine: Side, theirs: Side) -> Self {
        Self { mine, theirs }
    }

    /// Returns the pieces of the player about to roll.
    pub const fn mine(self) -> Side {
        self.mine
    }

    /// Returns the pieces of the other player.
    pub const fn theirs(self) -> Side {
        self.theirs
    }

    /// Returns the same board with the other player about to roll.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { mine: self.theirs, theirs: self.mine }
    }
}
