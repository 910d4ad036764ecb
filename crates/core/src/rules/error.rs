//! The errors of a rule set that is not a game.

use crate::position::order::Order;
use crate::text::wording;
use crate::{BoardError, Roll, RuleSet, Stacks, Tile};

/// The reason why a rule set is not a game.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = RuleSet::FINKEL.with_pieces(16).compile().unwrap_err();
/// assert_eq!(error.to_string(), "16 pieces: expected 1 to 15");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The name is malformed.
    #[error("{found:?} is not a name: expected {}", wording::names(RuleSet::MAX_NAME))]
    Name {
        /// The name.
        found: String,
    },
    /// The name would be taken for a preset's, but it is not quite that name, or the rules are not the preset's.
    #[error(
        "the name `{found}` would be taken for the preset `{preset}`: expected `{preset}` for its rules, another name for others"
    )]
    PresetName {
        /// The name.
        found: String,
        /// The preset that it would be taken for.
        preset: String,
    },
    /// The number of pieces is out of range.
    #[error("{found} pieces: expected 1 to {max}", max = RuleSet::MAX_PIECES)]
    Pieces {
        /// The number asked for.
        found: u8,
    },
    /// The number of pieces to bring home is out of range.
    #[error(
        "{found} pieces to bring home: expected {}{pieces}, the pieces of each player",
        if *pieces > 1 { "1 to " } else { "" }
    )]
    Goal {
        /// The number asked for.
        found: u8,
        /// The number of pieces of each player.
        pieces: u8,
    },
    /// A roll can be longer than the path.
    #[error(
        "the path has {length} squares, but a roll can be {longest}: expected a path at least as long as the longest roll"
    )]
    ShortPath {
        /// The number of squares of the path.
        length: usize,
        /// The longest roll.
        longest: Roll,
    },
    /// The turning square is not on the path.
    #[error("pieces turn on square {found}: expected one of the path's {length} squares")]
    Turning {
        /// The square.
        found: u8,
        /// The number of squares of the path.
        length: u8,
    },
    /// The cap of stacks is out of range.
    #[error("stacks of {found} pieces: expected 1 to {max}", max = Stacks::MAX_CAP)]
    StackCap {
        /// The cap.
        found: u8,
    },
    /// The first roll cannot be thrown.
    #[error("the first roll is {found}: expected one of {rolls}")]
    FirstRoll {
        /// The roll.
        found: Roll,
        /// The rolls that can be thrown.
        rolls: String,
    },
    /// The order of a stack counts on a tile that the players reach on different squares of their paths.
    #[error(
        "{tile} can hold different pieces in an order that matters, but light and dark reach it on different squares: expected \
         a tile that both reach on the same squares, or `stack_order = \"free\"`"
    )]
    SkewStack {
        /// The tile.
        tile: Tile,
    },
    /// The order of stacks counts on too many tiles.
    #[error(
        "the order of pieces matters on more than {max} tiles, {tile} among them: expected at most {max}, or `stack_order = \"free\"`",
        max = Order::MAX_TILES
    )]
    ManyStacks {
        /// The tile.
        tile: Tile,
    },
    /// The board cannot be used.
    #[error(transparent)]
    Board(#[from] BoardError),
}
