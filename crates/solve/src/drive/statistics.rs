//! Tally: what a pass over a slab does, and what it finds.

/// What a pass over a slab does with the backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Stores them.
    Sweep,
    /// Stores them and how far each value moved.
    Record,
    /// Stores them and how far each value moved, and compares that with the move recorded before.
    Compare,
    /// Stores them with passes taken one at a time: each value is then its own backup to the last bit.
    Polish,
    /// Leaves the values and measures how far they are from their backups.
    Residual,
}

/// What a pass over a slab finds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// The largest change of a value.
    pub(crate) change: f64,
    /// Sum over values of the last move times its change since the move before.
    pub(crate) along: f64,
    /// Sum over values of the square of that change.
    pub(crate) square: f64,
    /// Positions in which neither side can ever move.
    pub(crate) dead: u64,
}

impl Tally {
    /// How many times further along the last move the limit lies.
    ///
    /// One-vector reduced-rank extrapolation: with the last two moves u and v of all values, the limit along v is
    /// v (t - 1) further, t = -u(v - u) / |v - u|^2.
    pub(crate) fn further(self) -> f64 {
        -self.along / self.square - 1.0
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
