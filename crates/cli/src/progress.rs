//! Long work as the user sees it: a progress bar on stderr, or lines in a log, and Ctrl-C.

pub(crate) mod interrupt;
mod lines;

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use puabi_server::Pace;
use puabi_solve::Watch;

use crate::output::is_silent;
use interrupt::Guard;
use lines::Lines;

/// A progress bar that can stop the work. If stderr is not a terminal, it prints a line now and then, and if this process is
/// silent, nothing.
#[derive(Debug)]
pub struct Bar {
    drawn: ProgressBar,
    pace: Arc<Pace>,
    /// The lines that are printed if the bar is not visible.
    lines: Option<Lines>,
    /// Catches Ctrl-C, unless the work runs in the background.
    guard: Option<Guard>,
}

impl Bar {
    /// Returns a bar with `label` before it, whose work Ctrl-C stops.
    pub fn new(label: String) -> Self {
        let mut bar = Self::unguarded(label);
        bar.guard = Some(Guard::new());
        bar
    }

    /// Returns the same bar for work that cannot stop half way: Ctrl-C ends the program.
    pub fn unguarded(label: String) -> Self {
        let template = "{msg} [{bar:30}] {percent:>3} %  {elapsed} so far{left}";
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let pace = Arc::new(Pace::new());
        let shown = Arc::clone(&pace);
        let style = style.with_key("left", move |state: &ProgressState, text: &mut dyn Write| {
            let left = shown.left(state.pos(), state.len().unwrap_or_default());
            // Writing to a text does not fail.
            let _ = if interrupt::is_requested() {
                text.write_str(", stops soon; Ctrl-C again ends it at once")
            } else if let Some(left) = left {
                write!(text, ", {:#} left", HumanDuration(left))
            } else {
                Ok(())
            };
        });
        let bar = if is_silent() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let bar = bar.with_style(style.progress_chars("=> ")).with_message(label);
        bar.enable_steady_tick(Duration::from_millis(250));
        let lines = (bar.is_hidden() && !is_silent()).then(Lines::new);
        Self { drawn: bar, pace, lines, guard: None }
    }

    /// Returns a bar that is never drawn; `bar` shares its progress and stops the work once `bar` is finished.
    pub(crate) fn background(bar: ProgressBar) -> Self {
        Self { drawn: bar, pace: Arc::new(Pace::new()), lines: None, guard: None }
    }

    /// Shows that `done` of `total` units of work are done, and breaks if the user stopped the work.
    pub(crate) fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.progress(done, total);
        if self.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watch for Bar {
    fn progress(&self, done: u64, total: u64) {
        if self.drawn.length() != Some(total) {
            self.drawn.set_length(total);
        }
        self.drawn.set_position(done);
        self.pace.note(done);
        if let Some(lines) = &self.lines {
            lines.print_if_due(&self.drawn, &self.pace);
        }
    }

    fn stop(&self) -> bool {
        self.drawn.is_finished() || self.guard.is_some() && interrupt::is_requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.drawn.finish_and_clear();
    }
}
