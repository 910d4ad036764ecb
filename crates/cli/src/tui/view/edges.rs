//! The first row and the last two: the rule set, a message or a question, and the keys that are needed most.

use puabi_core::Player;
use ratatui::prelude::*;

use super::areas::Areas;
use crate::output::text::t;
use crate::play::Waits;
use crate::play::doubling::{stakes_words, won_words};
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
    let rules = app.rules().rule_set();
    match app.screen {
        Screen::Game => match app.local.session.stakes() {
            Some(stakes) => format!("{rules}  {}", stakes_words(stakes, app.language())),
            None => rules.to_string(),
        },
        Screen::Review(_) => t!(app.language(), "{rules}: review", rules),
        Screen::Explorer(_) => t!(app.language(), "{rules}: explorer", rules),
    }
}

fn state(app: &App, areas: &Areas) -> String {
    let language = app.language();
    let paused = app.is_paused.then(|| t!(language, "paused"));
    let tutor = app.aids.tutor.then(|| t!(language, "tutor"));
    let seed = if app.has_real_dice() {
        t!(language, "your dice")
    } else {
        t!(language, "seed {seed}", seed = app.local.session.seed())
    };
    let small = areas.is_small.then(|| t!(language, "(80x24 shows more)"));
    let parts = [paused, tutor, Some(seed), small];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// Returns the question to the user, or the place in the review or explorer.
fn prompt(app: &App) -> String {
    match &app.screen {
        Screen::Game => question(app),
        Screen::Review(state) => {
            let (ply, count) = (state.ply(), state.review.plies.len());
            t!(app.language(), "ply {number} of {count}", number = ply.number, count)
        }
        Screen::Explorer(explorer) => {
            t!(app.language(), "position {position}", position = explorer.setup)
        }
    }
}

fn question(app: &App) -> String {
    let language = app.language();
    let Some(player) = app.local.session.turn() else { return outcome(app) };
    let player = app.player(player);
    match app.local.waits() {
        Waits::Roll if app.has_real_dice() => {
            t!(language, "{player}: type the number that the dice show", player)
        }
        Waits::Roll if app.local.session.may_double() => {
            t!(language, "{player}: space throws, d doubles", player)
        }
        Waits::Roll => t!(language, "{player}: space throws", player),
        Waits::Answer => answer(app),
        Waits::AgentAnswer if !app.is_paused => {
            t!(language, "{player} has doubled: the other thinks about it", player)
        }
        Waits::Choice => {
            t!(language, "{player}: choose a move: its number, arrows or mouse", player)
        }
        Waits::Pass => t!(language, "{player} cannot move: the turn passes", player),
        Waits::Throw | Waits::Reply(_) | Waits::AgentAnswer if app.is_paused => {
            t!(language, "paused: space plays one step, p goes on")
        }
        Waits::Throw => t!(language, "{player} throws", player),
        Waits::Reply(_) => t!(language, "{player} moves", player),
        Waits::AgentAnswer | Waits::Over => String::new(),
    }
}

/// Returns the question to the person who was doubled.
fn answer(app: &App) -> String {
    let session = &app.local.session;
    let Some((player, stakes)) = session.record().answering().zip(session.stakes()) else {
        return String::new();
    };
    t!(
        app.language(),
        "{player}: y takes at {doubled}, n passes and loses {points}",
        player = app.player(player),
        doubled = 2 * stakes.cube.value(),
        points = stakes.cube.value()
    )
}

/// Returns how the game ended, and what can be done now.
fn outcome(app: &App) -> String {
    let (language, record) = (app.language(), app.local.session.record());
    let early = record.early_end(Player::name).map(|early| language.told(early));
    let after_early = |end: String| match &early {
        Some(early) => format!("{early}: {end}"),
        None => end,
    };
    if let Some(won) = won_words(&app.local.session, language) {
        let won = after_early(won);
        return if app.local.session.score_after().is_some() {
            t!(language, "{won}; n next game, r review, q leaves", won)
        } else {
            t!(language, "{won}; r review, u takes back, q leaves", won)
        };
    }
    after_early(end(app))
}

/// Returns who has won a game that is part of no match, and what can be done now.
fn end(app: &App) -> String {
    let (language, record) = (app.language(), app.local.session.record());
    let rolls = app.local.game().plies().len();
    match record.winner() {
        Some(winner) if rolls == 1 => t!(
            language,
            "{player} wins after one roll; r reviews the game, u takes back, q leaves",
            player = app.player(winner)
        ),
        None if rolls == 1 && record.ending.is_some() => {
            t!(language, "nobody wins after one roll; r reviews the game, u takes back, q leaves")
        }
        None if rolls == 1 => t!(
            language,
            "nobody can ever move: nobody wins after one roll; r reviews the game, u takes back, q leaves"
        ),
        Some(winner) => t!(
            language,
            "{player} wins after {rolls} rolls; r reviews the game, u takes back, q leaves",
            player = app.player(winner),
            rolls
        ),
        None if record.ending.is_some() => t!(
            language,
            "nobody wins after {rolls} rolls; r reviews the game, u takes back, q leaves",
            rolls
        ),
        None => t!(
            language,
            "nobody can ever move: nobody wins after {rolls} rolls; r reviews the game, u takes back, q leaves",
            rolls
        ),
    }
}

/// Returns the keys that are needed most; a small window has room for fewer.
fn keys(app: &App, areas: &Areas) -> String {
    let language = app.language();
    match (&app.screen, areas.is_small) {
        (Screen::Game, true) => {
            t!(language, "space  h hint  u undo  r review  ? help  q quit")
        }
        (Screen::Game, false) if app.local.session.has_people() => {
            t!(
                language,
                "space  h hint  u undo  t tutor  v value  r review  e explorer  ? help  q quit"
            )
        }
        (Screen::Game, false) => {
            t!(language, "p pause  + - pace  v value  r review  e explorer  ? help  q quit")
        }
        (Screen::Review(_), _) => {
            t!(language, "left right ply  n b slips  e explore  ? help  q back")
        }
        (Screen::Explorer(_), true) => {
            t!(language, "l d pieces  t turn  : text  ? help  q back")
        }
        (Screen::Explorer(_), false) => {
            t!(language, "arrows  l d pieces  L D home  t turn  x clear  : text  ? help  q back")
        }
    }
}
