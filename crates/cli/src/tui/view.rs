//! What the state looks like: pure functions from it to a frame.

mod areas;
mod board;
mod chances;
mod dialogs;
mod edges;
mod explorer;
mod game;
mod graph;
pub(super) mod hits;
mod moves;
mod review;

use ratatui::prelude::*;
use ratatui::widgets::{Paragraph, Wrap};

use super::state::{App, Screen};
use areas::Areas;

/// Draws the state.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) {
    let Some(areas) = Areas::new(frame.area()) else { return draw_notice(frame) };
    edges::draw(app, &areas, frame.buffer_mut());
    match &app.screen {
        Screen::Game => game::draw(app, &areas, frame.buffer_mut()),
        Screen::Review(state) => review::draw(app, state, &areas, frame.buffer_mut()),
        Screen::Explorer(state) => explorer::draw(app, state, &areas, frame.buffer_mut()),
    }
    if let Some(dialog) = &app.dialog {
        dialogs::draw(app, dialog, frame);
    }
}

/// Says that the window is too small for a board.
fn draw_notice(frame: &mut Frame<'_>) {
    let (area, least) = (frame.area(), Areas::LEAST);
    let lines = [
        format!("the window is {}x{}:", area.width, area.height),
        format!("a board needs {}x{}", least.width, least.height),
        "make it larger; Ctrl-C leaves".to_owned(),
    ];
    let text = lines.map(Line::from).to_vec();
    frame.render_widget(Paragraph::new(text).centered().wrap(Wrap { trim: true }), area);
}
