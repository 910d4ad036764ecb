//! How the game goes on: throws, moves and replies, by people and by agents.

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use puabi_core::{Agent, Forfeit, GameError, Move, Roll};
use puabi_engine::{AgentSpec, Class, Session};

use super::doubles;
use super::plies::{begin_ply, stop_waiting};
use crate::errors;
use crate::output::text::t;
use crate::play::WaitsFor;
use crate::tables::agents;
use crate::tui::state::{App, Costly, Dialog, Task};

/// Lets the game go on without a key, once it has waited long enough.
pub(super) fn advance(app: &mut App, elapsed: Duration) {
    app.waited += elapsed;
    if let WaitsFor::AgentMoves(spec) = app.local.waits_for()
        && app.reply.is_none()
    {
        app.reply = Some(think(app, spec));
    }
    if app.is_hurried || app.waited >= app.pace.wait() {
        step(app);
    }
}

/// Starts a thread on which an agent chooses its move.
fn think(app: &App, spec: AgentSpec) -> Task<Result<Move, Forfeit>> {
    let (session, judge) = (app.local.session.clone(), app.values.judge().cloned());
    let engines = Arc::clone(&app.local.engines);
    Task::start(move || {
        let reply = |agent: &dyn Agent| session.reply(agent);
        let table = judge.as_ref().and_then(|judge| judge.table());
        let action = agents::with_agent(&spec, session.rules(), table, &engines, reply)?;
        action.ok_or_else(|| anyhow!("no roll waits for a move"))
    })
}

/// Takes the next step that needs no person, unless the agent still thinks about it.
fn step(app: &mut App) {
    match app.local.waits_for() {
        WaitsFor::AgentRolls => {
            if !doubles::agent_doubles(app) {
                throw(app);
            }
        }
        WaitsFor::AgentAnswers => doubles::agent_answers(app),
        WaitsFor::ForcedPass => play(app, Move::Pass),
        WaitsFor::AgentMoves(spec) => match app.reply.as_mut().and_then(Task::poll) {
            Some(Ok(Ok(action))) => play_for(app, &spec, action),
            Some(Ok(Err(reason))) => resign(app, &reason),
            Some(Err(error)) => {
                pause(app);
                app.warn(app.language().translate(errors::line(&error)));
            }
            None => {}
        },
        WaitsFor::PersonRolls
        | WaitsFor::PersonMoves
        | WaitsFor::PersonAnswers
        | WaitsFor::Nothing => {}
    }
}

/// Plays the move that an agent has chosen.
fn play_for(app: &mut App, spec: &AgentSpec, action: Move) {
    match app.local.move_with_cube(spec, action) {
        Ok(action) => play(app, action),
        Err(error) => app.warn(app.language().translate(errors::line(&error))),
    }
}

/// Ends the game, which the agent to move gives up.
fn resign(app: &mut App, reason: &Forfeit) {
    let Some(player) = app.local.session.turn() else { return };
    app.local.session.resign(player);
    begin_ply(app);
    let player = app.player(player);
    app.warn(t!(app.language(), "{player} gives the game up: {reason}", player, reason));
}

/// Goes on at once: throws, plays the selected move, or lets the agent throw or play now.
pub(super) fn go_on(app: &mut App) {
    match app.local.waits_for() {
        WaitsFor::PersonRolls if app.has_real_dice() => take_typed(app),
        WaitsFor::PersonRolls => throw(app),
        WaitsFor::PersonMoves => pick(app, app.selected),
        WaitsFor::AgentRolls
        | WaitsFor::ForcedPass
        | WaitsFor::AgentMoves(_)
        | WaitsFor::AgentAnswers => app.is_hurried = true,
        WaitsFor::PersonAnswers | WaitsFor::Nothing => {}
    }
}

/// Pauses the agents, or lets them go on.
pub(super) fn pause(app: &mut App) {
    app.is_paused = !app.is_paused;
    stop_waiting(app);
}

fn throw(app: &mut App) {
    take(app, |session| session.throw().map(drop));
}

/// Adds a digit to the roll of real dice; takes the roll once at most one roll begins with these digits.
pub(super) fn type_digit(app: &mut App, digit: char) {
    app.typed.push(digit);
    let rolls = app.rules().rolls().iter();
    if rolls.filter(|(roll, _)| roll.to_string().starts_with(&app.typed)).count() <= 1 {
        take_typed(app);
    }
}

fn take_typed(app: &mut App) {
    match std::mem::take(&mut app.typed).parse() {
        Ok(steps) => take(app, |session| session.take_roll(Roll::new(steps)).map(drop)),
        Err(_) => app.say(t!(app.language(), "type the number that the dice show")),
    }
}

/// Plays the move with this index, or lets the tutor ask first.
pub(super) fn pick(app: &mut App, index: usize) {
    let moves = app.local.moves();
    let Some(&action) = moves.get(index) else {
        return app.say(t!(
            app.language(),
            "there is no move {number}: expected 1 to {count}",
            number = index + 1,
            count = moves.len()
        ));
    };
    app.selected = index;
    match costly(app, action).filter(|_| app.aids.tutor) {
        Some(costly) => app.dialog = Some(Dialog::Costly(costly)),
        None => play(app, action),
    }
}

/// Returns the loss of `action`, if it is large enough to be a slip.
fn costly(app: &App, action: Move) -> Option<Costly> {
    let options = &app.answer.as_ref()?.rolls.first()?.moves;
    let (best, chosen) = (options.first()?, options.iter().find(|o| o.action == action)?);
    let error = best.value - chosen.value;
    Class::of(error).is_slip().then_some(Costly { action, best: best.action, error })
}

/// Plays `action` without a warning.
pub(super) fn play(app: &mut App, action: Move) {
    take(app, |session| session.choose(action).map(drop));
}

/// Goes back to the last decision of a person.
pub(super) fn undo(app: &mut App) {
    if app.local.undo() {
        begin_ply(app);
        app.say(t!(app.language(), "taken back"));
    } else {
        app.say(t!(app.language(), "there is no move of yours to take back"));
    }
}

fn take(app: &mut App, step: impl FnOnce(&mut Session) -> Result<(), GameError>) {
    match step(&mut app.local.session) {
        Ok(()) => {
            begin_ply(app);
            // A person who throws real dice for an agent must not throw before the agent doubles.
            if app.has_real_dice() {
                doubles::agent_doubles(app);
            }
        }
        Err(error) => app.say(app.language().translate(error)),
    }
}
