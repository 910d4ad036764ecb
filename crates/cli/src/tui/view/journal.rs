//! The last plies.

use puabi_core::Ply;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use super::effect::Effect;
use crate::tui::app::App;

/// Columns from which on a move is written in full.
const WIDE: u16 = 50;

/// Draws as many of the last plies as there is room for, the last one at the bottom.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let plies = app.game().plies();
    let first = plies.len().saturating_sub(usize::from(area.height));
    let lines: Vec<_> = (first + 1..)
        .zip(&plies[first..])
        .map(|(at, ply)| line(app, at, ply, area.width))
        .collect();
    Paragraph::new(lines).render(area, buffer);
}

fn line(app: &App, number: usize, ply: &Ply, width: u16) -> Line<'static> {
    let decision = app.sitting.rules().decision(ply.before, ply.roll);
    let action = if width < WIDE {
        let tiles = app.look.pen.tiles(decision.rules(), ply.player, ply.action);
        format!("{tiles:<9} {}", Effect::of(&decision, ply.action).signs(app.look))
    } else {
        app.look.pen.action(&decision, ply.player, ply.action)
    };
    Line::from(vec![
        Span::styled(format!("{number:>3} "), app.look.dim()),
        Span::styled(
            format!("{:5} {}", ply.player, app.look.piece(ply.player)),
            app.look.player(ply.player),
        ),
        Span::raw(format!(" {}  {action}", ply.roll)),
    ])
}
