//! Luck and skill of both players.

use puabi_core::Player;
use puabi_engine::{Review, Totals};
use ratatui::text::{Line, Span};

use crate::tui::look::Look;

/// Returns a row for each measure, with a column for each player; luck and errors in points.
pub(super) fn lines(review: &Review, look: Look) -> Vec<Line<'static>> {
    let row = |name: &str, measure: &dyn Fn(&Totals) -> String| {
        let [light, dark] = Player::BOTH.map(|player| measure(&review.totals[player]));
        Line::from(format!("{name:<9}{light:>7}{dark:>7}"))
    };
    let heading = |player| Span::styled(format!("{:>7}", format!("{player}")), look.player(player));
    let mut lines = vec![Line::from_iter([
        Span::raw(" ".repeat(9)),
        heading(Player::Light),
        heading(Player::Dark),
    ])];
    lines.push(row("luck", &|totals| format!("{:+.2}", totals.luck * 100.0)));
    lines.push(row("errors", &|totals| format!("{:.2}", totals.error * 100.0)));
    lines.push(row("accuracy", &|totals| {
        totals.accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}"))
    }));
    lines.push(row("choices", &|totals| totals.decisions.to_string()));
    lines.push(row("slips", &|totals| {
        let classes = totals.classes;
        (classes.inaccuracy + classes.mistake + classes.blunder).to_string()
    }));
    lines
}
