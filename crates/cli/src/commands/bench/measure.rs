//! Times that do not depend on one unlucky run.

use std::time::Instant;

use crate::output::machine;

/// The number of runs whose median is the result.
const RUNS: usize = 9;

/// Returns the processor time of `work` in seconds, the median of some runs.
pub(super) fn processor_seconds(work: impl Fn()) -> f64 {
    median((0..RUNS).map(|_| {
        let (began, before) = (Instant::now(), machine::cpu_seconds());
        work();
        match machine::cpu_seconds() - before {
            // The platform does not measure processor time.
            0.0 => began.elapsed().as_secs_f64(),
            seconds => seconds,
        }
    }))
}

/// Returns the middle number, or the higher of two middle ones.
pub(super) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
