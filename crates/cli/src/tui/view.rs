//! What the state looks like: pure functions from it to a frame, one noun a file.

mod chances;
mod dialogs;
mod dice;
mod edges;
mod effect;
mod explorer;
mod face;
mod game;
mod graph;
mod grid;
pub(super) mod hits;
mod journal;
mod moves;
mod review;
mod scene;
mod screen;
mod totals;
mod tray;

use ratatui::Frame;
use ratatui::layout::Alignment;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::app::{App, Room};
use screen::Screen;

/// Draws the state.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) {
    let Some(screen) = Screen::new(frame.area()) else { return draw_notice(frame) };
    edges::draw(app, &screen, frame.buffer_mut());
    match &app.room {
        Room::Game => game::draw(app, &screen, frame.buffer_mut()),
        Room::Review(room) => review::draw(app, room, &screen, frame.buffer_mut()),
        Room::Explorer(explorer) => explorer::draw(app, explorer, &screen, frame.buffer_mut()),
    }
    if let Some(dialog) = &app.dialog {
        dialogs::draw(app, dialog, frame);
    }
}

/// Says that the window is too small to draw in.
fn draw_notice(frame: &mut Frame<'_>) {
    let (area, least) = (frame.area(), Screen::LEAST);
    let lines = [
        format!("the window is {}x{}:", area.width, area.height),
        format!("a board needs {}x{}", least.width, least.height),
        "make it larger; Ctrl-C leaves".to_owned(),
    ];
    let text = lines.map(Line::from).to_vec();
    let notice = Paragraph::new(text).alignment(Alignment::Center).wrap(Wrap { trim: true });
    frame.render_widget(notice, area);
}
