//! The sums of luck and skill of one player.

use puabi_core::Rules;
use serde::Serialize;

use super::choice::{Choice, choices};
use super::class::Classes;
use super::ply::PlyReview;
use super::strength::{Estimate, Strength};

/// Luck and skill of one player.
///
/// ```
/// use puabi_engine::Totals;
/// assert_eq!(Totals::default().accuracy, None);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Totals {
    /// Plies of the player.
    pub plies: usize,
    /// Plies with two legal moves or more.
    pub decisions: usize,
    /// The luck: the chances that the rolls gained.
    pub luck: f64,
    /// The error: the chances that the moves lost.
    pub error: f64,
    /// The mean loss of a decision, in chances; 0 if there were no decisions.
    pub error_per_decision: f64,
    /// 100 for perfect play, 0 for what random moves are expected to lose; below 0 for worse. `None` if nothing was
    /// at stake.
    pub accuracy: Option<f64>,
    /// Moves by class.
    pub classes: Classes,
    /// The strength of the moves, if anything was at stake.
    pub strength: Option<Strength>,
    /// The strength as a rating, if ratings of the rules are known and the chances are exact.
    pub rating: Option<Estimate>,
}

impl Totals {
    /// Adds up the plies of one player; `rated` are the rules on whose ladder the strength is rated.
    pub(super) fn new<'p>(
        own: impl Iterator<Item = &'p PlyReview> + Clone,
        rated: Option<&Rules>,
    ) -> Self {
        // Not `sum`, whose result for no terms is -0.
        let error = own.clone().fold(0.0, |sum, ply| sum + ply.error);
        let choices = choices(own.clone());
        let strength = Strength::estimate(&choices);
        Self {
            plies: own.clone().count(),
            decisions: choices.len(),
            luck: own.clone().fold(0.0, |sum, ply| sum + ply.luck),
            error,
            error_per_decision: error / choices.len().max(1) as f64,
            accuracy: accuracy(&choices),
            classes: own.map(|ply| ply.class).collect(),
            strength,
            rating: strength.zip(rated).and_then(|(strength, rules)| strength.rating(rules)),
        }
    }
}

/// Returns how much of what random moves are expected to lose the player kept, in percent; `None` if nothing was at stake.
fn accuracy(choices: &[Choice]) -> Option<f64> {
    let stake: f64 = choices.iter().map(|choice| choice.best() - choice.mean()).sum();
    let error: f64 = choices.iter().map(|choice| choice.best() - choice.chosen).sum();
    (stake > 1e-9).then(|| 100.0 * (1.0 - error / stake))
}
