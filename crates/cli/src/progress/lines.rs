//! Progress as lines on stderr, for work whose bar is not visible: in a log, or on a cluster.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};

use crate::output::status;

/// The times at which the work began and the last line was printed.
#[derive(Debug)]
pub(super) struct Lines {
    began: Instant,
    last: Mutex<Instant>,
}

/// The shortest time between two lines.
const LEAST: Duration = Duration::from_mins(1);
/// Lines are at least a tenth of the elapsed time apart, so that a day's work does not print a thousand lines.
const PART: u32 = 10;

impl Lines {
    pub(super) fn new() -> Self {
        let began = Instant::now();
        Self { began, last: Mutex::new(began) }
    }

    /// Prints the progress of `bar`, if a line is due.
    pub(super) fn print_if_due(&self, bar: &ProgressBar) {
        // If another thread is printing a line, this one need not.
        let Ok(mut last) = self.last.try_lock() else { return };
        let elapsed = self.began.elapsed();
        if is_due(elapsed, last.elapsed()) {
            *last = Instant::now();
            status(line(bar, elapsed));
        }
    }
}

fn is_due(elapsed: Duration, since_last: Duration) -> bool {
    since_last >= LEAST.max(elapsed / PART)
}

fn line(bar: &ProgressBar, elapsed: Duration) -> String {
    let percent = 100 * bar.position() / bar.length().unwrap_or_default().max(1);
    let left = left(bar.eta()).map_or_else(String::new, |left| format!(", {left} left"));
    format!("{}: {percent} %, {} so far{left}", bar.message(), HumanDuration(elapsed))
}

/// Returns the time that is left; `None` if too little was done lately to estimate it.
pub(super) fn left(eta: Duration) -> Option<HumanDuration> {
    const LONGEST: Duration = Duration::from_hours(100 * 365 * 24);
    (eta > Duration::ZERO && eta < LONGEST).then_some(HumanDuration(eta))
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
        let bar = ProgressBar::hidden().with_message("solving finkel");
        bar.set_length(200);
        bar.set_position(50);
        let line = line(&bar, Duration::from_mins(2));
        assert!(line.starts_with("solving finkel: 25 %, 2 minutes so far"), "{line}");
        assert!(line.len() < 60, "{line}");
        assert!(left(Duration::ZERO).is_none() && left(Duration::MAX).is_none());
        assert_eq!(left(Duration::from_mins(3)).unwrap().to_string(), "3 minutes");
    }
}
