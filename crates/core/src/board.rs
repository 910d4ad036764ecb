//! Boards: which tiles there are, which are rosettes, and the route of each player over them.

pub(crate) mod player;
pub(crate) mod route;
pub(crate) mod squares;
pub(crate) mod tile;
pub(crate) mod tile_kind;

use crate::{Player, Square, Squares, Tile, TileKind};

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
    /// The kind of each tile in `tiles`, in the same order.
    kinds: Vec<TileKind>,
    light: Vec<Tile>,
    dark: Vec<Tile>,
}

/// The reason why a drawing is not a board.
///
/// ```
/// use puabi_core::{Board, Tile, TileKind};
/// let [a, b] = [Tile::new(0, 1), Tile::new(0, 2)].map(Option::unwrap);
/// let error = Board::with_kinds(vec![(a, TileKind::Plain)], vec![a, b], vec![a, b]).unwrap_err();
/// assert_eq!(error.to_string(), "light's path visits A2, where the board has no tile");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BoardError {
    player: Option<Player>,
    message: String,
}

impl BoardError {
    fn of_path(player: Player, message: String) -> Self {
        Self { player: Some(player), message }
    }

    fn of_both(message: String) -> Self {
        Self { player: None, message }
    }

    /// Returns the player whose path is wrong; `None` if the error concerns both paths.
    pub(crate) const fn player(&self) -> Option<Player> {
        self.player
    }
}

impl Board {
    /// Returns the board with these tiles and paths.
    ///
    /// # Errors
    ///
    /// Returns an error if a path leaves the tiles, has no square or more than 31, or visits a tile more than twice. Returns an
    /// error, too, if the two paths do not mirror each other in effect: squares of the same number must have tiles of the same
    /// kind, share their tiles with the same squares of the other path, and with the same other squares of their own path.
    pub fn with_kinds(
        mut tiles: Vec<(Tile, TileKind)>,
        light: Vec<Tile>,
        dark: Vec<Tile>,
    ) -> Result<Self, BoardError> {
        tiles.sort_unstable();
        tiles.dedup_by_key(|&mut (tile, _)| tile);
        let (tiles, kinds) = tiles.into_iter().unzip();
        let board = Self { tiles, kinds, light, dark };
        board.check_path(Player::Light, &board.light)?;
        board.check_path(Player::Dark, &board.dark)?;
        board.check_mirror()?;
        Ok(board)
    }

    fn check_path(&self, player: Player, path: &[Tile]) -> Result<(), BoardError> {
        if path.is_empty() || path.len() > usize::from(Square::MAX) {
            let (found, max) = (path.len(), Square::MAX);
            let message = format!("{player}'s path has {found} squares: expected 1 to {max}");
            return Err(BoardError::of_path(player, message));
        }
        for &tile in path {
            if !self.has(tile) {
                let message = format!("{player}'s path visits {tile}, where the board has no tile");
                return Err(BoardError::of_path(player, message));
            }
            let found = path.iter().filter(|&&other| other == tile).count();
            if found > 2 {
                let message =
                    format!("{player}'s path visits {tile} {found} times: expected once or twice");
                return Err(BoardError::of_path(player, message));
            }
        }
        Ok(())
    }

    fn check_mirror(&self) -> Result<(), BoardError> {
        let (light, dark) = (&self.light, &self.dark);
        if light.len() != dark.len() {
            return Err(BoardError::of_both(format!(
                "light's path has {} squares and dark's {}: both must have the same number",
                light.len(),
                dark.len()
            )));
        }
        for i in 0..light.len() {
            self.check_kind(i)?;
            for j in 0..light.len() {
                self.check_pair(i, j)?;
            }
        }
        Ok(())
    }

    fn check_kind(&self, i: usize) -> Result<(), BoardError> {
        let (light_tile, dark_tile) = (self.light[i], self.dark[i]);
        let kind = |tile| self.tile_kind(tile).unwrap_or(TileKind::Plain).name();
        let (light, dark) = (kind(light_tile), kind(dark_tile));
        if light == dark {
            return Ok(());
        }
        Err(BoardError::of_both(format!(
            "square {} is {light} on light's path ({light_tile}) and {dark} on dark's ({dark_tile}): \
             the paths must mirror each other",
            i + 1
        )))
    }

    fn check_pair(&self, i: usize, j: usize) -> Result<(), BoardError> {
        let (light, dark) = (&self.light, &self.dark);
        if light[i] == dark[j] && light[j] != dark[i] {
            let (tile, other_light, other_dark) = (light[i], light[j], dark[i]);
            let (light, dark) = (i + 1, j + 1);
            return Err(BoardError::of_both(format!(
                "light's square {light} and dark's square {dark} are both {tile}, but light's {dark} and dark's {light} \
                 are {other_light} and {other_dark}: the paths must mirror each other"
            )));
        }
        let (first, second) = (i.min(j) + 1, i.max(j) + 1);
        let crossing = |player, tile| {
            BoardError::of_both(format!(
                "{player}'s squares {first} and {second} are one tile ({tile}), the other player's are two: \
                 the paths must mirror each other"
            ))
        };
        match (light[i] == light[j], dark[i] == dark[j]) {
            (true, false) => Err(crossing(Player::Light, light[i])),
            (false, true) => Err(crossing(Player::Dark, dark[i])),
            _ => Ok(()),
        }
    }

    /// Returns `path` mirrored to the other side of the board with these tiles: dark's path, if light's is given.
    pub(crate) fn mirrored(tiles: &[(Tile, TileKind)], path: &[Tile]) -> Vec<Tile> {
        let rows = || tiles.iter().map(|(tile, _)| tile.row());
        let both = rows().min().unwrap_or(0) + rows().max().unwrap_or(0);
        path.iter()
            .map(|tile| Tile::new_in_range(both.saturating_sub(tile.row()), tile.column()))
            .collect()
    }

    /// Returns all tiles, by lane and column.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Returns the kind of `tile`; `None` if the board has no tile there.
    pub fn tile_kind(&self, tile: Tile) -> Option<TileKind> {
        self.tiles.binary_search(&tile).ok().map(|at| self.kinds[at])
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
        // `with_kinds` refuses longer paths.
        u8::try_from(self.light.len()).unwrap_or(Square::MAX)
    }

    /// Returns the squares of `player`'s path that lie on `tile`: none, one, or two if the path crosses itself.
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
        self.tile_kind(tile) == Some(TileKind::Rosette)
    }
}
