//! Gradient descent: the learner of a trainer that follows a slope, and its kept state.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::basis::Basis;
use super::learner::Learner;
use super::trainer::ensure_size;

/// A learner whose weights go down a slope step by step.
#[derive(Debug, Clone)]
pub(super) struct Descent<B, O> {
    pub(super) learner: Learner<B>,
    pub(super) options: O,
    adam: Adam,
    /// Steps done.
    pub(super) done: u64,
}

/// What of it is kept between two steps.
#[derive(Debug, Serialize, Deserialize)]
struct Kept<O> {
    options: O,
    weights: Vec<f32>,
    adam: Adam,
    done: u64,
}

impl<B: Basis, O: Copy + Serialize + DeserializeOwned> Descent<B, O> {
    pub(super) fn new(learner: Learner<B>, options: O) -> Self {
        let adam = Adam::new(learner.weights.len());
        Self { learner, options, adam, done: 0 }
    }

    /// Moves the weights down `gradient`, about `learning_rate` each.
    pub(super) fn descend(&mut self, gradient: &[f32], learning_rate: f32) {
        self.adam.descend(&mut self.learner.weights, gradient, learning_rate);
    }

    /// Returns the learning rate of the next step: it falls geometrically, to a tenth of `first` after `steps` steps.
    pub(super) fn learning_rate(&self, first: f32, steps: u64) -> f32 {
        first * 0.1_f32.powf(self.done as f32 / steps.max(1) as f32)
    }

    pub(super) fn keep(&self) -> serde_json::Result<String> {
        let (options, weights) = (self.options, self.learner.weights.clone());
        serde_json::to_string(&Kept { options, weights, adam: self.adam.clone(), done: self.done })
    }

    pub(super) fn resume(&mut self, kept: &str) -> serde_json::Result<()> {
        let kept: Kept<O> = serde_json::from_str(kept)?;
        ensure_size(kept.weights.len(), self.learner.weights.len())?;
        (self.options, self.adam, self.done) = (kept.options, kept.adam, kept.done);
        self.learner.weights = kept.weights;
        Ok(())
    }
}
