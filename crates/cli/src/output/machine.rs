//! The resources of the machine that this process used.

use std::fmt;
use std::time::Instant;

use serde::Serialize;

use crate::output::text;

/// The resources that a run took.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Cost {
    /// Elapsed seconds.
    pub(crate) seconds: f64,
    /// Seconds of all processors.
    pub(crate) cpu_seconds: f64,
    /// The most bytes of memory at one time, since the process started.
    pub(crate) peak_bytes: u64,
}

/// The start of a run. Processor time from before is not part of the run: under `cargo run` it is the time of the build.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    at: Instant,
    cpu_seconds: f64,
}

impl Start {
    pub(crate) fn now() -> Self {
        Self { at: Instant::now(), cpu_seconds: usage().0 }
    }

    /// Returns what the run has cost so far.
    pub(crate) fn cost(self) -> Cost {
        let (cpu_seconds, peak_bytes) = usage();
        let cpu_seconds = cpu_seconds - self.cpu_seconds;
        Cost { seconds: self.at.elapsed().as_secs_f64(), cpu_seconds, peak_bytes }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [time, cpu] = [self.seconds, self.cpu_seconds].map(text::seconds);
        write!(f, "{time}, {cpu} of processors, {} of memory", text::bytes(self.peak_bytes))
    }
}

/// Returns the seconds of all processors and the most bytes that this process took so far.
#[cfg(unix)]
fn usage() -> (f64, u64) {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return (0.0, 0) };
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    // Apple counts bytes, the others kibibytes.
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    (microseconds as f64 / 1e6, usage.max_rss().unsigned_abs() * unit)
}

/// Returns zeros: there is no portable call for this.
#[cfg(not(unix))]
const fn usage() -> (f64, u64) {
    (0.0, 0)
}

/// The number of runs whose median is the result.
const RUNS: usize = 9;

/// Returns the processor time of `work` in seconds, the median of some runs.
pub(crate) fn processor_seconds(work: impl Fn()) -> f64 {
    median((0..RUNS).map(|_| {
        let began = Start::now();
        work();
        match began.cost() {
            // The platform does not measure processor time.
            Cost { cpu_seconds: 0.0, seconds, .. } => seconds,
            Cost { cpu_seconds, .. } => cpu_seconds,
        }
    }))
}

/// Returns the middle number, or the higher of two middle ones.
pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
