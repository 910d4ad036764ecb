//! Fitting to exact values by the order of moves.

use puabi_core::Rules;
use puabi_engine::Model;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::descent::Descent;
use super::log_odds::{chance, narrow};
use super::samples::{Sample, Samples, generator};
use super::trainer::Trainer;

/// The settings of a [`Fit`].
///
/// ```
/// use puabi_study::FitOptions;
/// let options = FitOptions { seed: 7, ..FitOptions::default() };
/// assert_eq!(options.batch, 4096);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FitOptions {
    /// The seed of the order of the samples.
    pub seed: u64,
    /// The number of decisions between two changes of the weights.
    pub batch: usize,
    /// The learning rate in the first pass: about the change of each weight at a time, in log-odds.
    #[serde(rename = "pace")]
    pub learning_rate: f32,
    /// Passes after which the learning rate has fallen to a tenth.
    pub passes: u32,
    /// The inverse temperature of the softmax: the weight of a move is the exponential of this many times its lead in
    /// log-odds.
    #[serde(rename = "firmness")]
    pub inverse_temperature: f32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { seed: 1, batch: 4096, learning_rate: 0.003, passes: 30, inverse_temperature: 20.0 }
    }
}

/// Fits a learner to exact values by the order of moves rather than by the values.
///
/// The fit minimises the regret of a player that draws each move by a softmax of the leads: the sum over moves of chance x (best
/// value less the move's). The learner only has to put good moves before bad ones, the more firmly the more is at stake, and its
/// few weights are spent on that. Each step is a pass over all samples.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Model};
/// use puabi_study::{Trainer, Samples, Fit, FitOptions};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let samples = Samples::all(&rules, &values)?;
/// let start = Brain::start(&rules);
/// let mut fit = Fit::new(&rules, &start, &samples, FitOptions::default());
/// (0..5).for_each(|_| fit.step());
/// assert!(samples.regret(&fit.player()) <= samples.regret(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Fit<'e, M> {
    descent: Descent<M, FitOptions>,
    samples: &'e Samples,
}

/// Decisions that one task adds up; fixed, so that sums do not depend on the threads.
const TASK: usize = 256;

impl<'e, M: Model> Fit<'e, M> {
    /// Returns a fit of `start` to `samples` before its first pass.
    pub fn new(rules: &Rules, start: &M, samples: &'e Samples, options: FitOptions) -> Self {
        Self { descent: Descent::new(rules, start, options), samples }
    }

    /// Returns the slope of the regret at the decisions in `batch`, per decision.
    fn gradient(&self, batch: &[usize]) -> Vec<f32> {
        let tasks = batch.par_chunks(TASK).map(|task| {
            let mut gradient = vec![0.0; self.descent.state.weights.len()];
            for &at in task {
                self.add_slope(&self.samples.choices()[at], &mut gradient);
            }
            gradient
        });
        let mut total = vec![0.0; self.descent.state.weights.len()];
        for task in tasks.collect::<Vec<_>>() {
            total.iter_mut().zip(task).for_each(|(total, part)| *total += part);
        }
        let share = 1.0 / batch.len() as f32;
        total.into_iter().map(|slope| slope * share).collect()
    }

    /// Adds the slope of the expected regret: for a move, its chance x (its regret less the expected regret), times
    /// the slope of its lead.
    fn add_slope(&self, sample: &Sample, gradient: &mut [f32]) {
        let decision = sample.decision(self.samples.rules());
        let options: Vec<_> = decision.afterstates().map(|(_, after)| after).collect();
        let leads: Option<Vec<_>> = options.iter().map(|&after| self.descent.lead(after)).collect();
        // A move that wins at once is always played: there is nothing to learn.
        let Some(leads) = leads else { return };
        let highest = leads.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let inverse_temperature = self.descent.state.options.inverse_temperature;
        let odds: Vec<_> =
            leads.iter().map(|lead| ((lead - highest) * inverse_temperature).exp()).collect();
        let total: f32 = odds.iter().sum();
        let best = sample.best();
        let lost = |at: usize| narrow(best - sample.values()[at]);
        let expected: f32 = odds.iter().enumerate().map(|(at, odds)| odds / total * lost(at)).sum();
        let weight = narrow(sample.weight()) * inverse_temperature;
        for (at, &after) in options.iter().enumerate() {
            let step = weight * odds[at] / total * (lost(at) - expected);
            self.descent.slope(after, step, gradient);
        }
    }

    /// Returns the factor of the weights with which their log-odds stand for the right chances.
    ///
    /// The order of moves does not depend on the factor. With this factor the chances that the log-odds of afterstates stand for
    /// are right on average, each weighted by its log-odds. It is found by halving, since the weighted chances grow with the
    /// factor.
    fn calibration(&self) -> f32 {
        const SAMPLE: usize = 20_000;
        let rules = self.samples.rules();
        let sample = self.samples.choices().iter().take(SAMPLE).flat_map(|sample| {
            let decision = sample.decision(rules);
            let after: Vec<_> = decision.afterstates().map(|(_, after)| after).collect();
            let lead = |after| self.descent.lead(after);
            let values = after.into_iter().map(lead).zip(sample.values().to_vec());
            values.filter_map(|(lead, value)| Some((lead?, narrow(value)))).collect::<Vec<_>>()
        });
        let sample: Vec<_> = sample.collect();
        // There may be no choices at all, or only choices among moves that win at once.
        if sample.is_empty() {
            return 1.0;
        }
        let excess = |factor: f32| -> f64 {
            let term =
                |&(lead, value): &(f32, f32)| f64::from(lead * (chance(factor * lead) - value));
            sample.iter().map(term).sum()
        };
        let (mut low, mut high) = (1e-3_f32, 1e3_f32);
        for _ in 0..40 {
            let middle = (low * high).sqrt();
            if excess(middle) > 0.0 { high = middle } else { low = middle }
        }
        low
    }
}

impl<M: Model> Trainer for Fit<'_, M> {
    type Player = M;

    fn done(&self) -> u64 {
        self.descent.state.done
    }

    fn step(&mut self) {
        let FitOptions { seed, batch, learning_rate, passes, .. } = self.descent.state.options;
        let mut order: Vec<_> = (0..self.samples.choices().len()).collect();
        order.shuffle(&mut generator(seed, self.descent.state.done));
        let learning_rate = self.descent.learning_rate(learning_rate, passes.into());
        for batch in order.chunks(batch.max(1)) {
            let gradient = self.gradient(batch);
            self.descent.descend(&gradient, learning_rate);
        }
        self.descent.state.done += 1;
    }

    fn player(&self) -> M {
        let (passes, decisions) = (self.descent.state.done, self.samples.choices().len());
        let seed = self.descent.state.options.seed;
        let origin = format!(
            "fitted to the exact order of moves: {passes} passes over {decisions} decisions, seed {seed}"
        );
        self.descent.player(self.calibration(), &origin)
    }

    fn keep(&self) -> serde_json::Result<String> {
        self.descent.keep()
    }

    fn resume(&mut self, kept: &str) -> serde_json::Result<()> {
        self.descent.resume(kept, |_| Ok(()))
    }
}
