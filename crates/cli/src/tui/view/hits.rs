//! What is under the mouse.

use puabi_core::Tile;
use ratatui::layout::{Position, Rect};

use super::areas::Areas;
use super::{explorer, game};
use crate::tui::state::{App, Screen};

fn areas(app: &App) -> Option<Areas> {
    Areas::new(Rect::from((Position::ORIGIN, app.size)))
}

/// Returns whether the window is so small that only the notice about its size is shown.
pub(crate) fn is_nothing_shown(app: &App) -> bool {
    areas(app).is_none()
}

/// Returns the tile at `at`.
pub(crate) fn tile(app: &App, at: Position) -> Option<Tile> {
    let areas = areas(app)?;
    let board = match app.screen {
        Screen::Game => game::board(app, &areas),
        Screen::Explorer(_) => explorer::board(app, &areas),
        Screen::Review(_) => return None,
    };
    board.grid?.tile_at(at)
}

/// Returns the index of the move that is listed at `at`.
pub(crate) fn row(app: &App, at: Position) -> Option<usize> {
    let [_, moves] = game::panel(&areas(app)?);
    let index = usize::from(at.y.checked_sub(moves.y)?);
    (moves.contains(at) && index < app.local.moves().len()).then_some(index)
}

/// Returns whether the dice are at `at`.
pub(crate) fn dice(app: &App, at: Position) -> bool {
    areas(app).is_some_and(|areas| game::panel(&areas)[0].contains(at))
}

/// Returns the index of the move that `tile` stands for: the one that ends there, or else one that begins there.
pub(crate) fn choice(app: &App, tile: Tile) -> Option<usize> {
    let (rules, player, moves) = (app.rules(), app.local.game().turn()?, app.local.moves());
    let on = |square| rules.tile(player, square) == tile;
    let ends = moves.iter().position(|action| action.to().is_some_and(on));
    ends.or_else(|| moves.iter().position(|action| action.from().is_some_and(on)))
}

/// Returns how many lines of the explorer's moves can be scrolled away.
pub(crate) fn most_scroll(app: &App) -> u16 {
    let (Some(areas), Screen::Explorer(explorer)) = (areas(app), &app.screen) else { return 0 };
    explorer::most_scroll(app, explorer, &areas)
}
