//! What a tile shows inside its frame: a rosette, pieces, how many, the number of a move.

use std::collections::HashMap;

use puabi_core::{Board, Player, Rules, Setup, Tile};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;

use crate::tui::look::Look;

/// What stands on a tile and what is marked there.
#[derive(Debug, Clone, Default)]
pub(super) struct Face {
    /// Whose pieces stand there, and how many.
    pieces: Option<(Player, usize)>,
    /// A sign in the corner: the number of a move, for one.
    label: Option<char>,
    /// Whether the tile is one that matters now; its frame is drawn thick.
    pub(super) is_marked: bool,
    is_rosette: bool,
}

/// The faces of a board.
#[derive(Debug, Clone)]
pub(super) struct Faces(HashMap<Tile, Face>);

impl Faces {
    /// Returns the faces of a board with the pieces of `setup`; what that has beyond the path is left out.
    pub(super) fn new(rules: &Rules, setup: &Setup) -> Self {
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
    pub(super) fn mark(&mut self, tile: Tile) {
        self.0.entry(tile).or_default().is_marked = true;
    }

    /// Writes `label` on `tile`.
    pub(super) fn label(&mut self, tile: Tile, label: char) {
        self.0.entry(tile).or_default().label = Some(label);
    }
}

fn occupied(board: &Board, setup: &Setup, player: Player) -> impl Iterator<Item = Tile> {
    let path = board.path(player);
    let squares = setup.side(player).squares.iter();
    squares.filter_map(|square| path.get(usize::from(square.number()) - 1).copied())
}

/// A part of a face: where, what, how.
type Stroke = (u16, u16, String, Style);

impl Face {
    /// Draws the face into `area`, the inside of a tile.
    pub(super) fn draw(&self, area: Rect, look: Look, buffer: &mut Buffer) {
        let strokes = match area.as_size() {
            Size { width: width @ 0..3, .. } => self.tiny(look, width),
            Size { height: 0..3, .. } => self.small(look, area.width),
            size => self.large(look, size),
        };
        for (x, y, text, style) in strokes {
            buffer.set_string(area.x + x, area.y + y, text, style);
        }
    }

    /// One sign, turned round where the tile is marked, and behind it how many pieces there are.
    fn tiny(&self, look: Look, width: u16) -> Vec<Stroke> {
        let (sign, style) = match (self.pieces, self.label) {
            (Some((player, _)), _) => (look.piece(player).to_string(), look.player(player)),
            (None, Some(label)) => (label.to_string(), look.strong()),
            (None, None) if self.is_rosette => ("*".to_owned(), look.rosette()),
            (None, None) => (look.sign("·", ".").to_owned(), look.dim()),
        };
        let style = if self.is_marked { style.patch(look.selected()) } else { style };
        let count = self.count().filter(|_| width > 1);
        let behind = count.map(|count| (1, 0, count.to_string(), look.strong()));
        std::iter::once((0, 0, sign, style)).chain(behind).collect()
    }

    /// A label, a piece or a rosette, and a star or a count.
    fn small(&self, look: Look, width: u16) -> Vec<Stroke> {
        let star = if self.is_rosette { Some('*') } else { None };
        let centre = match self.pieces {
            Some((player, _)) => (look.piece(player), look.player(player)),
            None => (star.unwrap_or(' '), look.rosette()),
        };
        let beside = star.filter(|_| self.pieces.is_some()).unwrap_or(' ');
        let before = self.label.map_or((beside, look.rosette()), |label| (label, look.strong()));
        let behind = self.count().map_or((beside, look.rosette()), |count| (count, look.strong()));
        let middle = width / 2;
        [(middle - 1, before), (middle, centre), (middle + 1, behind)]
            .map(|(x, (sign, style))| (x, 0, sign.to_string(), style))
            .to_vec()
    }

    /// A disc or a star of three rows, stars in the corners of an occupied rosette, a label in the first.
    fn large(&self, look: Look, size: Size) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        let (right, bottom) = (size.width - 1, size.height - 1);
        let (art, style) = match self.pieces {
            Some((player, _)) => (disc(look, player, size.width), look.player(player)),
            None if self.is_rosette => (star(look), look.rosette()),
            None => ([""; 3], Style::new()),
        };
        let width = u16::try_from(art[0].chars().count()).unwrap_or(0);
        let corner = ((size.width - width) / 2, (size.height - 3) / 2);
        strokes.extend(
            (0..).zip(art).map(|(row, line)| (corner.0, corner.1 + row, line.to_owned(), style)),
        );
        if let Some(count) = self.count() {
            strokes.push((size.width / 2, corner.1 + 1, count.to_string(), look.strong()));
        }
        if self.is_rosette && self.pieces.is_some() {
            let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
            strokes.extend(corners.map(|(x, y)| (x, y, "*".to_owned(), look.rosette())));
        }
        strokes.extend(self.label.map(|label| (0, 0, label.to_string(), look.strong())));
        strokes
    }

    /// How many pieces there are, where that is not clear.
    fn count(&self) -> Option<char> {
        let (_, count) = self.pieces.filter(|&(_, count)| count > 1)?;
        char::from_digit(u32::try_from(count).ok()?, 36)
    }
}

/// A piece: light's an outline, dark's filled.
fn disc(look: Look, player: Player, width: u16) -> [&'static str; 3] {
    match (player, width >= 9, look.is_ascii()) {
        (Player::Light, _, true) => ["/-\\", "|L|", "\\-/"],
        (Player::Dark, _, true) => ["###", "#D#", "###"],
        (Player::Light, false, _) => ["╭─╮", "│ │", "╰─╯"],
        (Player::Dark, false, _) => ["▗▄▖", "▐█▌", "▝▀▘"],
        (Player::Light, true, _) => ["╭───╮", "│   │", "╰───╯"],
        (Player::Dark, true, _) => ["▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"],
    }
}

fn star(look: Look) -> [&'static str; 3] {
    if look.is_ascii() {
        ["\\ | /", "--*--", "/ | \\"]
    } else {
        ["╲ │ ╱", "──*──", "╱ │ ╲"]
    }
}
