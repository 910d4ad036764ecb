//! Ctrl-C: long work stops as soon as it can and keeps what it has; anything else ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::output::status;

/// The exit code of a program that the user stopped.
pub(crate) const EXIT_CODE: u8 = 130;

static IS_WORKING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);
static AT_EXIT: Mutex<AtExit> = Mutex::new(AtExit { restore_screen: None, message: None });

/// What to do before Ctrl-C ends the program.
#[derive(Debug)]
struct AtExit {
    restore_screen: Option<fn()>,
    message: Option<String>,
}

/// Makes the first Ctrl-C request a stop for as long as the guard lives; the second one ends the program.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    /// Returns a guard; without one, Ctrl-C ends the program at once.
    pub(crate) fn new() -> Self {
        listen();
        STOP.store(false, Ordering::Relaxed);
        IS_WORKING.store(true, Ordering::Relaxed);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        IS_WORKING.store(false, Ordering::Relaxed);
    }
}

/// Returns whether the user requested a stop.
pub(crate) fn is_requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Sets the message that is printed if Ctrl-C ends the program at once.
pub(crate) fn set_exit_message(message: String) {
    at_exit().message = Some(message);
}

/// Sets the function that restores the screen before the exit message.
pub(crate) fn set_restore_screen(restore: fn()) {
    at_exit().restore_screen = Some(restore);
}

/// Ends the program as Ctrl-C does: restores the screen and prints the exit message.
pub(crate) fn exit() -> ! {
    let AtExit { restore_screen, message } = &*at_exit();
    if let Some(restore) = restore_screen {
        restore();
    }
    message.iter().for_each(status);
    std::process::exit(i32::from(EXIT_CODE));
}

fn at_exit() -> MutexGuard<'static, AtExit> {
    listen();
    AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen() {
    static LISTENING: Once = Once::new();
    // If the platform has no signals, it ends the program by itself.
    LISTENING.call_once(|| drop(ctrlc::set_handler(interrupted)));
}

fn interrupted() {
    if IS_WORKING.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    exit();
}
