//! Tiles: the places of a board, named by lane letter and column number.
//!
//! Tiles are for people, and show which squares of the two paths lie on the same place. The game itself is played on
//! squares along a path.

use std::fmt;
use std::str::FromStr;

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

    /// A tile known to be on the largest board.
    pub(crate) const fn at(row: u8, column: u8) -> Self {
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
