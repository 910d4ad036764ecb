//! Ctrl-C: long work stops as soon as it can and keeps what it has; anything else ends at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use puabi_study::Engines;

use crate::output::status;

/// The exit code of a program that the user stopped.
pub(crate) const EXIT_CODE: u8 = 130;

static IS_WORKING: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);
static AT_EXIT: Mutex<Option<AtExit>> = Mutex::new(None);

/// What to do before Ctrl-C ends the program.
#[derive(Debug)]
struct AtExit {
    restore_screen: fn(),
    message: String,
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

/// Sets what Ctrl-C does before it ends the program: it restores the screen and prints the message.
pub(crate) fn set_exit(restore_screen: fn(), message: String) {
    listen();
    *AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner) =
        Some(AtExit { restore_screen, message });
}

/// Replaces the message that Ctrl-C prints, if it prints one.
pub(crate) fn set_message(message: String) {
    if let Some(at_exit) = &mut *AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner) {
        at_exit.message = message;
    }
}

/// Ends the program as Ctrl-C does: restores the screen and prints the exit message.
pub(crate) fn exit() -> ! {
    let at_exit = AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(AtExit { restore_screen, message }) = &*at_exit {
        restore_screen();
        status(message);
    }
    // The terminal has signalled this process alone, and nothing is dropped from here on, so the engines are ended here.
    Engines::kill_all();
    std::process::exit(i32::from(EXIT_CODE));
}

/// Hears Ctrl-C from now on: without a guard it ends the program, and the engines first.
pub(crate) fn listen() {
    static LISTENING: Once = Once::new();
    // If the platform has no signals, it ends the program by itself.
    LISTENING.call_once(|| keeping_hangups_ignored(|| drop(ctrlc::set_handler(interrupted))));
}

/// Does what sets handlers of signals. A hang-up that whoever started this program has it ignore, as `nohup` does, stays ignored.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the system's interface")]
fn keeping_hangups_ignored(set: impl FnOnce()) {
    use nix::sys::signal::{SigHandler, Signal, signal};
    let ignore = || {
        // SAFETY: to ignore a signal runs no code of ours.
        unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) }
    };
    let before = ignore();
    set();
    if matches!(before, Ok(SigHandler::SigIgn)) {
        let _ = ignore();
    }
}

#[cfg(not(unix))]
fn keeping_hangups_ignored(set: impl FnOnce()) {
    set();
}

/// Has a file that grows too long for this process be an error of writing, as on a full disk, and not the end of the program.
pub fn ignore_limits_of_files() {
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "the system's interface")]
    // SAFETY: to ignore a signal runs no code of ours.
    let _ = unsafe {
        use nix::sys::signal::{SigHandler, Signal, signal};
        signal(Signal::SIGXFSZ, SigHandler::SigIgn)
    };
}

fn interrupted() {
    if IS_WORKING.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    exit();
}
