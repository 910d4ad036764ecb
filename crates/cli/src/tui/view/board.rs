//! The board between the pieces that each player has in hand and home.

mod face;
pub(super) mod grid;
mod tray;

use puabi_core::{Player, Setup};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::state::app::App;
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
        let rows = [
            Constraint::Length(1),
            Constraint::Length(grid.as_ref().map_or(height, Grid::height)),
            Constraint::Length(1),
            Constraint::Fill(1),
        ];
        let [light, board, dark, below] = Layout::vertical(rows).areas(area);
        Self { light, grid, board, dark, below }
    }

    /// Draws `setup` with the labels and marks of `faces`.
    pub(super) fn draw(&self, app: &App, setup: &Setup, faces: &Faces, buffer: &mut Buffer) {
        tray::line(app, setup, Player::Light, self.light.width).render(self.light, buffer);
        match &self.grid {
            Some(grid) => grid.draw(faces, app.theme, buffer),
            None => Line::from("the board needs a larger window").render(self.board, buffer),
        }
        tray::line(app, setup, Player::Dark, self.dark.width).render(self.dark, buffer);
    }
}
