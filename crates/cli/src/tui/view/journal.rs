//! The last plies.

use puabi_core::Ply;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::tui::app::App;

/// Draws as many of the last plies as there is room for, the last one at the bottom.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let plies = app.game().plies();
    let first = plies.len().saturating_sub(usize::from(area.height));
    let lines: Vec<_> =
        (first + 1..).zip(&plies[first..]).map(|(at, ply)| line(app, at, ply)).collect();
    Paragraph::new(lines).render(area, buffer);
}

fn line(app: &App, number: usize, ply: &Ply) -> Line<'static> {
    let decision = app.sitting.rules().decision(ply.before, ply.roll);
    let action = app.look.pen.action(&decision, ply.player, ply.action);
    Line::from(vec![
        Span::styled(format!("{number:>3} "), app.look.dim()),
        Span::styled(
            format!("{:5} {}", ply.player, app.look.piece(ply.player)),
            app.look.player(ply.player),
        ),
        Span::raw(format!(" {}  {action}", ply.roll)),
    ])
}
