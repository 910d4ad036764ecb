//! The differences between two tables of the same game.

use puabi_core::Position;
use serde::Serialize;

/// The differences between the values of two tables, added up one by one.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::Difference;
/// let start = RuleSet::FINKEL.compile()?.start();
/// let mut difference = Difference::default();
/// difference.add(start, 0.515, 0.516);
/// assert_eq!(difference.count, 1);
/// assert!((difference.largest - 0.001).abs() < 1e-12);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// The number of pairs of values compared.
    pub count: u64,
    /// The largest difference of two values; values are chances, 0..=1.
    pub largest: f64,
    /// The first position with the largest difference, and its value in each table.
    pub place: Option<(Position, f64, f64)>,
    /// The number of differences of each size.
    pub histogram: Histogram,
    sum: f64,
}

/// Counts of differences by size: 0, then below 1e-16, below 1e-15 and so on to below 1.
///
/// ```
/// use puabi_formats::Histogram;
/// let mut histogram = Histogram::default();
/// histogram.add(3e-5);
/// assert_eq!(histogram.rows().find(|&(_, count)| count > 0), Some((1e-4, 1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Histogram([u64; SIZES]);

const SIZES: usize = 18;

impl Histogram {
    /// Counts a difference.
    pub fn add(&mut self, difference: f64) {
        let at = Self::bounds().position(|bound| difference < bound || difference <= 0.0);
        self.0[at.unwrap_or(SIZES - 1)] += 1;
    }

    /// Returns the upper bounds of the sizes; 0 for equal values.
    fn bounds() -> impl Iterator<Item = f64> {
        std::iter::once(0.0).chain((0..17).map(|power| 10_f64.powi(power - 16)))
    }

    /// Returns each upper bound with the number of differences below it and not below the bound before.
    ///
    /// The first bound is 0 and counts the equal values.
    pub fn rows(&self) -> impl Iterator<Item = (f64, u64)> {
        Self::bounds().zip(self.0)
    }
}

impl Difference {
    /// Compares the values of one position.
    pub fn add(&mut self, position: Position, first: f64, second: f64) {
        let difference = (first - second).abs();
        self.count += 1;
        self.sum += difference;
        self.histogram.add(difference);
        if self.place.is_none() || difference > self.largest {
            (self.largest, self.place) = (difference, Some((position, first, second)));
        }
    }

    /// Returns the mean difference; 0 if nothing was compared.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}
