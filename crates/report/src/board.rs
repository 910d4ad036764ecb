//! The board of a ply as SVG.

use maud::{Markup, html};
use puabi_core::{Move, Player, Rules, Setup, Square, Tile, TileKind};

/// The length of a tile's side, in units of the picture.
const SIDE: u32 = 40;
/// The height of the lines of text above and below the board, in units of the picture.
const LINE: u32 = 24;
/// The id under which the empty board is drawn once.
const BOARD: &str = "board";

/// Returns the lanes and the columns of the board.
fn size(rules: &Rules) -> (u32, u32) {
    let tiles = rules.board().tiles();
    let lanes = tiles.iter().map(|tile| u32::from(tile.row()) + 1).max().unwrap_or(1);
    let columns = tiles.iter().map(|tile| u32::from(tile.column())).max().unwrap_or(1);
    (lanes, columns)
}

fn corner(tile: Tile) -> (u32, u32) {
    ((u32::from(tile.column()) - 1) * SIDE, u32::from(tile.row()) * SIDE + LINE)
}

fn centre(tile: Tile) -> (u32, u32) {
    let (x, y) = corner(tile);
    (x + SIDE / 2, y + SIDE / 2)
}

/// Draws the empty board once, to be used by every ply.
pub(super) fn empty(rules: &Rules) -> Markup {
    html! {
        svg width="0" height="0" aria-hidden="true" {
            symbol id=(BOARD) overflow="visible" {
                @for &tile in rules.board().tiles() {
                    @let (x, y) = corner(tile);
                    @let class = if rules.board().is_rosette(tile) { "tile rosette" } else { "tile" };
                    rect class=(class) x=(x + 1) y=(y + 1) width=(SIDE - 2) height=(SIDE - 2) rx="4" {}
                    @if rules.board().is_rosette(tile) { (star(tile)) }
                    text class="name" x=(x + 4) y=(y + SIDE - 4) { (tile) }
                    @if let Some(mark) = kind_mark(rules, tile) {
                        text class="name" text-anchor="end" x=(x + SIDE - 4) y=(y + SIDE - 4) { (mark) }
                    }
                }
            }
        }
    }
}

/// Draws the pieces of `setup` over the board, and the squares that `action` leaves and reaches.
pub(super) fn position(rules: &Rules, setup: &Setup, action: Move) -> Markup {
    let (lanes, columns) = size(rules);
    let (width, height) = (columns * SIDE, lanes * SIDE + 2 * LINE);
    html! {
        svg class="board" role="img" viewBox=(format!("0 0 {width} {height}")) aria-label=(words(rules, setup)) {
            // The element is written as text: the macro would take its name for a keyword of Rust.
            (maud::PreEscaped(format!("<use href=\"#{BOARD}\"/>")))
            @for (tile, stack) in rules.pieces_by_tile(setup) {
                @for (height, piece) in (0..).zip(stack) { (piece_on_tile(rules, tile, height, piece)) }
            }
            @for player in Player::BOTH {
                @let y = if player == Player::Light { LINE - 8 } else { height - 8 };
                text class="side" x="2" y=(y) { (side(rules, setup, player)) }
            }
            (arrow(rules, setup.turn, action))
        }
    }
}

/// Returns what is written on a tile that is neither plain nor a rosette.
fn kind_mark(rules: &Rules, tile: Tile) -> Option<&'static str> {
    let kind = rules.board().tile_kind(tile)?;
    (!matches!(kind, TileKind::Plain | TileKind::Rosette)).then(|| kind.word())
}

/// Draws the eight petals of a rosette.
fn star(tile: Tile) -> Markup {
    let (x, y) = centre(tile);
    html! { path class="petals" d=(format!("M{x} {y}m-11 0h22m-11-11v22m-8-19 16 16m0-16-16 16")) {} }
}

/// Draws a piece that lies on `height` others; a veteran is marked.
fn piece_on_tile(
    rules: &Rules,
    tile: Tile,
    height: u32,
    (player, square): (Player, Square),
) -> Markup {
    let (x, y) = centre(tile);
    let y = y - 5 * height;
    html! {
        circle class=(player) cx=(x) cy=(y) r="13" {}
        @if rules.veterans().contains(square) { circle class=(format!("veteran {player}")) cx=(x) cy=(y) r="5" {} }
    }
}

/// Draws the squares that a move leaves and reaches.
fn arrow(rules: &Rules, player: Player, action: Move) -> Markup {
    let place = |square: Option<Square>| square.map(|square| centre(rules.tile(player, square)));
    html! {
        @if let Some((x, y)) = place(action.from()) { circle class="from" cx=(x) cy=(y) r="17" {} }
        @if let Some((x, y)) = place(action.to()) { circle class="to" cx=(x) cy=(y) r="17" {} }
        @if let (Some((x1, y1)), Some((x2, y2))) = (place(action.from()), place(action.to())) {
            line class="way" x1=(x1) y1=(y1) x2=(x2) y2=(y2) {}
        }
    }
}

fn side(rules: &Rules, setup: &Setup, player: Player) -> String {
    let side = setup.side(player);
    let held = side.squares.len() + usize::from(side.score);
    let hand = usize::from(rules.pieces()).saturating_sub(held);
    format!("{player}: {hand} in hand, {} home", rules.home_count(side.score))
}

/// Returns the position in words, for readers who cannot see the picture.
fn words(rules: &Rules, setup: &Setup) -> String {
    let mut words = Vec::new();
    for player in Player::BOTH {
        let squares = setup.side(player).squares.iter();
        let tiles: Vec<_> = squares.map(|&square| rules.tile(player, square).to_string()).collect();
        let on = if tiles.is_empty() { "none".to_owned() } else { tiles.join(", ") };
        words.push(format!("{}, on the board {on}", side(rules, setup, player)));
    }
    let is_veteran = |square| rules.veterans().contains(square);
    for (tile, stack) in rules.pieces_by_tile(setup) {
        if stack.len() < 2 && !stack.iter().any(|&(_, square)| is_veteran(square)) {
            continue;
        }
        let order = if stack.len() < 2 { "" } else { ", from below" };
        let pieces = stack.iter().map(|&(player, square)| {
            let veteran = if is_veteran(square) { " veteran" } else { "" };
            format!("{player}{veteran}")
        });
        words.push(format!("{tile}{order}: {}", pieces.collect::<Vec<_>>().join(", ")));
    }
    words.join("; ")
}
