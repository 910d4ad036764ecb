//! Routes known by name, with the boards they run over.

use crate::{Board, Tile, TileKind};

/// A route known by name, with the board it runs over.
///
/// The tiles are those of `RoyalUr`: light starts in lane A and, on the routes of Masters, Murray and Skiriuk, turns into the
/// far side of the small block first. This matters only for drawing: a turn into the near side gives the same game.
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
    /// Skiriuk's path of 23 squares with camps, holy tiles and a last tile; it turns into the player's own side of the small
    /// block first.
    Forgotten,
    /// The path of `Forgotten`; every tile is plain or a rosette.
    Simple,
    /// The path of `Forgotten`, with tiles for novices and tiles for veterans.
    Dmytro,
}

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
        let (side, middle, path) = self.drawing();
        let lane = |(row, lane): (u8, &'static str)| {
            let tile =
                move |(column, sign)| Some((Tile::new(row, column)?, TileKind::from_sign(sign)?));
            (1..).zip(lane.chars()).filter_map(tile)
        };
        let tiles: Vec<_> = (0..).zip([side, middle, side]).flat_map(lane).collect();
        let light: Vec<Tile> = path.split(' ').filter_map(|name| name.parse().ok()).collect();
        let dark = Board::mirrored(&tiles, &light);
        Board::with_kinds(tiles, light, dark).expect("a named route is a board")
    }

    /// Returns the drawing of lane A, which is also that of lane C, then the drawing of lane B, then light's path.
    ///
    /// The signs are those of rule files.
    const fn drawing(self) -> (&'static str, &'static str, &'static str) {
        const SIDE: &str = "*...  *.";
        const MIDDLE: &str = "...*....";
        const FAR_SIDE_AND_BACK: &str =
            "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 C7 C8 B8 A8 A7 B7 B6 B5 B4 B3 B2 B1";
        const OWN_SIDE_AND_BACK: &str =
            "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 A7 A8 B8 C8 C7 B7 B6 B5 B4 B3 B2 B1";
        match self {
            Self::Bell => (SIDE, MIDDLE, "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 A8 A7"),
            Self::Masters => (SIDE, MIDDLE, "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 C7 C8 B8 A8 A7"),
            Self::Aseb => {
                ("*...", "...*...*...*", "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12")
            }
            Self::Murray => (
                SIDE,
                MIDDLE,
                "A4 A3 A2 A1 B1 B2 B3 B4 B5 B6 B7 C7 C8 B8 A8 A7 B7 B6 B5 B4 B3 B2 B1 C1 C2 C3 C4",
            ),
            Self::Skiriuk => (SIDE, MIDDLE, FAR_SIDE_AND_BACK),
            Self::Forgotten => ("*C.C  *.", "L.H*.HC.", OWN_SIDE_AND_BACK),
            Self::Simple => (SIDE, MIDDLE, OWN_SIDE_AND_BACK),
            Self::Dmytro => ("*N.N  *.", "H.V*.VN.", OWN_SIDE_AND_BACK),
        }
    }
}
