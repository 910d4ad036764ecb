//! What lies under the mouse.

use puabi_core::Tile;
use ratatui::layout::{Position, Rect};

use super::screen::Screen;
use super::{explorer, game};
use crate::tui::app::{App, Room};

fn screen(app: &App) -> Option<Screen> {
    Screen::new(Rect::from((Position::ORIGIN, app.size)))
}

/// Returns the tile at `at`.
pub(crate) fn tile(app: &App, at: Position) -> Option<Tile> {
    let screen = screen(app)?;
    let scene = match app.room {
        Room::Game => game::scene(app, &screen),
        Room::Explorer(_) => explorer::scene(app, &screen),
        Room::Review(_) => return None,
    };
    scene.grid?.tile_at(at)
}

/// Returns which of the moves is listed at `at`.
pub(crate) fn row(app: &App, at: Position) -> Option<usize> {
    let [_, moves] = game::panel(&screen(app)?);
    let index = usize::from(at.y.checked_sub(moves.y)?);
    (moves.contains(at) && index < app.moves().len()).then_some(index)
}

/// Returns whether the dice are at `at`.
pub(crate) fn dice(app: &App, at: Position) -> bool {
    screen(app).is_some_and(|screen| game::panel(&screen)[0].contains(at))
}

/// Returns which of the moves is meant by `tile`: the one that ends there, else the only one that begins there.
pub(crate) fn choice(app: &App, tile: Tile) -> Option<usize> {
    let (rules, player, moves) = (app.sitting.rules(), app.game().turn()?, app.moves());
    let on = |square| rules.tile(player, square) == tile;
    let ends = moves.iter().position(|action| action.to().is_some_and(on));
    let begins = || moves.iter().position(|action| action.from().is_some_and(on));
    ends.or_else(begins)
}

/// Returns how many lines of the explorer's moves can be scrolled away.
pub(crate) fn most_scroll(app: &App) -> u16 {
    let (Some(screen), Room::Explorer(explorer)) = (screen(app), &app.room) else { return 0 };
    explorer::most_scroll(app, explorer, &screen)
}
