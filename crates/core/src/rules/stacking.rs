//! Stacks and turning pieces: the rules that only some of the games have, as plain data.

/// Where a piece turns from novice to veteran.
///
/// ```
/// use puabi_core::{Turning, TurnsOn};
/// let turning = Turning { square: 13, on: TurnsOn::Leaving };
/// assert_eq!(turning.first_veteran(), 14);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turning {
    /// The square of the path at which pieces turn.
    pub square: u8,
    /// When pieces turn.
    pub on: TurnsOn,
}

/// When a piece turns at its turning square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnsOn {
    /// On leaving or passing it: a piece that stands there is a novice.
    Leaving,
    /// On reaching it: a piece that stands there is a veteran.
    Landing,
}

impl Turning {
    /// Returns the first square of the path on which a piece is a veteran.
    pub const fn first_veteran(self) -> u8 {
        match self.on {
            TurnsOn::Leaving => self.square + 1,
            TurnsOn::Landing => self.square,
        }
    }
}

impl TurnsOn {
    /// All choices, by their names in rule files.
    pub const NAMES: [(&'static str, Self); 2] =
        [("leaving", Self::Leaving), ("landing", Self::Landing)];
}

/// Which pieces of a stack may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StackOrder {
    /// Only the top piece: last in, first out.
    Lifo,
    /// The top piece on holy tiles, any piece in camps.
    FreeInCamps,
    /// Any piece.
    Free,
}

impl StackOrder {
    /// All choices, by their names in rule files.
    pub const NAMES: [(&'static str, Self); 3] =
        [("lifo", Self::Lifo), ("free-in-camps", Self::FreeInCamps), ("free", Self::Free)];
}

/// How pieces lie on each other.
///
/// ```
/// use puabi_core::Stacks;
/// assert_eq!(Stacks::DEFAULT.cap, 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stacks {
    /// The most pieces of a stack, 1 to 4.
    pub cap: u8,
    /// Which pieces of a stack may move.
    pub order: StackOrder,
    /// Whether a camp holds only novices or only veterans at a time.
    pub camps_of_one_kind: bool,
}

impl Stacks {
    /// The most pieces of a stack under any rules.
    pub const MAX_CAP: u8 = 4;
    /// Four pieces, last in, first out, novices and veterans together.
    pub const DEFAULT: Self = Self { cap: 4, order: StackOrder::Lifo, camps_of_one_kind: false };
}

/// How a game ends in which neither player can ever move again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeadPosition {
    /// The game is drawn: each player has half a win.
    Draw,
    /// The player with more pieces home wins; the game is drawn if both have equally many.
    MoreHome,
}

impl DeadPosition {
    /// All choices, by their names in rule files.
    pub const NAMES: [(&'static str, Self); 2] =
        [("draw", Self::Draw), ("more-home", Self::MoreHome)];
}
