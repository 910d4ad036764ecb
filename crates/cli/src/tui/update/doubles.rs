//! The doubling cube on the screen: doubles, answers, and the next game of a match.

use anyhow::Result;
use puabi_engine::{CubeChoice, CubeJudge, CubeReview};
use puabi_solve::Unattended;

use super::plies::begin_ply;
use crate::commands::review::cubeful::error_lines;
use crate::commands::value::cubeful::choice_lines;
use crate::errors;
use crate::output::text::t;
use crate::play::WaitsFor;
use crate::play::doubling::{answer_words, next_words};
use crate::tui::state::{App, Screen};

/// Returns the result of `work` with the judge by which agents handle the cube.
fn with_cube_judge<T>(app: &App, work: impl FnOnce(CubeJudge<'_>) -> T) -> Result<T> {
    app.local.with_cube_judge(|| Ok(app.values.judge().map(|judge| &**judge)), work)
}

/// Doubles for the agent about to roll, if it wants to; returns whether it did.
pub(super) fn agent_doubles(app: &mut App) -> bool {
    if !app.local.agent_may_double() {
        return false;
    }
    match with_cube_judge(app, |judge| app.local.session.wants_double(judge)) {
        Ok(true) => double(app),
        Ok(false) => return false,
        Err(error) => app.warn(app.language().translate(errors::line(&error))),
    }
    true
}

/// Takes a double or passes for the agent that was doubled.
pub(super) fn agent_answers(app: &mut App) {
    match with_cube_judge(app, |judge| app.local.session.wants_take(judge)) {
        Ok(takes) => answer(app, takes),
        Err(error) => app.warn(app.language().translate(errors::line(&error))),
    }
}

/// Doubles for the player about to roll.
pub(super) fn double(app: &mut App) {
    let Some(player) = app.local.session.turn() else { return };
    match app.local.session.double() {
        Ok(()) => {
            begin_ply(app);
            // A person who must answer sees the question instead.
            if app.local.waits_for() != WaitsFor::PersonAnswers {
                app.say(t!(app.language(), "{player} doubles", player = app.player(player)));
            }
        }
        Err(error) => app.say(app.language().translate(error)),
    }
}

/// Takes the double that waits for its answer, or passes.
pub(super) fn answer(app: &mut App, takes: bool) {
    let Some(player) = app.local.session.record().answering() else { return };
    if app.local.session.answer_double(takes).is_ok() {
        begin_ply(app);
        app.message = takes.then(|| answer_words(player, takes, app.language()));
    }
}

/// Answers a double by a key, or begins the next game of the match; returns whether the key was for that.
pub(super) fn key(app: &mut App, letter: char) -> bool {
    match (app.local.waits_for(), letter) {
        (WaitsFor::PersonAnswers, 'y' | 'j' | 'n') => answer(app, letter != 'n'),
        (WaitsFor::Nothing, 'n') => next_game(app),
        _ => return false,
    }
    true
}

/// Begins the next game of the match.
fn next_game(app: &mut App) {
    let Some(next) = app.local.session.next_of_match() else { return };
    app.keep();
    let language = app.language();
    let begun = match app.local.follow(next, language) {
        Ok(begun) => next_words(begun, &app.local.session, language),
        Err(error) => return app.warn(language.translate(errors::line(&error))),
    };
    begin_ply(app);
    // Only small games are solved with a cube here, which takes a moment.
    if let Err(error) = app.local.prepare_cube(app.language(), &Unattended) {
        app.warn(app.language().translate(errors::line(&error)));
    }
    app.say(begun);
}

/// Shows what each choice with the cube is worth in the position on the screen, or what the errors with the cube cost in the
/// reviewed game. Returns false if there is no cube, or no choice with it now.
pub(super) fn hint(app: &mut App) -> bool {
    let session = &app.local.session;
    let waits_for_move = session.game().pending().is_some() || session.turn().is_none();
    if session.stakes().is_none() || matches!(app.screen, Screen::Game) && waits_for_move {
        return false;
    }
    match hint_lines(app) {
        Ok(Some(lines)) => app.warn(lines.join("\n")),
        Ok(None) => {
            app.say(t!(app.language(), "this game is not solved with its cube: there is no hint"));
        }
        Err(problem) => app.warn(problem),
    }
    true
}

/// Returns the lines of the hint about the cube; `None` if the game is not solved with its cube.
fn hint_lines(app: &App) -> Result<Option<Vec<String>>, String> {
    let (language, session) = (app.language(), &app.local.session);
    let Some(stakes) = session.stakes() else { return Ok(None) };
    let form = (app.local.cube_precision(), language);
    let found = match &app.screen {
        Screen::Game => {
            let line = |(choice, player)| choice_lines(choice, stakes, player, form);
            app.local.cube_choice().map(|choice| choice.zip(session.turn()).map(line))
        }
        Screen::Explorer(explorer) => {
            let position = app.rules().position(&explorer.setup);
            let asked = (position.map_err(|error| language.translate(error))?, explorer.setup.turn);
            app.local.with_cube_values(|values| {
                let choice = CubeChoice::new(app.rules(), stakes, asked, values);
                choice_lines(choice, stakes, asked.1, form)
            })
        }
        Screen::Review(_) => app.local.with_cube_values(|values| {
            CubeReview::new(session.record(), values)
                .map_or_else(Vec::new, |review| error_lines(&review, language))
        }),
    };
    found.map_err(|error| language.translate(errors::line(&error)))
}
