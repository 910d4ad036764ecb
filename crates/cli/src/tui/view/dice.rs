//! What was thrown.

use puabi_core::Dice;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::commands::play::DiceBy;
use crate::tui::app::App;
use crate::tui::look::Look;
use crate::tui::turns::Waits;

/// Draws whose turn it is, and the dice.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut lines = vec![heading(app)];
    if let Some(roll) = app.game().pending() {
        lines.push(Line::from(faces(app.look, app.sitting.rules().rule_set().dice, roll.steps())));
    } else {
        lines.push(Line::from(invitation(app)).style(app.look.strong()));
    }
    Paragraph::new(lines).render(area, buffer);
}

fn heading(app: &App) -> Line<'static> {
    let game = app.game();
    match (game.turn(), game.winner(), game.pending()) {
        (_, Some(winner), _) => Line::styled(format!("{winner} has won"), app.look.player(winner)),
        (Some(player), _, Some(roll)) => {
            Line::styled(format!("{player} has thrown {roll}"), app.look.player(player))
        }
        (Some(player), _, None) => {
            Line::styled(format!("{player} is to throw"), app.look.player(player))
        }
        (None, None, _) => Line::from("nobody has won"),
    }
}

/// What to do for a throw.
fn invitation(app: &App) -> String {
    match app.waits() {
        Waits::Roll if app.dice == DiceBy::Manual => format!("type the roll: {}_", app.typed),
        Waits::Roll => "space or click here".to_owned(),
        _ => String::new(),
    }
}

/// Each die with its marked tip up or down; only their sum is known, so the marked ones come first.
fn faces(look: Look, dice: Dice, steps: u8) -> Vec<Span<'static>> {
    // More steps than dice: all of them have fallen on a blank side.
    let marked = if steps > dice.count() { 0 } else { steps };
    let (up, down) = (look.sign("▲ ", "* "), look.sign("△ ", ". "));
    let up = up.repeat(usize::from(marked));
    let down = down.repeat(usize::from(dice.count().saturating_sub(marked)));
    vec![
        Span::styled(up, look.strong()),
        Span::styled(down, look.dim()),
        Span::raw(format!(" {steps}")),
    ]
}
