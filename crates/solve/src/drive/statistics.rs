//! What a pass over a sublayer does, and what it finds.

/// What a pass does with the backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Stores them.
    Sweep,
    /// Stores them and the delta of each value.
    Record,
    /// Stores them and the delta of each value, and compares it with the delta recorded before.
    Compare,
    /// Stores them with passes taken one at a time: each value is then its own backup to the last bit.
    Polish,
    /// Leaves the values and measures how far they are from their backups.
    Residual,
}

/// What a pass finds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// The largest change of a value.
    pub(crate) change: f64,
    /// Sum over values of the last delta times its difference from the delta before.
    pub(crate) along: f64,
    /// Sum over values of the square of that difference.
    pub(crate) square: f64,
    /// The number of positions in which neither side can ever move.
    pub(crate) dead: u64,
}

impl Tally {
    /// Returns the factor by which the last deltas are to be added to the values once more: how far the values are from their
    /// limit, as a multiple of the last delta.
    ///
    /// One-vector reduced-rank extrapolation: with the last two deltas u and v of all values, the limit along v is
    /// v (t - 1) further, t = -u(v - u) / |v - u|^2.
    pub(crate) fn extrapolation_factor(self) -> f64 {
        -self.along / self.square - 1.0
    }

    /// Returns [`Tally::extrapolation_factor`] if values may be moved that far.
    ///
    /// It is below zero if values swing: deltas that change by a factor of -1 in each sweep give -1/2.
    pub(crate) fn safe_extrapolation_factor(self) -> Option<f64> {
        Some(self.extrapolation_factor()).filter(|&factor| factor > -0.5 && factor < 50.0)
    }

    /// Returns whether the deltas differ from those before by as much as the largest of them, as those of values that swing do.
    pub(crate) fn is_swinging(self) -> bool {
        self.change > 0.0 && self.square >= self.change * self.change
    }

    /// Adds a value that changes by `delta` and changed by `before` in the sweep before.
    #[inline]
    pub(crate) fn compare(&mut self, before: f64, delta: f64) {
        self.along += before * (delta - before);
        self.square += (delta - before) * (delta - before);
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            change: if self.change > other.change { self.change } else { other.change },
            along: self.along + other.along,
            square: self.square + other.square,
            dead: self.dead + other.dead,
        }
    }
}
