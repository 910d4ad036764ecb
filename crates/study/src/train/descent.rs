//! Gradient descent: the weights of a trainer that follows a slope, and its kept state.

use std::marker::PhantomData;

use puabi_core::{Afterstate, Decision, Position, Rules};
use puabi_engine::Model;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::trainer::ensure_size;

/// The weights of a [`Model`] that go down a slope step by step.
#[derive(Debug, Clone)]
pub(super) struct Descent<M, O> {
    pub(super) rules: Rules,
    pub(super) state: State<O>,
    model: PhantomData<M>,
}

/// The part of a descent that is kept between two steps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct State<O> {
    pub(super) options: O,
    pub(super) weights: Vec<f32>,
    adam: Adam,
    /// Steps done.
    pub(super) done: u64,
}

impl<M: Model, O: Serialize + DeserializeOwned> Descent<M, O> {
    /// Returns the descent that starts from the weights of `model`.
    pub(super) fn new(rules: &Rules, model: &M, options: O) -> Self {
        let weights = model.weights();
        let adam = Adam::new(weights.len());
        let state = State { options, weights, adam, done: 0 };
        Self { rules: rules.clone(), state, model: PhantomData }
    }

    /// Moves the weights down `gradient`, about `learning_rate` each.
    pub(super) fn descend(&mut self, gradient: &[f32], learning_rate: f32) {
        self.state.adam.descend(&mut self.state.weights, gradient, learning_rate);
    }

    /// Returns the learning rate of the next step: it falls geometrically, to a tenth of `first` after `steps` steps.
    pub(super) fn learning_rate(&self, first: f32, steps: u64) -> f32 {
        first * 0.1_f32.powf(self.state.done as f32 / steps.max(1) as f32)
    }

    pub(super) fn keep(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.state)
    }

    /// Restores what was kept, if `check` finds no fault with its options.
    pub(super) fn resume(
        &mut self,
        kept: &str,
        check: impl FnOnce(&O) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        let state: State<O> = serde_json::from_str(kept)?;
        check(&state.options)?;
        for found in [state.weights.len()].into_iter().chain(state.adam.sizes()) {
            ensure_size(found, self.state.weights.len())?;
        }
        self.state = state;
        Ok(())
    }

    /// Returns the player with the present weights, each multiplied by `times`.
    ///
    /// The factor changes the chances, and never the order of two positions.
    pub(super) fn player(&self, times: f32, origin: &str) -> M {
        let weights: Vec<_> = self.state.weights.iter().map(|weight| weight * times).collect();
        M::from_weights(&self.rules, &weights, origin)
    }

    /// Returns the log-odds of the player about to roll.
    #[inline]
    pub(super) fn log_odds(&self, position: Position) -> f32 {
        let mut sum = 0.0;
        M::visit(&self.rules, position, |at, number| sum += number * self.state.weights[at]);
        sum
    }

    /// Returns the log-odds of the player who moved; `None` if that player has won.
    #[inline]
    pub(super) fn lead(&self, after: Afterstate) -> Option<f32> {
        Some(sign(after) * self.log_odds(after.position()?))
    }

    /// Adds `step` times the slope of the lead to `gradient`.
    #[inline]
    pub(super) fn slope(&self, after: Afterstate, step: f32, gradient: &mut [f32]) {
        let Some(position) = after.position() else { return };
        let step = sign(after) * step;
        M::visit(&self.rules, position, |at, number| gradient[at] += step * number);
    }

    /// Returns the afterstate of the move that the learner values most.
    pub(super) fn choose(&self, decision: &Decision<'_>) -> Afterstate {
        let options = decision.afterstates().map(|(_, after)| {
            let lead = self.lead(after).unwrap_or(f32::INFINITY);
            (lead, after)
        });
        let best = options.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.expect("a decision has at least one move").1
    }
}

/// Returns 1 if the position is seen by the player who moved, and -1 if by the opponent.
fn sign(after: Afterstate) -> f32 {
    if after.rolls_again() { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::RuleSet;
    use puabi_engine::Brain;

    #[test]
    fn the_roll_is_worth_something() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let descent = Descent::new(&rules, &Brain::start(&rules), ());
        assert!(descent.log_odds(rules.start()) > 0.0);
    }
}
