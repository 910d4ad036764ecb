//! Boards: which tiles there are, which are rosettes, and the route of each player over them.

use crate::ground::Ground;
use crate::player::Player;
use crate::squares::{Square, Squares};
use crate::tile::Tile;

/// A board with the paths of both players.
///
/// ```
/// use puabi_core::Route;
/// let board = Route::Bell.board();
/// assert_eq!(board.light().len(), 14);
/// assert_eq!(board.tiles().len(), 20);
/// assert!(board.is_rosette("B4".parse().unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    tiles: Vec<Tile>,
    /// Of each of the tiles.
    grounds: Vec<Ground>,
    light: Vec<Tile>,
    dark: Vec<Tile>,
}

/// What keeps a drawing from being a board.
///
/// ```
/// use puabi_core::{Board, Tile};
/// let [a, b] = [Tile::new(0, 1), Tile::new(0, 2)].map(Option::unwrap);
/// let error = Board::new(vec![a], &[], vec![a, b], vec![a, b]).unwrap_err();
/// assert_eq!(error.to_string(), "light's path visits A2, where the board has no tile");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A path leaves the board.
    #[error("{player}'s path visits {tile}, where the board has no tile")]
    NoTile {
        /// Whose path.
        player: Player,
        /// The tile that is not there.
        tile: Tile,
    },
    /// A rosette is not on the board.
    #[error("{tile} is a rosette, but the board has no tile there")]
    RosetteOffBoard {
        /// The tile that is not there.
        tile: Tile,
    },
    /// A path is too short or too long.
    #[error("{player}'s path has {found} squares: expected 1 to {max}", max = Square::MAX)]
    PathLength {
        /// Whose path.
        player: Player,
        /// Its number of squares.
        found: usize,
    },
    /// A path crosses one tile three times or more.
    #[error("{player}'s path visits {tile} {found} times: expected once or twice")]
    Visits {
        /// Whose path.
        player: Player,
        /// The tile.
        tile: Tile,
        /// How often it is visited.
        found: usize,
    },
    /// The two paths differ in length.
    #[error("light's path has {light} squares and dark's {dark}: both must have the same number")]
    UnequalPaths {
        /// Squares of light's path.
        light: usize,
        /// Squares of dark's path.
        dark: usize,
    },
    /// The paths do not mirror each other in what their squares are.
    #[error(
        "square {square} is {light} on light's path ({light_tile}) and {dark} on dark's ({dark_tile}): \
         the paths must mirror each other"
    )]
    GroundMismatch {
        /// The step of both paths.
        square: usize,
        /// What it is for light.
        light: &'static str,
        /// Its tile for light.
        light_tile: Tile,
        /// What it is for dark.
        dark: &'static str,
        /// Its tile for dark.
        dark_tile: Tile,
    },
    /// The paths do not mirror each other in where they meet.
    #[error(
        "light's square {light} and dark's square {dark} are both {tile}, but light's {dark} and dark's {light} \
         are {other_light} and {other_dark}: the paths must mirror each other"
    )]
    MeetingMismatch {
        /// Light's step.
        light: usize,
        /// Dark's step on the same tile.
        dark: usize,
        /// That tile.
        tile: Tile,
        /// The tile of light's mirrored step.
        other_light: Tile,
        /// The tile of dark's mirrored step.
        other_dark: Tile,
    },
    /// The paths do not mirror each other in where they cross themselves.
    #[error(
        "{player}'s squares {first} and {second} are one tile ({tile}), the other player's are two: \
         the paths must mirror each other"
    )]
    CrossingMismatch {
        /// Whose path.
        player: Player,
        /// The first visit.
        first: usize,
        /// The second visit.
        second: usize,
        /// The tile visited twice.
        tile: Tile,
    },
}

impl BoardError {
    /// Returns whose path is wrong, where that is one player's alone.
    pub const fn player(&self) -> Option<Player> {
        match self {
            Self::NoTile { player, .. }
            | Self::PathLength { player, .. }
            | Self::Visits { player, .. } => Some(*player),
            _ => None,
        }
    }
}

impl Board {
    /// Returns the board with these tiles, rosettes and paths; tiles beside the rosettes are plain.
    ///
    /// # Errors
    ///
    /// Where a rosette leaves the tiles, and as [`Board::with_grounds`].
    pub fn new(
        tiles: Vec<Tile>,
        rosettes: &[Tile],
        light: Vec<Tile>,
        dark: Vec<Tile>,
    ) -> Result<Self, BoardError> {
        if let Some(&tile) = rosettes.iter().find(|tile| !tiles.contains(tile)) {
            return Err(BoardError::RosetteOffBoard { tile });
        }
        let ground = |tile| if rosettes.contains(&tile) { Ground::Rosette } else { Ground::Plain };
        Self::with_grounds(
            tiles.into_iter().map(|tile| (tile, ground(tile))).collect(),
            light,
            dark,
        )
    }

