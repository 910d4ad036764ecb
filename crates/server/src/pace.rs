//! How long work still takes, by how fast it went lately.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The progress of some work over time.
///
/// ```
/// let pace = puabi_server::Pace::new();
/// pace.note(0);
/// assert_eq!(pace.left(0, 100), None);
/// ```
#[derive(Debug)]
pub struct Pace {
    began: Instant,
    past: Mutex<Past>,
}

/// Some times since the work began and what was done by then, each at least a tenth after the one before.
#[derive(Debug, Default)]
struct Past(Vec<(Duration, u64)>);

impl Default for Pace {
    fn default() -> Self {
        Self { began: Instant::now(), past: Mutex::default() }
    }
}

impl Pace {
    /// Returns the progress of work that begins now.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Notes that `done` units are done now.
    pub fn note(&self, done: u64) {
        // If another thread is noting the same, this one need not.
        if let Ok(mut past) = self.past.try_lock() {
            past.note(self.elapsed(), done);
        }
    }

    /// Returns the time that is left if `done` of `total` units are done now; `None` if it is not known.
    pub fn left(&self, done: u64, total: u64) -> Option<Duration> {
        self.past.try_lock().ok()?.left(self.elapsed(), done, total)
    }
}

impl Past {
    fn note(&mut self, now: Duration, done: u64) {
        if self.0.last().is_none_or(|&(last, _)| now >= last + last / 10) {
            self.0.push((now, done));
        }
    }

    /// The rate is that of the second half of the time, because work that goes on after a stop begins with what is done already,
    /// and much work has phases without progress. If less than a hundredth of what is left was done in that half, nothing is
    /// known.
    fn left(&self, now: Duration, done: u64, total: u64) -> Option<Duration> {
        let &(from, done_before) = self.0.iter().rfind(|&&(time, _)| time <= now / 2)?;
        let (lately, rest) = (done.checked_sub(done_before)?, total.checked_sub(done)?);
        let is_known = rest > 0 && lately >= rest.div_ceil(100);
        is_known.then(|| now.saturating_sub(from).mul_f64(rest as f64 / lately as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the seconds that are left after these seconds with these units done, of 1,000.
    fn left(steps: &[(u64, u64)]) -> Option<u64> {
        let mut past = Past::default();
        for &(at, done) in steps {
            past.note(Duration::from_secs(at), done);
        }
        let (now, done) = steps[steps.len() - 1];
        past.left(Duration::from_secs(now), done, 1000).map(|left| left.as_secs())
    }

    #[test]
    fn time_is_left_by_the_rate_of_the_second_half() {
        assert_eq!(left(&[(0, 0), (10, 10), (20, 20)]), Some(980));
        // What was done before this run counts for nothing.
        assert_eq!(left(&[(0, 0), (1, 500), (50, 510), (100, 520)]), Some(2400));
    }

    #[test]
    fn nothing_is_known_while_hardly_anything_is_done() {
        assert_eq!(left(&[(0, 0)]), None);
        assert_eq!(left(&[(0, 0), (10, 0), (20, 0)]), None);
        assert_eq!(left(&[(0, 0), (10, 4), (20, 8)]), None);
        assert_eq!(left(&[(0, 0), (10, 500), (20, 1000)]), None);
    }
}
