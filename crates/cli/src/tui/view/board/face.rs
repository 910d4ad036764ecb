//! What a tile shows inside its frame: a rosette, pieces and their number, the number of a move.

use std::collections::HashMap;

use puabi_core::{Player, Rules, Setup, Tile, TileKind};
use ratatui::prelude::*;

use crate::tui::state::{DIM, SELECTED, STRONG, Theme};

/// A piece on a tile.
#[derive(Debug, Clone, Copy)]
struct Piece {
    player: Player,
    is_veteran: bool,
}

impl Piece {
    fn sign(self, theme: Theme) -> char {
        let charset = theme.style.charset();
        if self.is_veteran { charset.veteran(self.player) } else { charset.piece(self.player) }
    }

    /// Returns the strokes of the piece alone on a large tile: a disc, with the sign of a veteran in its middle.
    fn strokes(self, theme: Theme, size: Size) -> Vec<Stroke> {
        let style = theme.player(self.player);
        let mut strokes = centred(size, disc(theme, self.player, size.width), style);
        if self.is_veteran {
            strokes.push((size.width / 2, size.height / 2, self.sign(theme).to_string(), style));
        }
        strokes
    }
}

/// The pieces on a tile, and its marks.
#[derive(Debug, Clone, Default)]
pub(super) struct Face {
    /// The pieces, bottom first.
    pieces: Vec<Piece>,
    /// A character in the corner: the number of a move, for example.
    label: Option<char>,
    /// Whether the frame is thick.
    pub(super) is_marked: bool,
    /// The mark of the tile's kind, see [`TileKind::mark`].
    kind: Option<char>,
}

/// The faces of a board.
#[derive(Debug, Clone)]
pub(crate) struct Faces(HashMap<Tile, Face>);

impl Faces {
    /// Returns the faces of a board with the pieces of `setup`; ignores squares beyond the path.
    pub(crate) fn new(rules: &Rules, setup: &Setup) -> Self {
        let board = rules.board();
        let kind = |tile| board.tile_kind(tile).and_then(TileKind::mark);
        let bare = |&tile| (tile, Face { kind: kind(tile), ..Face::default() });
        let mut faces: HashMap<_, _> = board.tiles().iter().map(bare).collect();
        for (tile, pieces) in rules.pieces_by_tile(setup) {
            let piece =
                |(player, square)| Piece { player, is_veteran: rules.veterans().contains(square) };
            faces.entry(tile).or_default().pieces = pieces.into_iter().map(piece).collect();
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

    /// Returns the sign of the top piece, reversed if the tile is marked, and the number of pieces after it.
    fn tiny(&self, theme: Theme, width: u16) -> Vec<Stroke> {
        let (sign, style) = match (self.pieces.last(), self.label, self.kind) {
            (Some(&top), _, _) => (top.sign(theme).to_string(), theme.player(top.player)),
            (None, Some(label), _) => (label.to_string(), STRONG),
            (None, None, Some(kind)) => (kind.to_string(), theme.rosette()),
            (None, None, None) => (theme.sign("·", ".").to_owned(), DIM),
        };
        let style = if self.is_marked { style.patch(SELECTED) } else { style };
        let count = self.count().filter(|_| width > 1);
        let behind = count.map(|count| (1, 0, count.to_string(), STRONG));
        std::iter::once((0, 0, sign, style)).chain(behind).collect()
    }

    /// Returns three signs: a label or the tile's mark, and the pieces.
    fn small(&self, theme: Theme, width: u16) -> Vec<Stroke> {
        let before = self.label.map(|label| (label, STRONG));
        let mark = self.kind.map(|kind| (kind, theme.rosette()));
        let nothing = (' ', Style::new());
        let signs = match *self.pieces.as_slice() {
            [] => [before.unwrap_or(nothing), mark.unwrap_or(nothing), nothing],
            [piece] => {
                let behind = mark.filter(|&(sign, _)| sign == '*').unwrap_or(nothing);
                let before = before.or(mark).unwrap_or(nothing);
                [before, (piece.sign(theme), theme.player(piece.player)), behind]
            }
            [_, _, _] if before.is_none() => {
                self.stack(theme, 3).try_into().unwrap_or([nothing; 3])
            }
            _ => {
                let stack = self.stack(theme, 2);
                [before.or(mark).unwrap_or(nothing), stack[0], stack[1]]
            }
        };
        let middle = width / 2;
        (middle - 1..)
            .zip(signs)
            .map(|(x, (sign, style))| (x, 0, sign.to_string(), style))
            .collect()
    }

    /// Returns the signs of several pieces, bottom first; if there is no room for all, their number and the top ones.
    fn stack(&self, theme: Theme, room: usize) -> Vec<(char, Style)> {
        let sign = |piece: &Piece| (piece.sign(theme), theme.player(piece.player));
        match self.count().filter(|_| self.pieces.len() > room) {
            None => self.pieces.iter().map(sign).collect(),
            Some(count) => {
                let top = &self.pieces[self.pieces.len() - (room - 1)..];
                std::iter::once((count, STRONG)).chain(top.iter().map(sign)).collect()
            }
        }
    }

    /// Returns a disc, a stack's signs or the tile's mark in the middle, the mark of an occupied tile in its corners, and
    /// a label in the first corner.
    fn large(&self, theme: Theme, size: Size) -> Vec<Stroke> {
        let (right, bottom) = (size.width - 1, size.height - 1);
        let mut strokes = match *self.pieces.as_slice() {
            [] => self.ground(theme, size),
            [piece] => piece.strokes(theme, size),
            _ => {
                let signs = self.stack(theme, size.width.into());
                let width = u16::try_from(signs.len()).unwrap_or(size.width);
                let from = (size.width - width) / 2;
                let stroke = |(x, (sign, style)): (u16, (char, _))| {
                    (x, size.height / 2, sign.to_string(), style)
                };
                (from..).zip(signs).map(stroke).collect()
            }
        };
        if let Some(kind) = self.kind.filter(|_| !self.pieces.is_empty()) {
            let corners: &[_] = if kind == '*' {
                &[(0, 0), (right, 0), (0, bottom), (right, bottom)]
            } else {
                &[(right, bottom)]
            };
            let mark = |&(x, y)| (x, y, kind.to_string(), theme.rosette());
            strokes.extend(corners.iter().map(mark));
        }
        strokes.extend(self.label.map(|label| (0, 0, label.to_string(), STRONG)));
        strokes
    }

    /// Returns what an empty tile shows.
    fn ground(&self, theme: Theme, size: Size) -> Vec<Stroke> {
        match self.kind {
            None => Vec::new(),
            Some('*') => centred(size, star(theme), theme.rosette()),
            Some(kind) => {
                vec![(size.width / 2, size.height / 2, kind.to_string(), theme.rosette())]
            }
        }
    }

    /// Returns the number of pieces, if there are several.
    fn count(&self) -> Option<char> {
        let count = u32::try_from(self.pieces.len()).ok().filter(|&count| count > 1)?;
        char::from_digit(count, 36)
    }
}

/// Returns three rows of a picture in the middle of a tile.
fn centred(size: Size, art: [&'static str; 3], style: Style) -> Vec<Stroke> {
    let width = u16::try_from(art[0].chars().count()).unwrap_or(0);
    let (x, y) = ((size.width - width) / 2, (size.height - 3) / 2);
    (y..).zip(art).map(|(y, line)| (x, y, line.to_owned(), style)).collect()
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
