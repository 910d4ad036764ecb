//! The first row and the last two: the rule set, a message or a question, and the keys that are needed most.

use ratatui::prelude::*;

use super::areas::Areas;
use crate::play::Waits;
use crate::tui::state::{App, DIM, STRONG, Screen};

/// Draws the edges of every areas.
pub(super) fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    Line::styled(title(app), STRONG).render(areas.title, buffer);
    let state = Line::styled(state(app, areas), DIM);
    state.right_aligned().render(areas.title, buffer);
    let message = app.message.clone().unwrap_or_else(|| prompt(app));
    Line::from(message).render(areas.message, buffer);
    Line::styled(keys(app, areas), DIM).render(areas.keys, buffer);
}

fn title(app: &App) -> String {
    let screen = match app.screen {
        Screen::Game => "",
        Screen::Review(_) => ": review",
        Screen::Explorer(_) => ": explorer",
    };
    format!("{}{screen}", app.rules().rule_set())
}

fn state(app: &App, areas: &Areas) -> String {
    let paused = if app.is_paused { "paused  " } else { "" };
    let tutor = if app.aids.tutor { "tutor  " } else { "" };
    let seed = if app.has_real_dice() {
        "your dice".to_owned()
    } else {
        format!("seed {}", app.local.session.seed())
    };
    let small = if areas.is_small { "  (80x24 shows more)" } else { "" };
    format!("{paused}{tutor}{seed}{small}")
}

/// Returns the question to the user, or the place in the review or explorer.
fn prompt(app: &App) -> String {
    match &app.screen {
        Screen::Game => question(app),
        Screen::Review(state) => {
            let (ply, count) = (state.ply(), state.review.plies.len());
            format!("ply {} of {count}", ply.number)
        }
        Screen::Explorer(explorer) => format!("position {}", explorer.setup),
    }
}

fn question(app: &App) -> String {
    let game = app.local.game();
    let Some(player) = game.turn() else {
        let rolls = game.plies().len();
        let end = match game.winner() {
            Some(winner) => format!("{winner} wins"),
            None => "nobody can ever move: nobody wins".to_owned(),
        };
        return format!("{end} after {rolls} rolls; r reviews the game, u takes back, q leaves");
    };
    match app.local.waits() {
        Waits::Roll if app.has_real_dice() => {
            format!("{player}: type the number that the dice show")
        }
        Waits::Roll => format!("{player}: space throws"),
        Waits::Choice => format!("{player}: choose a move: its number, arrows or mouse"),
        Waits::Pass => format!("{player} cannot move: the turn passes"),
        Waits::Throw | Waits::Reply(_) if app.is_paused => {
            "paused: space plays one step, p goes on".to_owned()
        }
        Waits::Throw => format!("{player} throws"),
        Waits::Reply(_) => format!("{player} moves"),
        Waits::Over => String::new(),
    }
}

/// Returns the keys that are needed most; a small window has room for fewer.
fn keys(app: &App, areas: &Areas) -> &'static str {
    match (&app.screen, areas.is_small) {
        (Screen::Game, true) => "space  h hint  u undo  r review  ? help  q quit",
        (Screen::Game, false) if app.local.session.has_people() => {
            "space  h hint  u undo  t tutor  v value  r review  e explorer  ? help  q quit"
        }
        (Screen::Game, false) => "p pause  + - pace  v value  r review  e explorer  ? help  q quit",
        (Screen::Review(_), _) => "left right ply  n b slips  e explore  ? help  q back",
        (Screen::Explorer(_), true) => "l d pieces  t turn  : text  ? help  q back",
        (Screen::Explorer(_), false) => {
            "arrows  l d pieces  L D home  t turn  x clear  : text  ? help  q back"
        }
    }
}
