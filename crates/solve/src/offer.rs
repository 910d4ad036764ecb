//! Offers: what a player about to roll may take instead of rolling.

use crate::values::Values;

/// An offer: what a player about to roll may take in every position instead of rolling.
///
/// Its worth is `scale` times a value plus `shift`, but at most 1. It counts as that player's chance to win.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// A value of every position, seen by the player about to roll.
    pub values: &'a Values,
    /// The factor of a value.
    pub scale: f64,
    /// The number that is added to the product.
    pub shift: f64,
}

impl Offer<'_> {
    /// Returns the worth of the offer at a value.
    #[inline]
    pub fn worth(&self, value: f64) -> f64 {
        // No fused multiply-add: not all processors have one, and all must give the same bits.
        (self.scale * value + self.shift).min(1.0)
    }
}

/// The report of a solve with offers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OfferReport {
    /// The number of sweeps of the sublayer that took the most.
    pub sweeps_max: u32,
    /// The largest difference between a value and its backup, measured in a separate pass.
    pub residual: f64,
}

impl OfferReport {
    /// Returns the report of both solves together: the larger of each number.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            sweeps_max: self.sweeps_max.max(other.sweeps_max),
            residual: self.residual.max(other.residual),
        }
    }
}
