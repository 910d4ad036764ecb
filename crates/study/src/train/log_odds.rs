//! Log-odds and chances, in the precision that learning works in.

/// Returns `number` in the precision that learning works in.
#[expect(clippy::cast_possible_truncation, reason = "weights are noisier than what is cut off")]
pub(super) const fn narrow(number: f64) -> f32 {
    number as f32
}

/// Returns the chance (0..=1) that log-odds stand for.
pub(super) fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}
