//! The board between the pieces that each player has in hand and home.

mod face;
pub(super) mod grid;

use puabi_core::{Player, Setup, SideSetup};
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::prelude::*;

use crate::output::text::t;
use crate::tui::state::{App, DIM};
pub(super) use face::Faces;
use grid::Grid;

/// The places of a board and its players, and of the room below.
#[derive(Debug)]
pub(super) struct BoardArea<'a> {
    light: Rect,
    pub(super) grid: Option<Grid<'a>>,
    board: Rect,
    dark: Rect,
    /// The room below.
    pub(super) below: Rect,
}

impl<'a> BoardArea<'a> {
    /// Returns the places at the top of `area`, with at least `below` rows left below.
    pub(super) fn new(app: &'a App, area: Rect, below: u16) -> Self {
        let height = area.height.saturating_sub(2 + below);
        let grid = Grid::fit(app.rules().board(), Rect { y: area.y + 1, height, ..area });
        let board = grid.as_ref().map_or(height, Grid::height);
        let rows = [Length(1), Length(board), Length(1), Fill(1)];
        let [light, board, dark, below] = Layout::vertical(rows).areas(area);
        Self { light, grid, board, dark, below }
    }

    /// Draws `setup` with the labels and marks of `faces`.
    pub(super) fn draw(&self, app: &App, setup: &Setup, faces: &Faces, buffer: &mut Buffer) {
        line(app, setup, Player::Light, self.light.width).render(self.light, buffer);
        match &self.grid {
            Some(grid) => grid.draw(faces, app.theme, buffer),
            None => Line::from(t!(app.language(), "the board needs a larger window"))
                .render(self.board, buffer),
        }
        line(app, setup, Player::Dark, self.dark.width).render(self.dark, buffer);
    }
}

/// The least width at which the pieces are drawn and not only counted.
const WIDE: u16 = 50;

/// Returns the line of a player: the turn, the pieces in hand and home, and the name.
fn line(app: &App, setup: &Setup, player: Player, width: u16) -> Line<'static> {
    let (theme, rules) = (app.theme, app.rules());
    let pieces = rules.pieces();
    let SideSetup { squares, score } = setup.side(player);
    let hand = usize::from(pieces).saturating_sub(squares.len() + usize::from(*score));
    let sign = theme.piece(player).to_string();
    let draws = width >= WIDE && pieces <= 7;
    let heap = |count: usize| {
        if draws && count > 0 { format!(" {}", sign.repeat(count)) } else { String::new() }
    };
    let turn = if setup.turn == player { theme.sign("▸", ">") } else { " " };
    let style = theme.player(player);
    let name = app.local.who(player, app.language());
    let [hand_word, home_word] = [t!(app.language(), "hand"), t!(app.language(), "home")];
    Line::from(vec![
        Span::styled(format!("{turn}{} {sign}", theme.style.player(player)), style),
        Span::raw(format!("  {hand_word} {hand}")),
        Span::styled(heap(hand), style),
        Span::raw(format!("  {home_word} {}", rules.home_count(*score))),
        Span::styled(heap(usize::from(*score)), style),
        Span::styled(format!("  {name}"), DIM),
    ])
}
