//! Progress on the terminal of the first rank.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use puabi_solve::Watch;

/// A progress bar; hidden if stderr is not a terminal.
#[derive(Debug)]
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// Returns a bar with `label` before it.
    pub(crate) fn new(label: String) -> Self {
        let template = "{msg} [{bar:30}] {percent:>3} %  {elapsed} so far, {eta} left";
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let bar = ProgressBar::new(0).with_style(style.progress_chars("=> ")).with_message(label);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(bar)
    }
}

impl Watch for Bar {
    fn progress(&self, done: u64, total: u64) {
        if self.0.length() != Some(total) {
            self.0.set_length(total);
        }
        self.0.set_position(done);
    }

    fn stop(&self) -> bool {
        false
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
