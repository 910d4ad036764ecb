//! Luck and skill of one player, added up.

use puabi_core::{Player, Rules};
use serde::Serialize;

use super::class::Classes;
use super::ply::PlyReview;
use super::strength::{Estimate, Strength};

/// The values of the moves that a player could choose from, and of the one chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) values: Vec<f64>,
    pub(super) chosen: f64,
}

impl Choice {
    fn best(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

/// Returns the free choices of `player`: those of two moves or more.
pub(super) fn choices(plies: &[PlyReview], player: Player) -> Vec<Choice> {
    let free = plies.iter().filter(|ply| ply.player == player && ply.moves.len() > 1);
    let choice = |ply: &PlyReview| Choice {
        values: ply.moves.iter().map(|answer| answer.value).collect(),
        chosen: ply.value,
    };
    free.map(choice).collect()
}

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
    /// What the rolls gained, in chances.
    pub luck: f64,
    /// What the moves lost, in chances.
    pub error: f64,
    /// What a decision lost on average, in chances; 0 of none.
    pub error_per_decision: f64,
    /// 100 for perfect play, 0 for what random moves are expected to lose; below 0 for worse. `None` where nothing was
    /// at stake.
    pub accuracy: Option<f64>,
    /// Moves by class.
    pub classes: Classes,
    /// How strong the moves are, where anything was at stake.
    pub strength: Option<Strength>,
    /// The same as a rating, where ratings of the rules are known and the chances are exact.
    pub rating: Option<Estimate>,
}

impl Totals {
    /// Adds up the plies of `player`; `rated` are the rules on whose ladder the strength is rated.
    pub(super) fn new(
        plies: &[PlyReview],
        player: Player,
        choices: &[Choice],
        rated: Option<&Rules>,
    ) -> Self {
        let own = || plies.iter().filter(|ply| ply.player == player);
        // Not `sum`, which makes -0 of nothing.
        let error = own().fold(0.0, |sum, ply| sum + ply.error);
        let strength = Strength::estimate(choices);
        Self {
            plies: own().count(),
            decisions: choices.len(),
            luck: own().fold(0.0, |sum, ply| sum + ply.luck),
            error,
            error_per_decision: error / choices.len().max(1) as f64,
            accuracy: accuracy(choices),
            classes: own().map(|ply| ply.class).collect(),
            strength,
            rating: strength.zip(rated).and_then(|(strength, rules)| strength.rating(rules)),
        }
    }
}

/// Returns how much of what random moves are expected to lose was kept, in percent.
pub(super) fn accuracy(choices: &[Choice]) -> Option<f64> {
    let stake: f64 = choices.iter().map(|choice| choice.best() - choice.mean()).sum();
    let error: f64 = choices.iter().map(|choice| choice.best() - choice.chosen).sum();
    (stake > 1e-9).then(|| 100.0 * (1.0 - error / stake))
}
