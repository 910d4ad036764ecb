//! Each player's chance to win, as a bar and in numbers.

use puabi_core::Player;
use puabi_engine::Answer;
use ratatui::prelude::*;
use textwrap::core::display_width;

use crate::output::text::{self, t};
use crate::tui::state::{App, DIM, Theme, Values};

/// Draws the chances in the game that is played, or the progress of its solve.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let line = match (&app.values, &app.answer) {
        (_, Some(answer)) if app.aids.chances => bar(answer, app.theme, area.width),
        (Values::Solving(solving), _) => progress(app, solving.share(), area.width),
        (_, None) if app.local.session.turn().is_none() => Line::default(),
        _ => Line::styled(t!(app.language(), "v shows each player's chance to win"), DIM),
    };
    line.render(area, buffer);
}

/// Returns a bar whose parts are as long as the chances of light and of dark before the roll.
pub(super) fn bar(answer: &Answer, theme: Theme, width: u16) -> Line<'static> {
    let is_light = answer.position.turn == Player::Light;
    let light = if is_light { answer.value } else { 1.0 - answer.value };
    let about = if answer.source.is_estimate() { theme.sign("≈", "~") } else { "" };
    let language = theme.style.language;
    let [left, right] = [light, 1.0 - light]
        .map(|chance| language.number(format!("{about}{}", text::percent(chance))));
    let names = Player::BOTH.map(|player| language.translate(player));
    let words = [&left, &right, &names[0], &names[1]].map(|text| display_width(text) + 1);
    let [filled, empty] = parts(light, width, words.iter().sum());
    let [light, dark] = Player::BOTH.map(|player| theme.player(player));
    let [first, second] = names;
    Line::from(vec![
        Span::styled(first + " ", light),
        Span::raw(left + " "),
        Span::styled(theme.sign("█", "#").repeat(filled), light),
        Span::styled(theme.sign("░", ".").repeat(empty), dark),
        Span::raw(format!(" {right}")),
        Span::styled(format!(" {second}"), dark),
    ])
}

fn progress(app: &App, done: f64, width: u16) -> Line<'static> {
    let solving = t!(app.language(), "solving {rules}", rules = app.rules().rule_set());
    let share = app.language().number(format!("{:4.1} %", done * 100.0));
    let words = format!("{solving}  {share} ");
    let [filled, empty] = parts(done, width, display_width(&words));
    let (full, blank) = (app.theme.sign("█", "#"), app.theme.sign("░", "."));
    Line::from(format!("{words}{}{}", full.repeat(filled), blank.repeat(empty)))
}

/// Divides the width that the words leave by `share`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a width of the screen; a cast of NaN gives 0"
)]
fn parts(share: f64, width: u16, words: usize) -> [usize; 2] {
    let room = usize::from(width).saturating_sub(words);
    let filled = ((share * room as f64).round() as usize).min(room);
    [filled, room - filled]
}
