//! What a player has in hand and home.

use puabi_core::{Player, Setup, SideSetup};
use ratatui::text::{Line, Span};

use crate::tui::app::App;

/// Columns from which on the pieces are drawn, not only counted.
const WIDE: u16 = 50;

/// Returns the line of a player: whether it is that player's turn, the pieces in hand and home, the name.
pub(super) fn line(app: &App, setup: &Setup, player: Player, width: u16) -> Line<'static> {
    let (look, rules) = (app.look, app.sitting.rules());
    let pieces = rules.pieces();
    let SideSetup { squares, score } = setup.side(player);
    let hand = usize::from(pieces).saturating_sub(squares.len() + usize::from(*score));
    let sign = look.piece(player).to_string();
    let draws = width >= WIDE && pieces <= 7;
    let heap = |count: usize| {
        if draws && count > 0 { format!(" {}", sign.repeat(count)) } else { String::new() }
    };
    let turn = if setup.turn == player { look.sign("▸", ">") } else { " " };
    let style = look.player(player);
    Line::from(vec![
        Span::styled(format!("{turn}{player:5} {sign}"), style),
        Span::raw(format!("  hand {hand}")),
        Span::styled(heap(hand), style),
        Span::raw(format!("  home {}", rules.home_count(*score))),
        Span::styled(heap(usize::from(*score)), style),
        Span::styled(format!("  {}", name(app, player)), look.dim()),
    ])
}

/// Returns what the record calls a player, or else what sits there.
fn name(app: &App, player: Player) -> String {
    let name = app.sitting.record().header(player.name());
    name.map_or_else(|| app.sitting.seat(player).to_string(), str::to_owned)
}
