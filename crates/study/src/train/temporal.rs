//! Learning by temporal difference, from games of the learner against itself.

use puabi_core::Rules;
use puabi_engine::{DiceRng, Model, Playout};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::descent::Descent;
use super::log_odds::{chance, narrow};
use super::samples::generator;
use super::trainer::Trainer;

/// The settings of [`TemporalDifference`].
///
/// ```
/// use puabi_study::TemporalOptions;
/// let options = TemporalOptions { lambda: 0.9, ..TemporalOptions::default() };
/// assert_eq!(options.games, 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TemporalOptions {
    /// The seed of the dice.
    pub seed: u64,
    /// Games between two changes of the weights: one step.
    pub games: u64,
    /// How far back a TD error reaches (0..=1): its weight is multiplied by this for each ply back.
    pub lambda: f32,
    /// The learning rate at first: about the change of each weight at a time, in log-odds.
    #[serde(rename = "pace")]
    pub learning_rate: f32,
    /// Steps after which the learning rate has fallen to a tenth.
    pub steps: u64,
}

impl Default for TemporalOptions {
    fn default() -> Self {
        Self { seed: 1, games: 64, lambda: 0.8, learning_rate: 0.004, steps: 2000 }
    }
}

/// Learns by TD(lambda) from games of the learner against itself (Sutton 1988; Tesauro's TD-Gammon).
///
/// The learner values each position before the roll. The TD error is the value of the next position less the value of
/// this one, and it corrects the values that led there. All games of a step are played with the same weights, and
/// their corrections are added up in the order of the games, so that the sum does not depend on the threads.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Linear, Model};
/// use puabi_study::{Trainer, TemporalDifference, TemporalOptions};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let start = Linear::start(&rules);
/// let options = TemporalOptions { games: 8, ..TemporalOptions::default() };
/// let mut trainer = TemporalDifference::new(&rules, &start, options);
/// trainer.step();
/// assert_ne!(trainer.player().mine(), start.mine());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TemporalDifference<M>(Descent<M, TemporalOptions>);

impl<M: Model> TemporalDifference<M> {
    /// Returns the trainer that starts from the weights of `start`.
    pub fn new(rules: &Rules, start: &M, options: TemporalOptions) -> Self {
        Self(Descent::new(rules, start, options))
    }

    /// Plays one game and returns the correction of the weights that it asks for.
    fn correction_of_game(&self, number: u64) -> Vec<f32> {
        let (learner, rules, options) = (&self.0, &self.0.rules, &self.0.state.options);
        let dice = DiceRng::new(generator(options.seed, number).random());
        let (mut playout, mut before) = (Playout::new(rules, dice), None);
        let mut trace = Trace::new(learner.state.weights.len(), options.lambda);
        loop {
            let (position, mover) = (playout.position(), playout.mover());
            let value = chance(learner.log_odds(position));
            if let Some(before) = before {
                trace.correct(value - before);
            }
            trace.fade();
            let step = value * (1.0 - value);
            M::visit(rules, position, |at, number| trace.slopes[at] += step * number);
            let after = learner.choose(&playout.roll());
            if let Some(ending) = playout.follow(after) {
                trace.correct(narrow(ending.result(mover)) - value);
                return trace.corrections;
            }
            before = Some(if playout.mover() == mover {
                value
            } else {
                // From here on all values are seen by the other player.
                trace.flip();
                1.0 - value
            });
        }
    }
}

/// The eligibility trace: the slopes of the values that led to a position, and the corrections so far.
struct Trace {
    lambda: f32,
    slopes: Vec<f32>,
    corrections: Vec<f32>,
}

impl Trace {
    fn new(weights: usize, lambda: f32) -> Self {
        Self { lambda, slopes: vec![0.0; weights], corrections: vec![0.0; weights] }
    }

    /// Corrects every earlier value by a TD error.
    fn correct(&mut self, td_error: f32) {
        self.corrections
            .iter_mut()
            .zip(&self.slopes)
            .for_each(|(correction, slope)| *correction += td_error * slope);
    }

    fn fade(&mut self) {
        self.slopes.iter_mut().for_each(|slope| *slope *= self.lambda);
    }

    /// Changes the view to the other player, whose chance falls when this one's grows.
    fn flip(&mut self) {
        self.slopes.iter_mut().for_each(|slope| *slope = -*slope);
    }
}

impl<M: Model> Trainer for TemporalDifference<M> {
    type Player = M;

    fn done(&self) -> u64 {
        self.0.state.done
    }

    fn step(&mut self) {
        let TemporalOptions { games, learning_rate, steps, .. } = self.0.state.options;
        let first = self.0.state.done * games.max(1);
        let numbers = (first..first + games.max(1)).into_par_iter();
        let corrections: Vec<_> = numbers.map(|number| self.correction_of_game(number)).collect();
        let mut down = vec![0.0; self.0.state.weights.len()];
        for correction in corrections {
            down.iter_mut()
                .zip(correction)
                .for_each(|(down, part)| *down -= part / games.max(1) as f32);
        }
        self.0.descend(&down, self.0.learning_rate(learning_rate, steps));
        self.0.state.done += 1;
    }

    fn player(&self) -> M {
        let TemporalOptions { seed, games, lambda, .. } = self.0.state.options;
        let games = self.0.state.done * games;
        let origin = format!("TD({lambda}) over {games} games of self-play, seed {seed}");
        self.0.player(1.0, &origin)
    }

    fn keep(&self) -> serde_json::Result<String> {
        self.0.keep()
    }

    fn resume(&mut self, kept: &str) -> serde_json::Result<()> {
        let expected = self.0.state.options.games;
        self.0.resume(kept, |&TemporalOptions { games: found, .. }| {
            if found == expected {
                return Ok(());
            }
            // Only steps are counted, so with another number of games a step, training would go on with other games.
            let message =
                format!("the kept training has {found} games a step: expected {expected}");
            Err(serde::de::Error::custom(message))
        })
    }
}
