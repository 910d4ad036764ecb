//! The full-screen terminal: the same game as in the console, drawn by ratatui.
//!
//! `app` holds the state, `turns` moves the game on, `event` turns keys and clicks into calls of those two, and `view`
//! draws what they hold; a frame follows from the state alone. `terminal` takes the screen and gives it back.

mod app;
mod dialog;
mod event;
mod explorer;
mod look;
mod pace;
mod reply;
mod review;
mod terminal;
#[cfg(test)]
mod tests;
mod turns;
mod values;
mod view;

use std::io::Write;
use std::time::Instant;

use anyhow::{Error, Result};
use puabi_engine::AgentSpec;
use ratatui::crossterm::event as input;

use crate::commands::play::Opening;
use crate::{Outcome, agents, interrupt, tables};
use app::{App, Departure};
use look::Look;
use terminal::Terminal;
use values::Values;

/// Plays the game of `opening` on the whole screen until it is left; then says where the game is kept.
pub(crate) fn run(opening: Opening, out: &mut dyn Write) -> Result<Outcome> {
    let (values, trouble) = prepare(&opening)?;
    let look = Look::of_the_environment(opening.pen);
    interrupt::set_farewell(format!("the game is kept in {}", opening.file.path().display()));
    let mut app = App::new(opening, look, values);
    if let Some(trouble) = trouble {
        app.warn(format!("there are no values: {trouble:#}"));
    }
    let mut terminal = Terminal::enter()?;
    let departure = play(&mut app, &mut terminal);
    drop(terminal);
    match departure? {
        Departure::Stopped => interrupt::leave(),
        Departure::Kept => writeln!(out, "{}", app.kept())?,
        Departure::Dropped => {}
    }
    Ok(Outcome::Done)
}

/// Returns the values where they are at hand, solving the game first where a bot plays by them; checks that the bots
/// can play.
///
/// A table that is there but cannot be read is trouble only for bots that play by it.
fn prepare(opening: &Opening) -> Result<(Values, Option<Error>)> {
    let rules = opening.sitting.rules();
    let (table, trouble) = if opening.sitting.bots().any(AgentSpec::needs_values) {
        (Some(tables::obtain(rules)?), None)
    } else {
        tables::find(rules).map_or_else(|trouble| (None, Some(trouble)), |found| (found, None))
    };
    for spec in opening.sitting.bots() {
        agents::with_agent(spec, rules, table.as_ref(), |_| ())?;
    }
    Ok((table.map_or(Values::Unknown, Values::known), trouble))
}

/// Draws, waits for what is typed or clicked, lets time pass, and so on until the screen is left.
fn play(app: &mut App, terminal: &mut Terminal) -> Result<Departure> {
    let mut now = Instant::now();
    loop {
        terminal.draw(app)?;
        if input::poll(app.patience())? {
            event::handle(app, &input::read()?);
        }
        let elapsed = now.elapsed();
        now += elapsed;
        app.tick(elapsed);
        if let Some(departure) = app.departure() {
            return Ok(departure);
        }
    }
}
