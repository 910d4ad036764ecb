//! Progress as lines on stderr, for work whose bar is not visible: in a log, or on a cluster.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};
use puabi_server::Pace;

use crate::output::status;

/// The time at which the last line was printed, or the work began.
#[derive(Debug)]
pub(super) struct Lines(Mutex<Instant>);

/// The shortest time between two lines.
const LEAST: Duration = Duration::from_mins(1);
/// Lines are at least a tenth of the elapsed time apart, so that a day's work does not print a thousand lines.
const PART: u32 = 10;

impl Lines {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    /// Prints the progress of `bar`, if a line is due.
    pub(super) fn print_if_due(&self, bar: &ProgressBar, pace: &Pace) {
        // If another thread is printing a line, this one need not.
        let Ok(mut last) = self.0.try_lock() else { return };
        if is_due(pace.elapsed(), last.elapsed()) {
            *last = Instant::now();
            status(line(bar, pace));
        }
    }
}

fn is_due(elapsed: Duration, since_last: Duration) -> bool {
    since_last >= LEAST.max(elapsed / PART)
}

fn line(bar: &ProgressBar, pace: &Pace) -> String {
    let (done, total) = (bar.position(), bar.length().unwrap_or_default());
    let left = pace.left(done, total).map(|left| format!(", {} left", HumanDuration(left)));
    let (percent, elapsed) = (100 * done / total.max(1), HumanDuration(pace.elapsed()));
    format!("{}: {percent} %, {elapsed} so far{}", bar.message(), left.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_after_a_minute_and_then_ever_more_rarely() {
        let mut lines = vec![0];
        for at in 1..86_400 {
            let since = at - lines[lines.len() - 1];
            if is_due(Duration::from_secs(at), Duration::from_secs(since)) {
                lines.push(at);
            }
        }
        assert_eq!(lines[1], LEAST.as_secs());
        assert!((30..80).contains(&lines.len()), "{lines:?}");
    }

    #[test]
    fn a_line_says_what_is_done_and_what_is_left_if_that_is_known() {
        let (bar, pace) = (ProgressBar::hidden().with_message("solving finkel"), Pace::new());
        bar.set_length(200);
        assert_eq!(line(&bar, &pace), "solving finkel: 0 %, 0 seconds so far");
        pace.note(0);
        std::thread::sleep(Duration::from_millis(5));
        bar.set_position(50);
        assert_eq!(line(&bar, &pace), "solving finkel: 25 %, 0 seconds so far, 0 seconds left");
    }
}
