//! Figures: numbers that are exact, or known from a sample.

use serde::{Deserialize, Serialize};

use crate::games::match_score::{DEVIATIONS, Interval};

/// A number that is exact, or an estimate with its interval.
///
/// ```
/// use puabi_study::Figure;
/// let squared = Figure::exact(3.0).map(|x| x * x);
/// assert_eq!((squared.value, squared.interval), (9.0, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The number, or the estimate of it.
    pub value: f64,
    /// The interval that holds the number in 95 of 100 samples like this one; `None` if the number is exact.
    pub interval: Option<Interval>,
}

impl Figure {
    /// Returns a number that is known exactly.
    pub const fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }

    /// Returns the estimate of a number, given its standard error.
    pub fn estimate(value: f64, error: f64) -> Self {
        let half = DEVIATIONS * error;
        Self { value, interval: Some(Interval { low: value - half, high: value + half }) }
    }

    /// Returns the number and its interval after `convert`, which must be a monotonic function.
    #[must_use]
    pub fn map(self, convert: impl Fn(f64) -> f64) -> Self {
        let interval = self.interval.map(|Interval { low, high }| {
            let (one, other) = (convert(low), convert(high));
            Interval { low: one.min(other), high: one.max(other) }
        });
        Self { value: convert(self.value), interval }
    }

    /// Returns how far the interval reaches from the estimate, on the wider side; `None` if the number is exact.
    pub fn margin(self) -> Option<f64> {
        self.interval.map(|Interval { low, high }| (high - self.value).max(self.value - low))
    }
}
