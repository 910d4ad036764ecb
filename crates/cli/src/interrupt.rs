//! Ctrl-C: a solve ends as soon as it can and keeps what it has; anything else ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use crate::{STOPPED, talk};

static SOLVING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);
static FAREWELL: Mutex<Option<String>> = Mutex::new(None);
static CURTAIN: Mutex<Option<fn()>> = Mutex::new(None);

/// Makes Ctrl-C end what runs while it lives as soon as that can; a second Ctrl-C ends the program at once.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    /// Returns a guard; without one, Ctrl-C ends the program at once.
    pub(crate) fn new() -> Self {
        listen();
        STOP.store(false, Ordering::Relaxed);
        SOLVING.store(true, Ordering::Relaxed);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        SOLVING.store(false, Ordering::Relaxed);
    }
}

/// Returns whether the user has asked for the end.
pub(crate) fn is_requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Says `farewell` where Ctrl-C ends the program at once.
pub(crate) fn set_farewell(farewell: String) {
    listen();
    *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) = Some(farewell);
}

/// Calls `curtain` before the farewell: it gives back the screen that the program has taken.
pub(crate) fn set_curtain(curtain: fn()) {
    listen();
    *CURTAIN.lock().unwrap_or_else(PoisonError::into_inner) = Some(curtain);
}

/// Ends the program as Ctrl-C does: gives back the screen, says the farewell.
pub(crate) fn leave() -> ! {
    if let Some(curtain) = *CURTAIN.lock().unwrap_or_else(PoisonError::into_inner) {
        curtain();
    }
    if let Some(farewell) = FAREWELL.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        talk(farewell);
    }
    std::process::exit(i32::from(STOPPED));
}

fn listen() {
    static LISTENING: Once = Once::new();
    // A platform without signals ends the program by itself.
    LISTENING.call_once(|| drop(ctrlc::set_handler(interrupted)));
}

fn interrupted() {
    if SOLVING.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    leave();
}
