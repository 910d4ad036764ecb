//! The screen: taken, drawn on and restored, also after a panic or a signal.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;

use super::state::App;
use super::view;

/// Held while a frame is drawn, so that a signal restores the screen between frames and no frame follows.
static DRAWING: Mutex<()> = Mutex::new(());
/// Whether the screen is ours, so that it is restored only once.
static IS_OURS: AtomicBool = AtomicBool::new(false);

/// The screen while it is ours; a drop restores it.
#[derive(Debug)]
pub(super) struct Terminal {
    inner: DefaultTerminal,
}

impl Terminal {
    /// Takes the screen and the mouse.
    pub(super) fn enter() -> Result<Self> {
        restore_on_panic();
        Ok(Self { inner: take()? })
    }

    /// Gives the screen back and stops the program until the shell lets it go on, as Ctrl-Z does elsewhere.
    #[cfg(unix)]
    pub(super) fn suspend(&mut self) -> Result<()> {
        use nix::sys::signal::{Signal, raise};

        restore();
        raise(Signal::SIGTSTP)?;
        self.inner = take()?;
        Ok(())
    }

    /// Draws the state of `app`.
    pub(super) fn draw(&mut self, app: &mut App) -> Result<()> {
        let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        app.size = self.inner.size()?;
        self.inner.draw(|frame| view::draw(app, frame))?;
        Ok(())
    }
}

/// Takes the screen and the mouse.
fn take() -> Result<DefaultTerminal> {
    IS_OURS.store(true, Ordering::SeqCst);
    let taken = ratatui::try_init()
        .and_then(|inner| execute!(io::stdout(), EnableMouseCapture).map(|()| inner));
    if taken.is_err() {
        restore();
    }
    taken.context("taking the screen; `--plain` plays without it")
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the screen and blocks every later frame.
pub(super) fn close() {
    std::mem::forget(DRAWING.lock().unwrap_or_else(PoisonError::into_inner));
    restore();
}

/// Restores the screen if it is ours; if that fails, nothing more can be done.
fn restore() {
    if IS_OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture, Show);
        let _ = ratatui::try_restore();
    }
}

/// Restores the screen before a panic is reported.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            report(panic);
        }));
    });
}
