//! Figures: numbers that are known exactly, or estimated from a sample.

use serde::{Deserialize, Serialize};

use crate::games::match_score::{Interval, deviations};

/// A number that is exact, or an estimate with its interval.
///
/// ```
/// use puabi_study::Figure;
/// let squared = Figure::exact(3.0).map(|x| x * x);
/// assert_eq!((squared.value, squared.interval), (9.0, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The number, or the estimate of it; infinite if it has no end, such as the rating of a player that won all games.
    pub value: f64,
    /// The interval that holds the number in 95 of 100 samples like this one; `None` if the number is exact.
    pub interval: Option<Interval>,
}

impl Figure {
    /// Returns a number that is known exactly.
    pub const fn exact(value: f64) -> Self {
        Self { value, interval: None }
    }

    /// Returns the estimate of a number, given its standard error, from `games` independent games.
    pub fn estimate(value: f64, error: f64, games: u64) -> Self {
        let half = deviations(games as f64) * error;
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

    /// Returns the finite end of the interval of an infinite estimate, which is what its sample shows; `None` if the estimate is
    /// finite.
    ///
    /// ```
    /// use puabi_study::{Figure, Interval};
    /// let interval = Some(Interval { low: 2.0, high: f64::INFINITY });
    /// assert_eq!(Figure { value: f64::INFINITY, interval }.bound(), Some(2.0));
    /// assert_eq!(Figure { value: 3.0, interval }.bound(), None);
    /// ```
    pub fn bound(self) -> Option<f64> {
        let Interval { low, high } = self.interval.filter(|_| self.value.is_infinite())?;
        Some(if self.value > 0.0 { low } else { high })
    }

    /// Returns how far the interval reaches from the estimate, on the wider side; `None` if the number is exact.
    pub fn margin(self) -> Option<f64> {
        self.interval.map(|Interval { low, high }| (high - self.value).max(self.value - low))
    }
}
