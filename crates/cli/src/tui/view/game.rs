//! The game as it is played.

use puabi_core::{Move, Player, Rules, Tile};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::face::Faces;
use super::scene::Scene;
use super::screen::Screen;
use super::{chances, dice, journal, moves};
use crate::tui::app::App;
use crate::tui::turns::Waits;

/// Rows that are left below the board, at least: a gap, the chances, and some plies.
const BELOW: u16 = 3;

/// Returns the scene of the game.
pub(super) fn scene<'a>(app: &'a App, screen: &Screen) -> Scene<'a> {
    Scene::new(app, screen.left, BELOW)
}

/// Returns where the dice and the moves lie.
pub(super) fn panel(screen: &Screen) -> [Rect; 2] {
    let rows = [Constraint::Length(4), Constraint::Fill(1)];
    let inside = Rect { x: screen.panel.x + 1, width: screen.panel.width - 1, ..screen.panel };
    Layout::vertical(rows).areas(inside)
}

/// Draws the game.
pub(super) fn draw(app: &App, screen: &Screen, buffer: &mut Buffer) {
    let scene = scene(app, screen);
    scene.draw(app, &app.game().setup(), &faces(app), buffer);
    let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)];
    let [_, bar, rest] = Layout::vertical(rows).areas(scene.below);
    chances::draw(app, bar, buffer);
    journal::draw(app, rest, buffer);
    let [dice_area, moves_area] = panel(screen);
    dice::draw(app, dice_area, buffer);
    moves::draw(app, moves_area, buffer);
}

fn faces(app: &App) -> Faces {
    let rules = app.sitting.rules();
    let mut faces = Faces::new(rules, &app.game().setup());
    let Some(player) = app.game().turn() else { return faces };
    if app.waits() == Waits::Choice {
        let options = app.moves();
        for (number, &action) in ('1'..='9').zip(&options) {
            faces.label(goal(rules, player, action), number);
        }
        mark(&mut faces, rules, player, options[app.selected]);
    }
    faces
}

/// Marks the tiles that a move leaves and reaches.
pub(super) fn mark(faces: &mut Faces, rules: &Rules, player: Player, action: Move) {
    for square in [action.from(), action.to()].into_iter().flatten() {
        faces.mark(rules.tile(player, square));
    }
}

/// Returns the tile that a move is shown on: where it ends, or where a piece that goes home begins.
///
/// # Panics
///
/// Where the move is a pass, which has no tile.
pub(super) fn goal(rules: &Rules, player: Player, action: Move) -> Tile {
    let square = action.to().or(action.from()).expect("a choice moves a piece");
    rules.tile(player, square)
}
