//! The first row and the last ones: the rule set, a message or a question, and the keys that are needed most.

use ratatui::prelude::*;
use ratatui::widgets::{Clear, Paragraph, Wrap};
use textwrap::core::display_width;

use super::areas::Areas;
use crate::output::text::t;
use crate::play::WaitsFor;
use crate::play::doubling::{stakes_words, won_words};
use crate::play::ending::early;
use crate::tui::state::{App, DIM, STRONG, Screen};

/// Draws the first row and the last.
pub(super) fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    let title = title(app);
    let room = usize::from(areas.title.width).saturating_sub(display_width(&title));
    Line::styled(title, STRONG).render(areas.title, buffer);
    let state = Line::styled(state(app, areas, room), DIM);
    state.right_aligned().render(areas.title, buffer);
    Line::styled(keys(app, areas), DIM).render(areas.keys, buffer);
}

/// Draws the message or the question; a long one takes rows of what is above it.
pub(super) fn draw_message(app: &App, areas: &Areas, buffer: &mut Buffer) {
    let message = app.message.clone().unwrap_or_else(|| prompt(app));
    let message = Paragraph::new(message).wrap(Wrap { trim: true });
    let rows = message.line_count(areas.message.width).max(1);
    let height = u16::try_from(rows).unwrap_or(u16::MAX).min(areas.message.bottom());
    let area = Rect { y: areas.message.bottom() - height, height, ..areas.message };
    Clear.render(area, buffer);
    message.render(area, buffer);
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

/// Returns the state of play for the title row: pause, tutor, seed, a small window. Leaves out parts that have no room beside the
/// title, the seed first.
fn state(app: &App, areas: &Areas, room: usize) -> String {
    let language = app.language();
    let paused = app.is_paused.then(|| t!(language, "paused"));
    let tutor = app.aids.tutor.then(|| t!(language, "tutor"));
    let seed = if app.has_real_dice() {
        t!(language, "your dice")
    } else {
        t!(language, "seed {seed}", seed = app.local.session.seed())
    };
    let small = areas.is_small.then(|| t!(language, "(80x24 shows more)"));
    let mut parts = [paused, tutor, Some(seed), small];
    let joined = |parts: &[Option<String>; 4]| {
        parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join("  ")
    };
    for least in [2, 3, 1, 0] {
        if display_width(&joined(&parts)) + 2 > room {
            parts[least] = None;
        }
    }
    joined(&parts)
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
    match app.local.waits_for() {
        WaitsFor::PersonRolls if app.has_real_dice() => {
            t!(language, "{player}: type the number that the dice show", player)
        }
        WaitsFor::PersonRolls if app.local.session.may_double() => {
            t!(language, "{player}: space throws, d doubles", player)
        }
        WaitsFor::PersonRolls => t!(language, "{player}: space throws", player),
        WaitsFor::PersonAnswers => answer(app),
        WaitsFor::AgentAnswers if !app.is_paused => {
            t!(language, "{player} has doubled: the other thinks about it", player)
        }
        WaitsFor::PersonMoves => {
            t!(language, "{player}: choose a move: its number, arrows or mouse", player)
        }
        WaitsFor::ForcedPass => t!(language, "{player} cannot move: the turn passes", player),
        WaitsFor::AgentRolls | WaitsFor::AgentMoves(_) | WaitsFor::AgentAnswers
            if app.is_paused =>
        {
            t!(language, "paused: space plays one step, p goes on")
        }
        WaitsFor::AgentRolls => t!(language, "{player} throws", player),
        WaitsFor::AgentMoves(_) => t!(language, "{player} moves", player),
        WaitsFor::AgentAnswers | WaitsFor::Nothing => String::new(),
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
    let early = early(record, |player| app.player(player), language);
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

/// Returns who has won a game that is not part of a match, and what can be done now.
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
