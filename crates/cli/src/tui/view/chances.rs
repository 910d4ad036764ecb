//! Each player's chance to win, as a bar and in numbers.

use puabi_core::Player;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::text;
use crate::tui::app::App;
use crate::tui::look::Look;
use crate::tui::values::Values;

/// Draws the bar of the game that is played.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let line = match (&app.values, light(app)) {
        (Values::Solving(solving), _) => progress(app, solving.share(), area.width),
        (_, Some(light)) if app.aids.chances => bar(light, app.look, area.width),
        (_, None) if app.game().is_over() => Line::default(),
        _ => Line::styled("v shows each player's chance to win", app.look.dim()),
    };
    line.render(area, buffer);
}

/// Returns light's chance before the roll, where it is known.
fn light(app: &App) -> Option<f64> {
    let answer = app.answer.as_ref()?;
    let is_light = answer.position.turn == Player::Light;
    Some(if is_light { answer.value } else { 1.0 - answer.value })
}

/// Returns light's chance and dark's, as long as they are likely.
pub(super) fn bar(light: f64, look: Look, width: u16) -> Line<'static> {
    let [left, right] = [light, 1.0 - light].map(text::percent);
    let words = left.chars().count() + right.chars().count() + "light    dark".len();
    let room = usize::from(width).saturating_sub(words);
    let filled = share(light, room);
    Line::from(vec![
        Span::styled("light ", look.player(Player::Light)),
        Span::raw(left + " "),
        Span::styled(look.sign("█", "#").repeat(filled), look.player(Player::Light)),
        Span::styled(look.sign("░", ".").repeat(room - filled), look.player(Player::Dark)),
        Span::raw(format!(" {right}")),
        Span::styled(" dark", look.player(Player::Dark)),
    ])
}

fn progress(app: &App, done: f64, width: u16) -> Line<'static> {
    let words = format!("solving {}  {:4.1} % ", app.sitting.rules().rule_set(), done * 100.0);
    let room = usize::from(width).saturating_sub(words.chars().count());
    let filled = share(done, room);
    let (full, empty) = (app.look.sign("█", "#"), app.look.sign("░", "."));
    Line::from(format!("{words}{}{}", full.repeat(filled), empty.repeat(room - filled)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a chance of a width of the screen; what is none counts as nothing"
)]
fn share(chance: f64, room: usize) -> usize {
    ((chance * room as f64).round() as usize).min(room)
}
