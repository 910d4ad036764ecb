//! The text of a position: who stands where, whose turn it is, and what was thrown.

use std::fmt;
use std::str::FromStr;

use crate::decision::square;
use crate::dice::{Dice, Roll};
use crate::player::Player;
use crate::position::Side;
use crate::squares::Square;
use crate::tile::Tile;
use crate::wording::excerpt;

/// The pieces of one player as a text lists them, before any rule is checked.
///
/// ```
/// use puabi_core::{SideSetup, Square};
/// let side = SideSetup { squares: Square::new(4).into_iter().collect(), score: 1 };
/// assert_eq!(side.to_string(), "4+1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SideSetup {
    /// The squares of the player's own path that pieces stand on, one entry a piece, ascending.
    pub squares: Vec<Square>,
    /// The number of pieces brought home.
    pub score: u8,
}

/// The pieces of a tile in the order in which they lie on each other, before any rule is checked.
///
/// ```
/// use puabi_core::{Player, Setup};
/// let setup: Setup = "1,1,4:2,11,17:L2:B7=D11.D17".parse()?;
/// assert_eq!(setup.stacks[0].tile.to_string(), "B7");
/// assert_eq!(setup.stacks[0].pieces[0].0, Player::Dark);
/// # Ok::<(), puabi_core::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Where.
    pub tile: Tile,
    /// Whose piece on which square of its owner's path, bottom first.
    pub pieces: Vec<(Player, Square)>,
}

/// A position with colours, as written `LIGHT:DARK:TURN[ROLL][:STACKS]`, before any rule is checked.
///
/// ```
/// use puabi_core::{Player, Setup};
/// let setup: Setup = "4,8,12+2:1,5:D3".parse()?;
/// assert_eq!(setup.light.score, 2);
/// assert_eq!(setup.turn, Player::Dark);
/// assert_eq!(setup.to_string(), "4,8,12+2:1,5:D3");
/// # Ok::<(), puabi_core::SetupError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Light's pieces.
    pub light: SideSetup,
    /// Dark's pieces.
    pub dark: SideSetup,
    /// Who is about to roll, or to move where `roll` is known.
    pub turn: Player,
    /// What has been thrown, if anything.
    pub roll: Option<Roll>,
    /// The order of pieces on tiles where they differ in player or square and the order counts, by tile.
    pub stacks: Vec<Stack>,
}

impl Setup {
    /// Returns the pieces of `player`.
    pub const fn side(&self, player: Player) -> &SideSetup {
        match player {
            Player::Light => &self.light,
            Player::Dark => &self.dark,
        }
    }
}

impl From<Side> for SideSetup {
    fn from(side: Side) -> Self {
        Self { squares: side.pieces().collect(), score: side.score() }
    }
}

impl fmt::Display for SideSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.squares.is_empty() && self.score == 0 {
            return f.write_str("-");
        }
        for (i, square) in self.squares.iter().enumerate() {
            write!(f, "{}{square}", if i == 0 { "" } else { "," })?;
        }
        if self.score > 0 {
            write!(f, "+{}", self.score)?;
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.light, self.dark, self.turn.letter())?;
        self.roll.map_or(Ok(()), |roll| write!(f, "{roll}"))?;
        for (i, stack) in self.stacks.iter().enumerate() {
            write!(f, "{}{stack}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.tile)?;
        for (i, (player, square)) in self.pieces.iter().enumerate() {
            write!(f, "{}{}{square}", if i == 0 { "" } else { "." }, player.letter())?;
        }
        Ok(())
    }
}

