//! What a tile shows inside its frame: a rosette, pieces and their number, the number of a move.

use std::collections::HashMap;

use puabi_core::{Board, Player, Rules, Setup, Tile};
use ratatui::prelude::*;

use crate::tui::state::{DIM, SELECTED, STRONG, Theme};

/// The pieces on a tile, and its marks.
#[derive(Debug, Clone, Default)]
pub(super) struct Face {
    /// The owner of the pieces, and their number.
    pieces: Option<(Player, usize)>,
    /// A character in the corner: the number of a move, for example.
    label: Option<char>,
    /// Whether the frame is thick.
    pub(super) is_marked: bool,
    is_rosette: bool,
}

/// The faces of a board.
#[derive(Debug, Clone)]
pub(crate) struct Faces(HashMap<Tile, Face>);

impl Faces {
    /// Returns the faces of a board with the pieces of `setup`; ignores squares beyond the path.
    pub(crate) fn new(rules: &Rules, setup: &Setup) -> Self {
        let board = rules.board();
        let bare = |&tile| (tile, Face { is_rosette: board.is_rosette(tile), ..Face::default() });
        let mut faces: HashMap<_, _> = board.tiles().iter().map(bare).collect();
        for player in Player::BOTH {
            for tile in occupied(board, setup, player) {
                let pieces = &mut faces.entry(tile).or_default().pieces;
                let count = pieces.filter(|&(owner, _)| owner == player).map_or(0, |(_, n)| n);
                *pieces = Some((player, count + 1));
            }
        }
        Self(faces)
    }

    /// Returns the face of `tile`.
    pub(super) fn at(&self, tile: Tile) -> Face {
        self.0.get(&tile).cloned().unwrap_or_default()
    }

    /// Marks `tile`.
    pub(crate) fn mark(&mut self, tile: Tile) {
        self.0.entry(tile).or_default().is_marked = true;
    }

    /// Writes `label` on `tile`.
    pub(crate) fn label(&mut self, tile: Tile, label: char) {
        self.0.entry(tile).or_default().label = Some(label);
    }
}

fn occupied(board: &Board, setup: &Setup, player: Player) -> impl Iterator<Item = Tile> {
    let path = board.path(player);
    let squares = setup.side(player).squares.iter();
    squares.filter_map(|square| path.get(usize::from(square.number()) - 1).copied())
}

/// A part of a face: its column, its row, its text and its style.
type Stroke = (u16, u16, String, Style);

impl Face {
    /// Draws the face into `area`, the inside of a tile.
    pub(super) fn draw(&self, area: Rect, theme: Theme, buffer: &mut Buffer) {
        let strokes = match area.as_size() {
            Size { width: width @ 0..3, .. } => self.tiny(theme, width),
            Size { height: 0..3, .. } => self.small(theme, area.width),
            size => self.large(theme, size),
        };
        for (x, y, text, style) in strokes {
            buffer.set_string(area.x + x, area.y + y, text, style);
        }
    }

    /// Returns one character, reversed if the tile is marked, and the number of pieces after it.
    fn tiny(&self, theme: Theme, width: u16) -> Vec<Stroke> {
        let (sign, style) = match (self.pieces, self.label) {
            (Some((player, _)), _) => (theme.piece(player).to_string(), theme.player(player)),
            (None, Some(label)) => (label.to_string(), STRONG),
            (None, None) if self.is_rosette => ("*".to_owned(), theme.rosette()),
            (None, None) => (theme.sign("·", ".").to_owned(), DIM),
        };
        let style = if self.is_marked { style.patch(SELECTED) } else { style };
        let count = self.count().filter(|_| width > 1);
        let behind = count.map(|count| (1, 0, count.to_string(), STRONG));
        std::iter::once((0, 0, sign, style)).chain(behind).collect()
    }

    /// Returns a label, a piece or a rosette, and a star or a count.
    fn small(&self, theme: Theme, width: u16) -> Vec<Stroke> {
        let star = if self.is_rosette { Some('*') } else { None };
        let centre = match self.pieces {
            Some((player, _)) => (theme.piece(player), theme.player(player)),
            None => (star.unwrap_or(' '), theme.rosette()),
        };
        let beside = star.filter(|_| self.pieces.is_some()).unwrap_or(' ');
        let before = self.label.map_or((beside, theme.rosette()), |label| (label, STRONG));
        let behind = self.count().map_or((beside, theme.rosette()), |count| (count, STRONG));
        let middle = width / 2;
        [(middle - 1, before), (middle, centre), (middle + 1, behind)]
            .map(|(x, (sign, style))| (x, 0, sign.to_string(), style))
            .to_vec()
    }

    /// Returns a disc or a star of three rows, stars in the corners of an occupied rosette, and a label in the first corner.
    fn large(&self, theme: Theme, size: Size) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        let (right, bottom) = (size.width - 1, size.height - 1);
        let (art, style) = match self.pieces {
            Some((player, _)) => (disc(theme, player, size.width), theme.player(player)),
            None if self.is_rosette => (star(theme), theme.rosette()),
            None => ([""; 3], Style::new()),
        };
        let width = u16::try_from(art[0].chars().count()).unwrap_or(0);
        let corner = ((size.width - width) / 2, (size.height - 3) / 2);
        strokes.extend(
            (0..).zip(art).map(|(row, line)| (corner.0, corner.1 + row, line.to_owned(), style)),
        );
        if let Some(count) = self.count() {
            strokes.push((size.width / 2, corner.1 + 1, count.to_string(), STRONG));
        }
        if self.is_rosette && self.pieces.is_some() {
            let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
            strokes.extend(corners.map(|(x, y)| (x, y, "*".to_owned(), theme.rosette())));
        }
        strokes.extend(self.label.map(|label| (0, 0, label.to_string(), STRONG)));
        strokes
    }

    /// Returns the number of pieces, if there are several.
    fn count(&self) -> Option<char> {
        let (_, count) = self.pieces.filter(|&(_, count)| count > 1)?;
        char::from_digit(u32::try_from(count).ok()?, 36)
    }
}

/// Returns the disc of a piece: an outline for light, filled for dark.
fn disc(theme: Theme, player: Player, width: u16) -> [&'static str; 3] {
    match (player, width >= 9, theme.is_ascii()) {
        (Player::Light, _, true) => ["/-\\", "|L|", "\\-/"],
        (Player::Dark, _, true) => ["###", "#D#", "###"],
        (Player::Light, false, _) => ["╭─╮", "│ │", "╰─╯"],
        (Player::Dark, false, _) => ["▗▄▖", "▐█▌", "▝▀▘"],
        (Player::Light, true, _) => ["╭───╮", "│   │", "╰───╯"],
        (Player::Dark, true, _) => ["▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"],
    }
}

fn star(theme: Theme) -> [&'static str; 3] {
    if theme.is_ascii() {
        ["\\ | /", "--*--", "/ | \\"]
    } else {
        ["╲ │ ╱", "──*──", "╱ │ ╲"]
    }
}
