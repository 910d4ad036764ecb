//! What a player about to roll may take instead of rolling.

use crate::values::Values;

/// What one player about to roll may take in every position.
///
/// It is worth `scale` times a value and `shift`, and 1 at most: a chance to win of that player's own.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// A value of every position, seen by the player about to roll.
    pub values: &'a Values,
    /// What a value counts.
    pub scale: f64,
    /// What is added.
    pub shift: f64,
}

impl Offer<'_> {
    /// Returns what is offered at a value.
    #[inline]
    pub fn worth(&self, value: f64) -> f64 {
        // No fused multiplication: not all processors have one, and all give the same bits.
        (self.scale * value + self.shift).min(1.0)
    }
}

/// What is known of a game with offers beside its values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OfferReport {
    /// The sweeps of the sublayer that took most.
    pub sweeps_max: u32,
    /// The largest difference between a value and its backup, from a pass of its own.
    pub residual: f64,
}

impl OfferReport {
    /// Returns what holds for both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            sweeps_max: self.sweeps_max.max(other.sweeps_max),
            residual: self.residual.max(other.residual),
        }
    }
}
