//! The screen: taken, drawn on and given back, also after a panic or a signal.

use std::io;
use std::panic;
use std::sync::{Mutex, Once, PoisonError};

use anyhow::{Context, Result};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;

use super::app::App;
use super::view;
use crate::interrupt;

/// Held while a frame is drawn: a signal gives the screen back between frames, and no frame follows.
static DRAWING: Mutex<()> = Mutex::new(());

/// The screen while it is ours; dropped, it is as it was.
#[derive(Debug)]
pub(super) struct Terminal {
    inner: DefaultTerminal,
}

impl Terminal {
    /// Takes the screen and the mouse.
    pub(super) fn enter() -> Result<Self> {
        let inner = ratatui::try_init().context("taking the screen; `--plain` plays without it")?;
        give_back_on_panic();
        interrupt::set_curtain(close);
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(Self { inner })
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

/// Gives the screen back; there is nothing left to do where that fails.
fn restore() {
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
}

/// Gives the mouse back too before a panic is told; ratatui does so with the screen.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), DisableMouseCapture);
            tell(panic);
        }));
    });
}
