//! The text of a position: who stands where, whose turn it is, and what was thrown.

use std::fmt;
use std::str::FromStr;

use crate::decision::square;
use crate::dice::{Dice, Roll};
use crate::player::Player;
use crate::position::{Position, Side};
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

/// A position with colours, as written `LIGHT:DARK:TURN[ROLL]`, before any rule is checked.
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
}

impl Setup {
    /// Returns the description of `position` in which `turn` is about to roll.
    pub fn new(position: Position, turn: Player) -> Self {
        let (mine, theirs) = (SideSetup::from(position.mine()), SideSetup::from(position.theirs()));
        let (light, dark) = match turn {
            Player::Light => (mine, theirs),
            Player::Dark => (theirs, mine),
        };
        Self { light, dark, turn, roll: None }
    }

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
        Self { squares: side.squares().iter().collect(), score: side.score() }
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
        self.roll.map_or(Ok(()), |roll| roll.fmt(f))
    }
}

/// The error of a text that is no position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There are not three fields.
    #[error(
        "a position has three fields, LIGHT:DARK:TURN, as in `4,8,12+2:1,5:D3`; found {found} in `{text}`"
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
    /// The last field cannot be read.
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
        let &[light, dark, turn] = fields.as_slice() else {
            return Err(SetupError::Fields {
                found: fields.len(),
                text: excerpt(text).into_owned(),
            });
        };
        let light = parse_side(Player::Light, light)?;
        let dark = parse_side(Player::Dark, dark)?;
        let (turn, roll) = parse_turn(turn)
            .ok_or_else(|| SetupError::Turn { found: excerpt(turn).into_owned() })?;
        Ok(Self { light, dark, turn, roll })
    }
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
    #[error("{player} has every piece home: the game is over and nobody rolls")]
    Finished {
        /// Who has won.
        player: Player,
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
