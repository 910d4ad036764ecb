//! The full-screen terminal: the same game as in lines of text, drawn by ratatui.
//!
//! `state` holds everything that a frame shows. `update` changes it: by keys and clicks, and as time passes. `view` draws
//! it, by functions of the state alone. `terminal` takes the screen and restores it.

mod state;
mod terminal;
mod update;
mod view;

use std::fs::{self, File};
use std::time::Instant;

use anyhow::{Error, Result};
use puabi_server::Language;
use puabi_tables::Table;
use ratatui::crossterm::event as input;

use crate::output::Out;
use crate::play::LocalGame;
use crate::progress::{Bar, interrupt};
use crate::style::Style;
use crate::tables::judge::Judge;
use crate::tables::{self, agents};
use state::{App, Exit, Theme, Values};
use terminal::Terminal;

/// Plays a game on the whole screen until the user leaves it, then prints where it is kept.
pub(crate) fn run(mut game: LocalGame, style: Style, out: &mut Out) -> Result<()> {
    let (values, problem) = prepare(&game, style.language)?;
    interrupt::set_exit(terminal::close, game.kept(style.language));
    let bar = Bar::new(game.session.rules().rule_set().to_string());
    let without_cube = game.prepare_cube(style.language, &bar)?;
    drop(bar);
    let mut app = App::new(game, Theme::of_the_environment(style), values);
    if let Some(without) = without_cube {
        app.warn(without);
    }
    if let Some(problem) = problem {
        app.warn_no_values(&problem);
    }
    if app.local.session.has_people() && is_first_game() {
        app.dialog = Some(state::Dialog::Guide(0));
    }
    let mut terminal = Terminal::enter()?;
    let exit = play(&mut app, &mut terminal);
    drop(terminal);
    match exit? {
        Exit::Interrupted => interrupt::exit(),
        Exit::Kept => {
            app.local.ensure_kept()?;
            writeln!(out, "{}", app.local.kept(style.language))?;
        }
        Exit::Dropped => {}
    }
    Ok(())
}

/// Returns the values of the game, and the problem if its table cannot be read; checks that the agents can play.
///
/// Only if an agent plays by the table is a missing table solved, and a damaged one an error.
fn prepare(game: &LocalGame, language: Language) -> Result<(Values, Option<Error>)> {
    let rules = game.session.rules();
    agents::ensure(game.session.bots(), rules)?;
    // Agents double by the chance to win.
    let doubles = game.session.stakes().is_some() && tables::can_obtain(rules);
    let needs_values = game.session.bots().any(|bot| doubles || bot.needs_values());
    let (table, problem) = if needs_values {
        (Some(tables::obtain(rules, language)?), None)
    } else {
        tables::find(rules).map_or_else(|problem| (None, Some(problem)), |found| (found, None))
    };
    for spec in game.session.bots() {
        agents::with_agent(spec, rules, table.as_ref(), &game.engines, |_| ())?;
    }
    let known = |table: Table| Values::Known(Judge::Table(table.into()).into());
    Ok((table.map_or(Values::Unknown, known), problem))
}

/// Returns whether this is the first game with this data directory, and leaves a file there so that the next game is not.
fn is_first_game() -> bool {
    let Ok(data) = tables::data_directory() else { return false };
    let is_kept = || fs::create_dir_all(&data).and_then(|()| File::create_new(data.join("guided")));
    is_kept().is_ok()
}

/// Draws, waits for input, lets time pass, and repeats that until the user leaves.
fn play(app: &mut App, terminal: &mut Terminal) -> Result<Exit> {
    let mut now = Instant::now();
    loop {
        terminal.draw(app)?;
        if input::poll(app.poll_timeout())? {
            let event = input::read()?;
            #[cfg(unix)]
            if update::input::suspends(&event) {
                terminal.suspend()?;
                now = Instant::now();
                continue;
            }
            update::input::handle(app, &event);
        }
        let elapsed = now.elapsed();
        now += elapsed;
        update::tick(app, elapsed);
        if let Some(exit) = app.exit {
            return Ok(exit);
        }
    }
}

#[cfg(test)]
mod tests;
