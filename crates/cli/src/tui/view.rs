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
mod isolation;
mod moves;
mod review;

use puabi_server::Language;
use ratatui::prelude::*;
use ratatui::widgets::{Paragraph, Wrap};

use super::state::{App, Screen};
use crate::output::text::t;
use areas::Areas;

/// Draws the state.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>) {
    let language = app.language();
    let Some(areas) = Areas::new(frame.area()) else { return draw_notice(language, frame) };
    edges::draw(app, &areas, frame.buffer_mut());
    match &app.screen {
        Screen::Game => game::draw(app, &areas, frame.buffer_mut()),
        Screen::Review(state) => review::draw(app, state, &areas, frame.buffer_mut()),
        Screen::Explorer(state) => explorer::draw(app, state, &areas, frame.buffer_mut()),
    }
    edges::draw_message(app, &areas, frame.buffer_mut());
    if let Some(dialog) = &app.dialog {
        dialogs::draw(app, dialog, frame);
    }
    if language == Language::Arabic {
        isolation::isolate(frame.buffer_mut());
    }
}

/// Says that the window is too small for a board.
fn draw_notice(language: Language, frame: &mut Frame<'_>) {
    let (area, least) = (frame.area(), Areas::LEAST);
    let size = |Size { width, height }| format!("{width}x{height}");
    let lines = [
        t!(language, "the window is {size}:", size = size(area.as_size())),
        t!(language, "a board needs {size}", size = size(least)),
        t!(language, "make it larger; Ctrl-C leaves"),
    ];
    let text = lines.map(Line::from).to_vec();
    frame.render_widget(Paragraph::new(text).centered().wrap(Wrap { trim: true }), area);
}
