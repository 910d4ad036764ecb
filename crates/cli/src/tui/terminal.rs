//! The screen: taken, drawn on and given back, also after a panic or a signal.

use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::app::App;
use super::view;
use crate::interrupt;

/// Held while a frame is drawn: a signal gives the screen back between frames, and no frame follows.
static DRAWING: Mutex<()> = Mutex::new(());
/// Whether the screen is ours: it is given back once.
static IS_OURS: AtomicBool = AtomicBool::new(false);

/// The screen while it is ours; dropped, it is as it was.
#[derive(Debug)]
pub(super) struct Terminal {
    inner: DefaultTerminal,
}

impl Terminal {
    /// Takes the screen and the mouse.
    pub(super) fn enter() -> Result<Self> {
        give_back_on_panic();
        interrupt::set_curtain(close);
        let inner = Self::take().context("taking the screen; `--plain` plays without it");
        if inner.is_err() {
            restore();
        }
        Ok(Self { inner: inner? })
    }

    fn take() -> io::Result<DefaultTerminal> {
        IS_OURS.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        DefaultTerminal::new(CrosstermBackend::new(io::stdout()))
    }

    /// Draws the state of `app`.
    pub(super) fn draw(&mut self, app: &mut App) -> Result<()> {
        let _drawing = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        app.size = self.inner.size()?;
        self.inner.draw(|frame| view::draw(app, frame))?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the screen back for good: nothing is drawn after it.
fn close() {
    std::mem::forget(DRAWING.lock().unwrap_or_else(PoisonError::into_inner));
    restore();
}

/// Gives the screen back if it is ours; there is nothing left to do where that fails.
fn restore() {
    if IS_OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Gives the screen back before a panic is told.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            tell(panic);
        }));
    });
}
