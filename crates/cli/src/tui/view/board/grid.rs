//! A board as a grid of framed tiles, as large as the room allows.

use puabi_core::{Board, Tile, TileNames};
use ratatui::prelude::*;
use ratatui::symbols::border;
use ratatui::symbols::merge::MergeStrategy;
use ratatui::widgets::{Block, Borders};

use super::face::Faces;
use crate::tui::state::{DIM, STRONG, Theme};

/// The widths and heights of the insides of tiles, largest first; the last two have no frames.
const SIZES: [(u16, u16); 7] = [(11, 5), (9, 3), (7, 3), (5, 3), (3, 1), (2, 1), (1, 1)];
/// Columns before a lane: its letter and a space.
const MARGIN: u16 = 2;
/// Rows above the lanes: the numbers of the columns.
const HEADER: u16 = 1;

/// The frames of tiles in ASCII.
pub(crate) const ASCII: border::Set<'_> = border_set("+", "|", "-");
/// The frames of marked tiles in ASCII.
const THICK_ASCII: border::Set<'_> = border_set("#", "#", "=");

/// Returns the characters of frames with one character for all corners, one for both sides, and one for the lines above and below.
const fn border_set<'a>(corner: &'a str, side: &'a str, line: &'a str) -> border::Set<'a> {
    border::Set {
        top_left: corner,
        top_right: corner,
        bottom_left: corner,
        bottom_right: corner,
        vertical_left: side,
        vertical_right: side,
        horizontal_top: line,
        horizontal_bottom: line,
    }
}

/// A board of tiles of one size at one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid<'a> {
    board: &'a Board,
    corner: Position,
    inside: Size,
}

impl<'a> Grid<'a> {
    /// Returns the largest grid of `board` that fits into `area`, in its middle.
    pub(super) fn fit(board: &'a Board, area: Rect) -> Option<Self> {
        let corner = area.as_position();
        let grid = |(width, height)| Self { board, corner, inside: Size { width, height } };
        let mut grids = SIZES.into_iter().map(grid);
        let grid = grids.find(|g| g.width() <= area.width && g.height() <= area.height)?;
        let indent = (area.width - grid.width()) / 2;
        Some(Self { corner: Position::new(area.x + indent, area.y), ..grid })
    }

    /// Returns the width of a line between tiles: 0 if tiles have no frames.
    const fn line(&self) -> u16 {
        if self.inside.width > 2 { 1 } else { 0 }
    }

    fn width(&self) -> u16 {
        let columns = self.board.tiles().iter().map(|tile| tile.column()).max().unwrap_or(0);
        MARGIN + u16::from(columns) * (self.inside.width + self.line()) + self.line()
    }

    fn lanes(&self) -> u8 {
        self.board.tiles().iter().map(|tile| tile.row() + 1).max().unwrap_or(0)
    }

    /// Returns the rows of the grid.
    pub(super) fn height(&self) -> u16 {
        HEADER + u16::from(self.lanes()) * (self.inside.height + self.line()) + self.line()
    }

    /// Returns the place of a tile with its frame.
    fn tile(&self, tile: Tile) -> Rect {
        let (line, Size { width, height }) = (self.line(), self.inside);
        let x = self.corner.x + MARGIN + u16::from(tile.column() - 1) * (width + line);
        let y = self.corner.y + HEADER + u16::from(tile.row()) * (height + line);
        Rect::new(x, y, width + 2 * line, height + 2 * line)
    }

    /// Returns the tile whose inside contains `at`.
    pub(crate) fn tile_at(&self, at: Position) -> Option<Tile> {
        self.board.tiles().iter().copied().find(|&tile| self.inside(tile).contains(at))
    }

    fn inside(&self, tile: Tile) -> Rect {
        self.tile(tile).inner(Margin::new(self.line(), self.line()))
    }

    /// Draws the board with `faces`; marked tiles come last, so that their frames are complete.
    pub(super) fn draw(&self, faces: &Faces, theme: Theme, buffer: &mut Buffer) {
        self.draw_labels(theme.style.names(), buffer);
        let tiles = || self.board.tiles().iter().copied();
        let marked = |tile: &Tile| faces.at(*tile).is_marked;
        for tile in tiles().filter(|tile| !marked(tile)).chain(tiles().filter(marked)) {
            let face = faces.at(tile);
            if self.line() > 0 {
                frame(face.is_marked, theme).render(self.tile(tile), buffer);
            }
            face.draw(self.inside(tile), theme, buffer);
        }
    }

    /// Writes the names of the lanes and of the columns.
    fn draw_labels(&self, names: TileNames, buffer: &mut Buffer) {
        for &tile in self.board.tiles() {
            let inside = self.inside(tile);
            let lane = names.lane(tile.row());
            buffer.set_string(self.corner.x, inside.y + inside.height / 2, lane, DIM);
            let width = usize::from(inside.width);
            // A number with two digits would touch the next one, so only its last digit is shown.
            let column = names.column(tile.column());
            let column = if width > 2 { &column } else { &column[column.len() - 1..] };
            buffer.set_string(inside.x, self.corner.y, format!("{column:^width$}"), DIM);
        }
    }
}

/// Returns the frame of a tile, which is thick if the tile is marked.
fn frame(is_marked: bool, theme: Theme) -> Block<'static> {
    let set = match (is_marked, theme.is_ascii()) {
        (false, false) => border::PLAIN,
        (true, false) => border::THICK,
        (false, true) => ASCII,
        (true, true) => THICK_ASCII,
    };
    let style = if is_marked { STRONG } else { DIM };
    let merging = if theme.is_ascii() { MergeStrategy::Replace } else { MergeStrategy::Exact };
    Block::new().borders(Borders::ALL).border_set(set).border_style(style).merge_borders(merging)
}
