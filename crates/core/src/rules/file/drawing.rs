//! The table `path` of a rule file, which draws a board.

use toml::de::{DeTable, DeValue};

use crate::board::tile::{MAX_COLUMNS, MAX_ROWS};
use crate::rules::file::section::{Found, Section};
use crate::{Board, BoardError, Path, Player, Route, RuleFileError, Tile, TileError, TileKind};

const PATH_EXPECTED: &str = "\"bell\", \"masters\", \"aseb\", \"murray\", \"skiriuk\", \"forgotten\", \"simple\", \"dmytro\", or a table [path] that draws a board";

const BOARD: &str = "path.board";
const LIGHT: &str = "path.light";
const DARK: &str = "path.dark";

const LANES_EXPECTED: &str = "an array with one text for each lane, such as \"*...  *.\": . for a tile, * for a rosette, \
     a space for nothing";
const TILES_EXPECTED: &str =
    "the tiles of a path in order, such as \"A4 A3 A2 A1 B1\", or an array of them";

/// Reads the path: the name of a route, or a table that draws a board.
pub(super) fn path(file: &Section<'_, '_>) -> Result<Path, RuleFileError> {
    let found = file.require("path", PATH_EXPECTED)?;
    match found.get_ref() {
        DeValue::Table(table) => {
            let board = read(file.text, table, found.span().start)?;
            Ok(Path::Drawn(Box::new(board)))
        }
        DeValue::String(name) => Route::named(name).map(Path::Named).ok_or_else(|| {
            file.misnamed("path", found, Route::ALL.map(Route::name), PATH_EXPECTED)
        }),
        _ => Err(file.wrong("path", found, PATH_EXPECTED)),
    }
}

/// Reads the board that `table`, at `offset` of `text`, draws.
fn read(text: &str, table: &DeTable<'_>, offset: usize) -> Result<Board, RuleFileError> {
    let section = Section::open(text, table, "path.", &[BOARD, LIGHT, DARK], offset)?;
    let tiles = section.lanes()?;
    let light = section.tiles(LIGHT, section.require(LIGHT, TILES_EXPECTED)?)?;
    let dark = match section.get(DARK) {
        Some(found) => section.tiles(DARK, found)?,
        None => Board::mirrored(&tiles, &light),
    };
    Board::with_kinds(tiles, light, dark).map_err(|error| section.board_error(&error))
}

impl Section<'_, '_> {
    /// Reads the tiles of the board, each with its kind.
    fn lanes(&self) -> Result<Vec<(Tile, TileKind)>, RuleFileError> {
        let found = self.require(BOARD, LANES_EXPECTED)?;
        let Some(lanes) = found.get_ref().as_array() else {
            return Err(self.wrong(BOARD, found, LANES_EXPECTED));
        };
        if lanes.is_empty() || lanes.len() > usize::from(MAX_ROWS) {
            return Err(self.wrong(BOARD, found, &format!("1 to {MAX_ROWS} lanes")));
        }
        let lanes = (0..).zip(lanes).map(|(row, lane)| self.lane(row, lane));
        Ok(lanes.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Reads the tiles of one lane, each with its kind.
    fn lane(&self, row: u8, found: Found<'_, '_>) -> Result<Vec<(Tile, TileKind)>, RuleFileError> {
        let Some(signs) = found.get_ref().as_str() else {
            return Err(self.wrong(BOARD, found, LANES_EXPECTED));
        };
        let mut tiles = Vec::new();
        for (column, (offset, sign)) in (1..).zip(signs.char_indices()) {
            let tile = u8::try_from(column).ok().and_then(|column| Tile::new(row, column));
            match (sign, tile.zip(TileKind::from_sign(sign))) {
                (' ', _) => {}
                (_, Some(known)) => tiles.push(known),
                _ => {
                    let lane = char::from(b'A' + row);
                    let message = format!(
                        "`{BOARD}` is `{}` in column {column} of lane {lane}: expected . for a tile, * for a \
                         rosette, C for a camp, H for a holy tile, N for a tile of novices, V for a tile of veterans, \
                         L for a last tile or a space for nothing, in at most {MAX_COLUMNS} columns",
                        sign.escape_default()
                    );
                    return Err(self.error_inside(found, offset, &message));
                }
            }
        }
        Ok(tiles)
    }

    /// Reads the tiles of a path, named in one text or in an array of texts.
    fn tiles(&self, key: &'static str, found: Found<'_, '_>) -> Result<Vec<Tile>, RuleFileError> {
        let texts = match found.get_ref() {
            DeValue::Array(texts) => texts.iter().collect(),
            _ => vec![found],
        };
        let mut tiles = Vec::new();
        for text in texts {
            let Some(names) = text.get_ref().as_str() else {
                return Err(self.wrong(key, text, TILES_EXPECTED));
            };
            for name in names.split_whitespace() {
                let offset = name.as_ptr().addr() - names.as_ptr().addr();
                let tile = name.parse().map_err(|error: TileError| {
                    self.error_inside(text, offset, &format!("`{key}`: {error}"))
                })?;
                tiles.push(tile);
            }
        }
        Ok(tiles)
    }

    /// Returns the error of a drawing that is not a board, at the key to change.
    fn board_error(&self, error: &BoardError) -> RuleFileError {
        let key = match error.player() {
            Some(Player::Light) => LIGHT,
            Some(Player::Dark) => DARK,
            None => BOARD,
        };
        self.refused(key, "path", error)
    }
}

/// Writes the table that draws `board`.
pub(super) fn write(board: &Board) -> String {
    let names = |path: &[Tile]| path.iter().map(Tile::to_string).collect::<Vec<_>>().join(" ");
    let last = board.tiles().last().map_or(0, |tile| tile.row());
    let lanes: String = (0..=last).map(|row| lane_line(board, row)).collect();
    let (light, dark) = (names(board.light()), names(board.dark()));
    format!("\n[path]\nboard = [\n{lanes}]\nlight = \"{light}\"\ndark = \"{dark}\"\n")
}

fn lane_line(board: &Board, row: u8) -> String {
    let mut signs = String::new();
    for tile in board.tiles().iter().filter(|tile| tile.row() == row) {
        let sign = board.tile_kind(*tile).unwrap_or(TileKind::Plain).sign();
        signs.extend(std::iter::repeat_n(' ', usize::from(tile.column()) - 1 - signs.len()));
        signs.push(sign);
    }
    format!("  \"{signs}\",\n")
}
