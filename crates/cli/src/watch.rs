//! A solve as the user sees it: a progress bar on stderr, and Ctrl-C.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use puabi_solve::Watch;

use crate::interrupt;

/// Shows the progress of a solve and ends it on Ctrl-C; quiet where stderr is no terminal.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    _guard: interrupt::Guard,
}

impl Bar {
    /// Returns a bar labelled `label`.
    pub(crate) fn new(label: String) -> Self {
        let template = "{msg} [{bar:30}] {percent:>3} %  {elapsed} so far, {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::new(0).with_style(style.progress_chars("=> ")).with_message(label);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, _guard: interrupt::Guard::new() }
    }
}

impl Watch for Bar {
    fn progress(&self, done: u64, total: u64) {
        if self.bar.length() != Some(total) {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }

    fn stop(&self) -> bool {
        interrupt::is_requested()
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
