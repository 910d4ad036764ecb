//! Adam: steps along a noisy gradient, each weight at its own rate.

use serde::{Deserialize, Serialize};

/// The memory of earlier gradients that Adam keeps (Kingma and Ba, 2015, with their constants).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const SMALLEST: f32 = 1e-8;

impl Adam {
    pub(super) fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Returns for how many weights the means and the squares are remembered.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.mean.len(), self.square.len()]
    }

    /// Moves each of `weights` down `gradient` by about `learning_rate`.
    pub(super) fn descend(&mut self, weights: &mut [f32], gradient: &[f32], learning_rate: f32) {
        self.steps += 1;
        let mean_share = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_share = 1.0 - SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *weight -=
                learning_rate * (*mean / mean_share) / ((*square / square_share).sqrt() + SMALLEST);
        }
    }
}
