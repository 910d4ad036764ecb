//! The pieces that a player has in hand and home.

use puabi_core::{Player, Setup, SideSetup};
use ratatui::text::{Line, Span};

use crate::tui::state::app::App;
use crate::tui::state::theme::DIM;

/// The least width at which the pieces are drawn and not only counted.
const WIDE: u16 = 50;

/// Returns the line of a player: the turn, the pieces in hand and home, and the name.
pub(super) fn line(app: &App, setup: &Setup, player: Player, width: u16) -> Line<'static> {
    let (theme, rules) = (app.theme, app.rules());
    let pieces = rules.pieces();
    let SideSetup { squares, score } = setup.side(player);
    let hand = usize::from(pieces).saturating_sub(squares.len() + usize::from(*score));
    let sign = theme.piece(player).to_string();
    let draws = width >= WIDE && pieces <= 7;
    let heap = |count: usize| {
        if draws && count > 0 { format!(" {}", sign.repeat(count)) } else { String::new() }
    };
    let turn = if setup.turn == player { theme.sign("▸", ">") } else { " " };
    let style = theme.player(player);
    let session = &app.local.session;
    let name = session.record().header(player.name());
    let name = name.map_or_else(|| session.seat(player).to_string(), str::to_owned);
    Line::from(vec![
        Span::styled(format!("{turn}{player:5} {sign}"), style),
        Span::raw(format!("  hand {hand}")),
        Span::styled(heap(hand), style),
        Span::raw(format!("  home {}", rules.home_count(*score))),
        Span::styled(heap(usize::from(*score)), style),
        Span::styled(format!("  {name}"), DIM),
    ])
}
