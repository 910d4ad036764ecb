//! Tiles: the places of a board, named by lane letter and column number.
//!
//! Tiles are for people. They show which squares of the two paths lie on the same place. The game itself is played on squares
//! along a path.

use std::fmt;
use std::str::FromStr;

use crate::text::ascii::number;
use crate::text::wording::excerpt;

/// A place on the board, such as `A1` (light's lane) or `B12` (the middle lane).
///
/// ```
/// use puabi_core::Tile;
/// let tile: Tile = "B4".parse()?;
/// assert_eq!((tile.row(), tile.column()), (1, 4));
/// assert_eq!(tile.to_string(), "B4");
/// # Ok::<(), puabi_core::TileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    row: u8,
    column: u8,
}

/// The most lanes that a board may have.
pub(crate) const MAX_ROWS: u8 = 26;
/// The most columns that a board may have.
pub(crate) const MAX_COLUMNS: u8 = 32;

impl Tile {
    /// Returns the tile in lane `row` (0 is lane A) and `column` (from 1), or `None` off the largest board.
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < MAX_ROWS && column >= 1 && column <= MAX_COLUMNS {
            Some(Self { row, column })
        } else {
            None
        }
    }

    /// Returns the tile in lane `row` and `column`; the caller knows that it is on the largest board.
    pub(crate) const fn new_in_range(row: u8, column: u8) -> Self {
        assert!(row < MAX_ROWS && column >= 1 && column <= MAX_COLUMNS);
        Self { row, column }
    }

    /// Returns the lane, 0 for lane A.
    pub const fn row(self) -> u8 {
        self.row
    }

    /// Returns the column, counted from 1.
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Returns the tile that `text` names as on a chess board: a small letter for the column, then the lane from 1.
    ///
    /// Skiriuk and others name tiles in this way.
    ///
    /// ```
    /// use puabi_core::Tile;
    /// assert_eq!(Tile::from_chess_name("g2"), Tile::new(1, 7));
    /// ```
    pub fn from_chess_name(text: &str) -> Option<Self> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let lane: u8 = number(&text[1..])?;
        Self::new(lane.checked_sub(1)?, letter - b'a' + 1)
    }
}

/// How tiles are named.
///
/// ```
/// use puabi_core::{Tile, TileNames};
/// let tile: Tile = "B7".parse()?;
/// assert_eq!(TileNames::Chess.name(tile), "g2");
/// # Ok::<(), puabi_core::TileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TileNames {
    /// By the lane's letter and the column's number, as in `B7`.
    #[default]
    Lanes,
    /// As on a chess board, as in `g2`: columns have letters, which end at `z`, and lanes have numbers.
    Chess,
}

impl TileNames {
    /// Returns the name of a lane, counted from 0.
    pub fn lane(self, row: u8) -> String {
        match self {
            Self::Lanes => char::from(b'A' + row).to_string(),
            Self::Chess => (row + 1).to_string(),
        }
    }

    /// Returns the name of a column, counted from 1.
    pub fn column(self, column: u8) -> String {
        match self {
            Self::Chess if column <= 26 => char::from(b'a' + column - 1).to_string(),
            _ => column.to_string(),
        }
    }

    /// Returns the name of a tile.
    pub fn name(self, tile: Tile) -> String {
        match self {
            Self::Chess if tile.column <= 26 => self.column(tile.column) + &self.lane(tile.row),
            _ => tile.to_string(),
        }
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", char::from(b'A' + self.row), self.column))
    }
}

/// The error of a text that names no tile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not a tile: expected a lane letter A to Z and a column 1 to {MAX_COLUMNS}, as in B4"
)]
pub struct TileError {
    found: String,
}

impl FromStr for Tile {
    type Err = TileError;

    fn from_str(text: &str) -> Result<Self, TileError> {
        let error = || TileError { found: excerpt(text).into_owned() };
        let mut letters = text.chars();
        let lane = letters.next().filter(char::is_ascii_alphabetic).ok_or_else(error)?;
        let digits = letters.as_str();
        if digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        let column = digits.parse().map_err(|_| error())?;
        // An ASCII letter is one byte.
        Tile::new(lane.to_ascii_uppercase() as u8 - b'A', column).ok_or_else(error)
    }
}
