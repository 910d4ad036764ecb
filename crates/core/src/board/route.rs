//! Routes known by name, with the boards they run over.

use crate::board::Board;
use crate::board::tile::Tile;
use crate::board::tile_kind::Ground;

/// A route known by name, with the board it runs over.
///
/// The tiles are those of `RoyalUr`: light starts in lane A, and on Masters', Murray's and Skiriuk's routes turns
/// into the far side of the small block first. That is a matter of drawing: either way it is the same game.
///
/// ```
/// use puabi_core::Route;
/// let murray = Route::named("murray").expect("a known route");
/// assert_eq!(murray.board().light().len(), 27);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Route {
    /// Bell's path of 14 squares (Finkel's rules).
    Bell,
    /// The path of 16 squares of Masters and Blitz.
    Masters,
    /// The path of 16 squares over the board of twenty squares (Aseb).
    Aseb,
    /// Murray's path of 27 squares.
    Murray,
    /// Skiriuk's path of 23 squares.
    Skiriuk,
    /// Skiriuk's path of 23 squares with camps, holy tiles and a last tile, into the own side of the small block first.
    Forgotten,
    /// As `Forgotten`, every tile plain or a rosette.
    Simple,
    /// As `Forgotten`, with tiles for novices and for veterans.
    Dmytro,
}

const LANE_A: u8 = 0;
const LANE_B: u8 = 1;
const LANE_C: u8 = 2;

impl Route {
    /// All routes.
    pub const ALL: [Self; 8] = [
        Self::Bell,
        Self::Masters,
        Self::Aseb,
        Self::Murray,
        Self::Skiriuk,
        Self::Forgotten,
        Self::Simple,
        Self::Dmytro,
    ];

    /// Returns the name of this route in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bell => "bell",
            Self::Masters => "masters",
            Self::Aseb => "aseb",
            Self::Murray => "murray",
            Self::Skiriuk => "skiriuk",
            Self::Forgotten => "forgotten",
            Self::Simple => "simple",
            Self::Dmytro => "dmytro",
        }
    }

    /// Returns the route with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.name() == name)
    }

    /// Returns the board of this route with both paths.
    ///
    /// # Panics
    ///
    /// Never: each route is a board.
    pub fn board(self) -> Board {
        let light = self.light();
        let dark = light.iter().map(|&tile| mirrored(tile)).collect();
        let tiles = match self {
            Self::Aseb => aseb_tiles(),
            _ => standard_tiles(),
        };
        let tiles = tiles.into_iter().map(|tile| (tile, self.ground(tile))).collect();
        Board::with_grounds(tiles, light, dark).expect("a named route is a board")
    }

    fn ground(self, tile: Tile) -> Ground {
        match (self, tile.row(), tile.column()) {
            (Self::Aseb, LANE_A | LANE_C, 1) | (Self::Aseb, LANE_B, 4 | 8 | 12) => Ground::Rosette,
            (Self::Aseb, ..) => Ground::Plain,
            (_, LANE_A | LANE_C, 1 | 7) | (_, LANE_B, 4) => Ground::Rosette,
            // Four eyes, four fives and the last square; rules.md 1 in the words of its sources.
            (Self::Forgotten, LANE_A | LANE_C, 2 | 4) | (Self::Forgotten, LANE_B, 7) => {
                Ground::Camp
            }
            (Self::Forgotten, LANE_B, 3 | 6) | (Self::Dmytro, LANE_B, 1) => Ground::Holy,
            (Self::Forgotten, LANE_B, 1) => Ground::Last,
            (Self::Dmytro, LANE_A | LANE_C, 2 | 4) | (Self::Dmytro, LANE_B, 7) => Ground::Novices,
            (Self::Dmytro, LANE_B, 3 | 6) => Ground::Veterans,
            _ => Ground::Plain,
        }
    }

    fn light(self) -> Vec<Tile> {
        let mut path = lane(LANE_A, [4, 3, 2, 1]);
        let far_side = [(LANE_C, 7), (LANE_C, 8), (LANE_B, 8), (LANE_A, 8), (LANE_A, 7)];
        let round = match self {
            Self::Forgotten | Self::Simple | Self::Dmytro => {
                far_side.map(|(row, column)| mirrored(Tile::at(row, column)))
            }
            _ => far_side.map(|(row, column)| Tile::at(row, column)),
        };
        match self {
            Self::Bell => path.extend(lane(LANE_B, 1..=8).into_iter().chain(lane(LANE_A, [8, 7]))),
            Self::Aseb => path.extend(lane(LANE_B, 1..=12)),
            _ => path.extend(lane(LANE_B, 1..=7).into_iter().chain(round)),
        }
        if !matches!(self, Self::Bell | Self::Aseb | Self::Masters) {
            path.extend(lane(LANE_B, (1..=7).rev()));
        }
        if self == Self::Murray {
            path.extend(lane(LANE_C, 1..=4));
        }
        path
    }
}

fn lane(row: u8, columns: impl IntoIterator<Item = u8>) -> Vec<Tile> {
    columns.into_iter().map(|column| Tile::at(row, column)).collect()
}

fn mirrored(tile: Tile) -> Tile {
    Tile::at(LANE_C - tile.row(), tile.column())
}

fn standard_tiles() -> Vec<Tile> {
    let block = |row| lane(row, [1, 2, 3, 4, 7, 8]);
    [block(LANE_A), lane(LANE_B, 1..=8), block(LANE_C)].concat()
}

fn aseb_tiles() -> Vec<Tile> {
    [lane(LANE_A, 1..=4), lane(LANE_B, 1..=12), lane(LANE_C, 1..=4)].concat()
}
