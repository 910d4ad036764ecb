//! What the two kinds of models have in common: files, and weights that can be learnt.

use std::fmt;

use puabi_core::{Agent, Evaluator, LocatedError, Position, Rules};

/// A player with weights, which learning changes and a file keeps.
///
/// A model sees a position as numbers. The log-odds of the player about to roll are the sum of these numbers, each times its
/// weight.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Feature, Linear, Model};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// assert_eq!((Brain::count(&rules), Linear::count(&rules)), (561, 2 * Feature::ALL.len() + 1));
/// // The weights of a brain and its numbers of the start make its score.
/// let (brain, mut score) = (Brain::start(&rules), 0.0);
/// let weights = brain.grid().weights();
/// Brain::visit(&rules, rules.start(), |at, number| score += number * f32::from(weights[at]));
/// assert_eq!(score as i32, brain.score(rules.start()));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub trait Model: Evaluator + Agent + fmt::Display + Sized + Sync {
    /// The name of this kind of model in messages.
    const NAME: &'static str;

    /// How to get a model for rules for which none ships.
    const ADVICE: &'static str;

    /// The models that ship, each with the preset that it plays.
    const SHIPPED: &'static [(&'static str, &'static str)];

    /// Returns the trained model that comes with the program, for a preset with any number of pieces.
    ///
    /// # Panics
    ///
    /// Never: a test reads them all.
    fn shipped(rules: &Rules) -> Option<Self> {
        let preset = rules.rule_set().preset()?;
        let (_, text) = Self::SHIPPED.iter().find(|(name, _)| *name == preset.name)?;
        Some(Self::read(text, rules).expect("a shipped model is sound"))
    }

    /// Returns a model set by hand, from which learning starts.
    fn start(rules: &Rules) -> Self;

    /// Returns the model in `text`, which [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    ///
    /// Returns an error, with line and column, if the text is not a model for these rules.
    fn read(text: &str, rules: &Rules) -> Result<Self, LocatedError>;

    /// Returns the number of weights.
    fn count(rules: &Rules) -> usize;

    /// Calls `number` with the index and the value of every number of `position` that is not zero.
    fn visit(rules: &Rules, position: Position, number: impl FnMut(usize, f32));

    /// Returns the weights, in log-odds.
    fn weights(&self) -> Vec<f32>;

    /// Returns the model with these weights in log-odds, rounded to what it stores; `origin` says where it comes from.
    fn from_weights(rules: &Rules, weights: &[f32], origin: &str) -> Self;
}

/// Returns the chance that has these log-odds.
pub(super) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[expect(clippy::cast_possible_truncation, reason = "weights are noisier than what is cut off")]
pub(super) const fn narrow(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::brain::Brain;
    use puabi_core::{Afterstate, Roll, RuleSet};

    #[test]
    fn the_start_brain_keeps_a_fine_scale_and_takes_the_first_rosette() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let brain = Brain::from_weights(&rules, &Brain::start(&rules).weights(), "set by hand");
        assert!(brain.scale() >= 1024.0);
        let decision = rules.decision(rules.start(), Roll::new(4));
        let after = decision.after(brain.choose(&decision, 0.0));
        assert!(matches!(after, Afterstate::RollsAgain(_)));
    }
}
