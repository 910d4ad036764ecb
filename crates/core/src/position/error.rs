//! What keeps a described position from obeying the rules.

use crate::{Player, Roll, Square, Tile};

/// What keeps a described position from obeying the rules.
///
/// ```
/// use puabi_core::RuleSet;
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = rules.position(&"15:-:L".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "light has a piece on square 15, but the path has 14 squares");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A square lies beyond the path.
    #[error("{player} has a piece on square {square}, but the path has {length} squares")]
    OffPath {
        /// Whose piece.
        player: Player,
        /// The square.
        square: Square,
        /// Squares of the path.
        length: u8,
    },
    /// Two pieces of one player stand on one square.
    #[error("{player} has two pieces on square {square}: these rules allow one piece a square")]
    Stack {
        /// Whose pieces.
        player: Player,
        /// The square.
        square: Square,
    },
    /// Two squares of one player's path are one tile, and both are occupied.
    #[error(
        "{player} has pieces on squares {first} and {second}, which are both {tile}: these rules allow one piece a tile"
    )]
    Twin {
        /// Whose pieces.
        player: Player,
        /// One square.
        first: Square,
        /// The other square.
        second: Square,
        /// The tile of both.
        tile: Tile,
    },
    /// A tile holds pieces of both players.
    #[error(
        "{tile} holds pieces of both players (light's square {light}, dark's square {dark}): \
         these rules allow one piece a tile"
    )]
    Shared {
        /// The tile.
        tile: Tile,
        /// Light's square.
        light: Square,
        /// Dark's square.
        dark: Square,
    },
    /// A tile holds more pieces than the rules let lie on each other.
    #[error("{tile} holds {found} pieces: these rules allow {cap} on each other")]
    TooHigh {
        /// The tile.
        tile: Tile,
        /// Its pieces.
        found: u8,
        /// The most pieces of a stack.
        cap: u8,
    },
    /// A camp holds pieces of both players.
    #[error(
        "{tile} holds pieces of both players (light's square {light}, dark's square {dark}): \
         a camp is closed to the other player"
    )]
    Camp {
        /// The tile.
        tile: Tile,
        /// Light's square.
        light: Square,
        /// Dark's square.
        dark: Square,
    },
    /// A piece is of a kind that may not stand where it does.
    #[error("{player} has a piece on square {square}, but {tile} is {tile_kind}")]
    Kind {
        /// Whose piece.
        player: Player,
        /// The square.
        square: Square,
        /// Its tile.
        tile: Tile,
        /// What the tile is.
        tile_kind: &'static str,
    },
    /// A camp holds novices and veterans.
    #[error(
        "{player} has a novice and a veteran on {tile} (squares {first} and {second}): \
         these rules allow one kind in a camp"
    )]
    Kinds {
        /// Whose pieces.
        player: Player,
        /// The tile.
        tile: Tile,
        /// The square of one.
        first: Square,
        /// The square of the other.
        second: Square,
    },
    /// It is not said in which order the pieces of a tile lie on each other.
    #[error(
        "the pieces on {tile} differ, and it counts how they lie on each other: expected a last field such as \
         `{tile}=L7.D7`, bottom first"
    )]
    OrderMissing {
        /// The tile.
        tile: Tile,
    },
    /// The pieces listed in order are not those that stand there.
    #[error(
        "{found} does not list the pieces that stand there: expected those of {expected}, in their order"
    )]
    Order {
        /// The stack as listed.
        found: String,
        /// The pieces that stand there.
        expected: String,
    },
    /// The order of the pieces on a tile is given, but does not count.
    #[error(
        "{tile} has no order that counts under these rules: expected nothing of it in the last field"
    )]
    NoOrder {
        /// The tile.
        tile: Tile,
    },
    /// A player has more pieces than the rules give.
    #[error("{player} has {found} pieces on the board and home, but each player has {pieces}")]
    TooMany {
        /// Whose pieces.
        player: Player,
        /// Pieces on the board and home.
        found: usize,
        /// Pieces of each player.
        pieces: u8,
    },
    /// The game is over.
    #[error("{player} has {found} home: the game is over with {goal} home, and nobody rolls")]
    Finished {
        /// Who has won.
        player: Player,
        /// Pieces home.
        found: u8,
        /// Pieces that a player must bring home to win.
        goal: u8,
    },
    /// The dice cannot show this roll.
    #[error("a roll of {found} cannot be thrown: expected one of {rolls}")]
    Roll {
        /// The roll.
        found: Roll,
        /// The rolls that can be thrown.
        rolls: String,
    },
}
