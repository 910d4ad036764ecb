//! The work of a sublayer before its sweeps, which a watch hears of, too: in large sublayers it takes many minutes.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::drive::iterate::Course;
use crate::types::{SolveError, Sweep};

/// What is done of the work before the sweeps.
pub(crate) struct Preparation<'a> {
    course: Course<'a>,
    /// The share of all work of the sublayer that the preparation is assumed to take.
    share: f64,
    /// The units of work of the preparation.
    whole: usize,
    done: AtomicUsize,
}

impl<'a> Preparation<'a> {
    /// Returns a preparation of `whole` units of work, none of which has begun.
    pub(crate) fn new(course: Course<'a>, share: f64, whole: usize) -> Self {
        Self { course, share, whole, done: AtomicUsize::new(0) }
    }

    /// Tells the watch that units of work begin. Returns an error if the watch asks to stop.
    pub(crate) fn begin(&self, units: usize) -> Result<(), SolveError> {
        let done = self.done.fetch_add(units, Ordering::Relaxed);
        let share = self.share * done as f64 / self.whole as f64;
        if (self.course.watch)(share, None) { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

impl Course<'_> {
    /// Calls `sweep` with the course of sweeps that are assumed to take this part of all work.
    pub(crate) fn within<R>(self, part: Range<f64>, sweep: impl FnOnce(Course<'_>) -> R) -> R {
        let watch = |swept: f64, sweep: Option<&Sweep<'_>>| {
            (self.watch)(part.start + (part.end - part.start) * swept, sweep)
        };
        sweep(Course { watch: &watch, ..self })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::parallel::Sharing;

    #[test]
    fn the_watch_hears_of_the_preparation_and_of_the_sweeps_and_may_stop_either() {
        let heard = Mutex::new(Vec::new());
        let watch = |share: f64, _: Option<&Sweep<'_>>| {
            heard.lock().unwrap().push(share);
            share >= 0.75
        };
        let course = Course { watch: &watch, ..Course::of_certificate(Sharing::NoThreads) };
        let preparation = Preparation::new(course, 0.5, 4);
        assert!([1, 2, 1].into_iter().all(|units| preparation.begin(units).is_ok()));
        let stops =
            course.within(0.5..1.0, |course| [0.25, 0.5].map(|share| (course.watch)(share, None)));
        assert_eq!(stops, [false, true]);
        assert_eq!(*heard.lock().unwrap(), [0.0, 0.125, 0.375, 0.625, 0.75]);
        let late = Preparation::new(course, 1.0, 4);
        assert!(late.begin(3).is_ok() && matches!(late.begin(1), Err(SolveError::Stopped)));
    }
}