    /// Returns the board with these tiles and paths.
    ///
    /// # Errors
    ///
    /// Where a path leaves the tiles, has no square or more than 31 or visits a tile three times, or where the two paths
    /// do not mirror each other in effect: the same steps must be of the same ground, meet the opponent's path and cross
    /// the own one.
    pub fn with_grounds(
        mut tiles: Vec<(Tile, Ground)>,
        light: Vec<Tile>,
        dark: Vec<Tile>,
    ) -> Result<Self, BoardError> {
        tiles.sort_unstable();
        tiles.dedup_by_key(|&mut (tile, _)| tile);
        let (tiles, grounds) = tiles.into_iter().unzip();
        let board = Self { tiles, grounds, light, dark };
        board.check_path(Player::Light, &board.light)?;
        board.check_path(Player::Dark, &board.dark)?;
        board.check_mirror()?;
        Ok(board)
    }

    fn check_path(&self, player: Player, path: &[Tile]) -> Result<(), BoardError> {
        if path.is_empty() || path.len() > usize::from(Square::MAX) {
            return Err(BoardError::PathLength { player, found: path.len() });
        }
        for &tile in path {
            if !self.has(tile) {
                return Err(BoardError::NoTile { player, tile });
            }
            let found = path.iter().filter(|&&other| other == tile).count();
            if found > 2 {
                return Err(BoardError::Visits { player, tile, found });
            }
        }
        Ok(())
    }

    fn check_mirror(&self) -> Result<(), BoardError> {
        let (light, dark) = (&self.light, &self.dark);
        if light.len() != dark.len() {
            return Err(BoardError::UnequalPaths { light: light.len(), dark: dark.len() });
        }
        for i in 0..light.len() {
            self.check_ground(i)?;
            for j in 0..light.len() {
                self.check_pair(i, j)?;
            }
        }
        Ok(())
    }

    fn check_ground(&self, i: usize) -> Result<(), BoardError> {
        let (light_tile, dark_tile) = (self.light[i], self.dark[i]);
        let kind = |tile| match self.ground(tile) {
            Some(Ground::Plain) | None => "no rosette",
            Some(ground) => ground.name(),
        };
        let (light, dark) = (kind(light_tile), kind(dark_tile));
        if light == dark {
            return Ok(());
        }
        Err(BoardError::GroundMismatch { square: i + 1, light, light_tile, dark, dark_tile })
    }

    fn check_pair(&self, i: usize, j: usize) -> Result<(), BoardError> {
        let (light, dark) = (&self.light, &self.dark);
        if light[i] == dark[j] && light[j] != dark[i] {
            return Err(BoardError::MeetingMismatch {
                light: i + 1,
                dark: j + 1,
                tile: light[i],
                other_light: light[j],
                other_dark: dark[i],
            });
        }
        let crossing = |player, tile| BoardError::CrossingMismatch {
            player,
            first: i.min(j) + 1,
            second: i.max(j) + 1,
            tile,
        };
        match (light[i] == light[j], dark[i] == dark[j]) {
            (true, false) => Err(crossing(Player::Light, light[i])),
            (false, true) => Err(crossing(Player::Dark, dark[i])),
            _ => Ok(()),
        }
    }

    /// Returns all tiles, by lane and column.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns what `tile` is; `None` where the board has none there.
    pub fn ground(&self, tile: Tile) -> Option<Ground> {
        self.tiles.binary_search(&tile).ok().map(|at| self.grounds[at])
    }

    /// Returns light's path; its square 1 comes first.
    pub fn light(&self) -> &[Tile] {
        &self.light
    }

    /// Returns dark's path; its square 1 comes first.
    pub fn dark(&self) -> &[Tile] {
        &self.dark
    }

    /// Returns the path of `player`; its square 1 comes first.
    pub fn path(&self, player: Player) -> &[Tile] {
        match player {
            Player::Light => &self.light,
            Player::Dark => &self.dark,
        }
    }

    /// Returns the number of squares of each path.
    pub fn length(&self) -> u8 {
        // A board's path is no longer than that.
        u8::try_from(self.light.len()).unwrap_or(Square::MAX)
    }

    /// Returns the squares of `player`'s path that lie on `tile`: none, one, or two where the path crosses itself.
    pub fn squares_on(&self, tile: Tile, player: Player) -> Squares {
        let path = self.path(player).iter();
        let squares = Squares::range(1, Square::MAX).iter().zip(path);
        squares.filter(|&(_, &other)| other == tile).map(|(square, _)| square).collect()
    }

    /// Returns whether the board has this tile.
    pub fn has(&self, tile: Tile) -> bool {
        self.tiles.binary_search(&tile).is_ok()
    }

    /// Returns whether `tile` is a rosette.
    pub fn is_rosette(&self, tile: Tile) -> bool {
        self.ground(tile) == Some(Ground::Rosette)
    }
}

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
