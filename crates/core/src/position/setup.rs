//! The text of a position: where the pieces stand, whose turn it is, and the roll if it is known.

use std::fmt;
use std::str::FromStr;

use crate::text::ascii::number;
use crate::text::wording::excerpt;
use crate::{Player, Roll, Side, Square, Tile};

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
    /// The tile that the pieces lie on.
    pub tile: Tile,
    /// The owner of each piece and its square on the owner's path, bottom first.
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
    /// The player who is about to roll, or to move if `roll` is known.
    pub turn: Player,
    /// The roll, if it has been thrown.
    pub roll: Option<Roll>,
    /// The stacks whose pieces differ and whose order counts, by tile.
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

/// The error of a text that is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let fields: Vec<_> = text.split(':').collect();
        let (light, dark, turn, stacks) = match *fields.as_slice() {
            [light, dark, turn] => (light, dark, turn, None),
            [light, dark, turn, stacks] => (light, dark, turn, Some(stacks)),
            _ => {
                return Err(SetupError(format!(
                    "a position has three fields, LIGHT:DARK:TURN, as in `4,8,12+2:1,5:D3`, and a fourth where the \
                     order of stacks counts; found {} in `{}`",
                    fields.len(),
                    excerpt(text)
                )));
            }
        };
        let light = parse_side(Player::Light, light)?;
        let dark = parse_side(Player::Dark, dark)?;
        let (turn, roll) = parse_turn(turn).ok_or_else(|| {
            SetupError(format!(
                "`{}` is not a turn: expected L or D for who rolls next, and the roll if it is known, as in `D3`",
                excerpt(turn)
            ))
        })?;
        let stacks = stacks.map_or(Ok(Vec::new()), parse_stacks)?;
        Ok(Self { light, dark, turn, roll, stacks })
    }
}

fn parse_stacks(text: &str) -> Result<Vec<Stack>, SetupError> {
    let mut stacks: Vec<Stack> = Vec::new();
    for item in text.split(',') {
        let stack = parse_stack(item)
            .filter(|stack| stacks.last().is_none_or(|last| last.tile < stack.tile))
            .ok_or_else(|| {
                SetupError(format!(
                    "`{}` is not a stack: expected a tile and its pieces, bottom first, as in `B7=D11.D17`, with commas \
                     between stacks, each tile once and in order",
                    excerpt(item)
                ))
            })?;
        stacks.push(stack);
    }
    Ok(stacks)
}

fn parse_stack(text: &str) -> Option<Stack> {
    let (name, pieces) = text.split_once('=')?;
    let tile = name.parse().ok().filter(|tile: &Tile| tile.to_string() == name)?;
    let piece = |text: &str| {
        let (player, number) = text.split_at_checked(1)?;
        Some((Player::from_letter(player)?, Square::read(number)?))
    };
    Some(Stack { tile, pieces: pieces.split('.').map(piece).collect::<Option<_>>()? })
}

fn parse_side(player: Player, text: &str) -> Result<SideSetup, SetupError> {
    let error = |found: &str| {
        SetupError(format!(
            "`{}` in {player}'s pieces: expected squares from 1 to 31, ascending, with commas between, then `+N` for N \
             pieces home; or `-` for neither",
            excerpt(found)
        ))
    };
    if text == "-" {
        return Ok(SideSetup::default());
    }
    let (squares, score) = match text.split_once('+') {
        Some((squares, score)) => {
            (squares, number(score).filter(|&score| score > 0).ok_or_else(|| error(score))?)
        }
        None => (text, 0),
    };
    let mut side = SideSetup { squares: Vec::new(), score };
    if squares.is_empty() && score > 0 {
        return Ok(side);
    }
    for item in squares.split(',') {
        let square = Square::read(item).ok_or_else(|| error(item))?;
        if side.squares.last().is_some_and(|&last| last > square) {
            return Err(error(item));
        }
        side.squares.push(square);
    }
    Ok(side)
}

fn parse_turn(text: &str) -> Option<(Player, Option<Roll>)> {
    let (turn, roll) = match text.as_bytes().first()? {
        b'L' => (Player::Light, &text[1..]),
        b'D' => (Player::Dark, &text[1..]),
        _ => return None,
    };
    let roll = match roll {
        "" => None,
        roll => Some(Roll::read(roll)?),
    };
    Some((turn, roll))
}
