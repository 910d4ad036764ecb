//! The board between what the players have in hand and home.

use puabi_core::{Player, Setup};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::face::Faces;
use super::grid::Grid;
use super::tray;
use crate::tui::app::App;

/// Where a board and its players lie, and what room is left below.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    light: Rect,
    pub(super) grid: Option<Grid<'a>>,
    board: Rect,
    dark: Rect,
    /// The room below.
    pub(super) below: Rect,
}

impl<'a> Scene<'a> {
    /// Returns the scene at the top of `area`, with at least so many rows left below.
    pub(super) fn new(app: &'a App, area: Rect, below: u16) -> Self {
        let board = app.sitting.rules().board();
        let height = area.height.saturating_sub(2 + below);
        let grid = Grid::fit(board, Rect { y: area.y + 1, height, ..area });
        let rows = [
            Constraint::Length(1),
            Constraint::Length(grid.as_ref().map_or(height, Grid::height)),
            Constraint::Length(1),
            Constraint::Fill(1),
        ];
        let [light, board, dark, below] = Layout::vertical(rows).areas(area);
        Self { light, grid, board, dark, below }
    }

    /// Draws `setup` with what `faces` add to it.
    pub(super) fn draw(&self, app: &App, setup: &Setup, faces: &Faces, buffer: &mut Buffer) {
        tray::line(app, setup, Player::Light, self.light.width).render(self.light, buffer);
        match &self.grid {
            Some(grid) => grid.draw(faces, app.look, buffer),
            None => Line::from("the board needs a larger window").render(self.board, buffer),
        }
        tray::line(app, setup, Player::Dark, self.dark.width).render(self.dark, buffer);
    }
}