/// The error of a text that is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There are not three fields, or four with stacks.
    #[error(
        "a position has three fields, LIGHT:DARK:TURN, as in `4,8,12+2:1,5:D3`, and a fourth where the order of stacks \
         counts; found {found} in `{text}`"
    )]
    Fields {
        /// The number of fields found.
        found: usize,
        /// The whole text.
        text: String,
    },
    /// A field of pieces cannot be read.
    #[error(
        "`{found}` in {player}'s pieces: expected squares from 1, ascending, with commas between, then `+N` for N \
         pieces home; or `-` for neither"
    )]
    Pieces {
        /// Whose pieces.
        player: Player,
        /// What cannot be read.
        found: String,
    },
    /// The field of stacks cannot be read.
    #[error(
        "`{found}` is no stack: expected a tile and its pieces, bottom first, as in `B7=D11.D17`, with commas between \
         stacks, each tile once and in order"
    )]
    Stack {
        /// What cannot be read.
        found: String,
    },
    /// The turn cannot be read.
    #[error(
        "`{found}` is no turn: expected L or D for who rolls next, and the roll if it is known, as in `D3`"
    )]
    Turn {
        /// The last field.
        found: String,
    },
}

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let fields: Vec<_> = text.split(':').collect();
        let (light, dark, turn, stacks) = match *fields.as_slice() {
            [light, dark, turn] => (light, dark, turn, None),
            [light, dark, turn, stacks] => (light, dark, turn, Some(stacks)),
            _ => {
                let text = excerpt(text).into_owned();
                return Err(SetupError::Fields { found: fields.len(), text });
            }
        };
        let light = parse_side(Player::Light, light)?;
        let dark = parse_side(Player::Dark, dark)?;
        let (turn, roll) = parse_turn(turn)
            .ok_or_else(|| SetupError::Turn { found: excerpt(turn).into_owned() })?;
        let stacks = stacks.map_or(Ok(Vec::new()), parse_stacks)?;
        Ok(Self { light, dark, turn, roll, stacks })
    }
}

fn parse_stacks(text: &str) -> Result<Vec<Stack>, SetupError> {
    let mut stacks: Vec<Stack> = Vec::new();
    for item in text.split(',') {
        let stack = parse_stack(item)
            .filter(|stack| stacks.last().is_none_or(|last| last.tile < stack.tile))
            .ok_or_else(|| SetupError::Stack { found: excerpt(item).into_owned() })?;
        stacks.push(stack);
    }
    Ok(stacks)
}

fn parse_stack(text: &str) -> Option<Stack> {
    let (name, pieces) = text.split_once('=')?;
    let tile = name.parse().ok().filter(|tile: &Tile| tile.to_string() == name)?;
    let piece = |text: &str| {
        let (player, number) = text.split_at_checked(1)?;
        Some((Player::lettered(player)?, square(number)?))
    };
    Some(Stack { tile, pieces: pieces.split('.').map(piece).collect::<Option<_>>()? })
}

fn parse_side(player: Player, text: &str) -> Result<SideSetup, SetupError> {
    let error = |found: &str| SetupError::Pieces { player, found: excerpt(found).into_owned() };
    if text == "-" {
        return Ok(SideSetup::default());
    }
    let (squares, score) = match text.split_once('+') {
        Some((squares, score)) => (squares, number(score).ok_or_else(|| error(score))?),
        None => (text, 0),
    };
    let mut side = SideSetup { squares: Vec::new(), score };
    if squares.is_empty() && score > 0 {
        return Ok(side);
    }
    for item in squares.split(',') {
        let square = square(item).ok_or_else(|| error(item))?;
        if side.squares.last().is_some_and(|&last| last > square) {
            return Err(error(item));
        }
        side.squares.push(square);
    }
    Ok(side)
}

/// Reads a number above zero, without sign or leading zero.
fn number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    plain.then(|| text.parse().ok()).flatten()
}

fn parse_turn(text: &str) -> Option<(Player, Option<Roll>)> {
    let (turn, roll) = match text.as_bytes().first()? {
        b'L' => (Player::Light, &text[1..]),
        b'D' => (Player::Dark, &text[1..]),
        _ => return None,
    };
    let roll = match roll {
        "" => None,
        "0" => Some(0),
        roll => Some(number(roll).filter(|&steps| steps <= Dice::MAX_ROLL)?),
    };
    Some((turn, roll.map(Roll::new)))
}

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
    #[error("{player} has a piece on square {square}, but {tile} is {ground}")]
    Kind {
        /// Whose piece.
        player: Player,
        /// The square.
        square: Square,
        /// Its tile.
        tile: Tile,
        /// What the tile is.
        ground: &'static str,
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
