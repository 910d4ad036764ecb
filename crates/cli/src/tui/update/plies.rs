//! What begins anew with each roll and move.

use std::time::Duration;

use crate::tui::state::App;

/// Clears what belonged to the previous roll or move, and keeps the game.
pub(super) fn begin_ply(app: &mut App) {
    stop_waiting(app);
    app.selected = 0;
    app.typed.clear();
    app.aids.hint = false;
    app.update_answer();
    app.keep();
}

pub(super) fn stop_waiting(app: &mut App) {
    app.waited = Duration::ZERO;
    app.is_hurried = false;
    app.reply = None;
}
