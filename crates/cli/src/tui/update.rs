//! What changes the state: keys and clicks, and the passing of time.

mod doubles;
pub(super) mod input;
mod plies;
mod turns;

use std::time::Duration;

use super::state::App;
use crate::output::text::t;

/// Lets time pass: takes the results of threads, and lets agents play.
pub(super) fn tick(app: &mut App, elapsed: Duration) {
    match app.values.poll() {
        Some(Ok(())) => {
            app.update_answer();
            app.say(t!(app.language(), "{rules} is solved", rules = app.rules().rule_set()));
            if let Some(key) = app.waiting_key.take() {
                input::press(app, key);
            }
        }
        Some(Err(error)) => {
            app.update_answer();
            app.warn_unsolved(&error);
        }
        None => {}
    }
    if app.is_going() {
        turns::advance(app, elapsed);
    }
}
