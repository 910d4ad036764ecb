//! The first row and the last two: what is played, what is asked, and the most needed keys.

use ratatui::buffer::Buffer;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::screen::Screen;
use crate::commands::play::DiceBy;
use crate::tui::app::{App, Room};
use crate::tui::turns::Waits;

/// Draws what surrounds every room.
pub(super) fn draw(app: &App, screen: &Screen, buffer: &mut Buffer) {
    Line::styled(title(app), app.look.strong()).render(screen.title, buffer);
    let state = Line::styled(state(app, screen), app.look.dim());
    state.right_aligned().render(screen.title, buffer);
    let message = app.message.clone().unwrap_or_else(|| prompt(app));
    Line::from(message).render(screen.message, buffer);
    Line::styled(keys(app, screen), app.look.dim()).render(screen.keys, buffer);
}

fn title(app: &App) -> String {
    let room = match app.room {
        Room::Game => "",
        Room::Review(_) => ": review",
        Room::Explorer(_) => ": explorer",
    };
    format!("{}{room}", app.sitting.rules().rule_set())
}

fn state(app: &App, screen: &Screen) -> String {
    let paused = if app.is_paused { "paused  " } else { "" };
    let tutor = if app.aids.tutor { "tutor  " } else { "" };
    let seed = match app.dice {
        DiceBy::Auto => format!("seed {}", app.sitting.seed()),
        DiceBy::Manual => "your dice".to_owned(),
    };
    let small = if screen.is_small { "  (80x24 shows more)" } else { "" };
    format!("{paused}{tutor}{seed}{small}")
}

/// Returns what is asked of whom.
fn prompt(app: &App) -> String {
    match &app.room {
        Room::Game => question(app),
        Room::Review(room) => {
            let (ply, count) = (room.ply(), room.review().plies.len());
            format!("ply {} of {count}", ply.number)
        }
        Room::Explorer(explorer) => format!("position {}", explorer.setup()),
    }
}

fn question(app: &App) -> String {
    let game = app.game();
    let Some(player) = game.turn() else {
        let rolls = game.plies().len();
        let end = match game.winner() {
            Some(winner) => format!("{winner} wins"),
            None => "nobody can ever move: nobody wins".to_owned(),
        };
        return format!("{end} after {rolls} rolls; r reviews the game, u takes back, q leaves");
    };
    match app.waits() {
        Waits::Roll if app.dice == DiceBy::Manual => {
            format!("{player}: type the number that the dice show")
        }
        Waits::Roll => format!("{player}: space throws"),
        Waits::Choice => {
            format!("{player}: choose a move: its number, arrows or mouse")
        }
        Waits::Pass => format!("{player} cannot move: the turn passes"),
        Waits::Throw | Waits::Reply(_) if app.is_paused => {
            "paused: space plays one step, p goes on".to_owned()
        }
        Waits::Throw => format!("{player} throws"),
        Waits::Reply(_) => format!("{player} moves"),
        Waits::Over => String::new(),
    }
}

/// Returns the keys that are needed most, fewer of them in a small window.
fn keys(app: &App, screen: &Screen) -> &'static str {
    match (&app.room, screen.is_small) {
        (Room::Game, true) => "space  h hint  u undo  r review  ? help  q quit",
        (Room::Game, false) if app.sitting.has_people() => {
            "space  h hint  u undo  t tutor  v value  r review  e explorer  ? help  q quit"
        }
        (Room::Game, false) => "p pause  + - pace  v value  r review  e explorer  ? help  q quit",
        (Room::Review(_), _) => "left right ply  n b slips  e explore  ? help  q back",
        (Room::Explorer(_), true) => "l d pieces  t turn  : text  ? help  q back",
        (Room::Explorer(_), false) => {
            "arrows  l d pieces  L D home  t turn  x clear  : text  ? help  q back"
        }
    }
}
