//! What judges positions and what chooses moves.

use arrayvec::ArrayVec;

use crate::decision::Decision;
use crate::position::Position;
use crate::ruleset::RuleSet;

/// Judges positions: a solved table, a heuristic, a net.
pub trait Evaluator {
    /// Writes the chance (0..=1) that the player about to roll wins, for each of `positions`.
    ///
    /// Both slices have the same length.
    fn evaluate(&self, positions: &[Position], values: &mut [f64]);
}

/// The chance of each legal move of a decision, in the order of [`Decision::moves`]; sums to one.
pub type Policy = ArrayVec<f64, { RuleSet::MAX_PIECES as usize + 1 }>;

/// Chooses moves without memory: a distribution over the legal moves of a decision.
pub trait Agent {
    /// Returns the chance of each legal move.
    fn policy(&self, decision: &Decision<'_>) -> Policy;
}
