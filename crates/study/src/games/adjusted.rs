//! Simulated matches with the luck of the dice taken out.

use std::ops::ControlFlow;

use puabi_core::Decision;
use puabi_engine::SharedEvaluator;
use puabi_solve::Exchange;
use rayon::prelude::*;
use serde::Serialize;

use crate::games::contestant::Contestant;
use crate::games::match_score::{Interval, MatchScore, deviations};
use crate::games::sharing::in_turn;
use crate::games::simulate::{BATCH, Simulation, pairs_of};

/// The mean result of a simulated match, each result less the luck that the dice gave.
///
/// The luck of a roll is the value of the best move with it, less the value before it, to the player who rolls. Over all
/// rolls its mean is zero, so taking it out leaves the mean of the results as it is and their spread much smaller: what is
/// left of a game is what both players gave away by their moves. `docs/method.md` has the proof and figures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Adjusted {
    /// A's mean share of points, luck taken out. Chance may move it a little outside 0..=1.
    pub a_mean: f64,
    /// The standard error of `a_mean`; infinite for one pair of games, which has no spread.
    pub error: f64,
    /// The interval that holds A's true mean in 95 of 100 such matches.
    pub interval: Interval,
    /// How many times as many games would be needed without the adjustment to know the mean as well; `None` if the results, or
    /// the adjusted results, do not vary.
    pub worth: Option<f64>,
}

/// Sums over pairs of games.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    pairs: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.pairs += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.pairs
    }

    /// Returns the variance of the mean; infinite for one pair, which says nothing about it.
    fn variance(&self) -> f64 {
        if self.pairs < 2.0 {
            return f64::INFINITY;
        }
        let spread = self.squares / self.pairs - self.mean().powi(2);
        spread.max(0.0) / (self.pairs - 1.0)
    }
}

impl Simulation<'_> {
    /// Plays the `pairs` pairs of games of [`Simulation::play`], which `ranks` share. Returns how they ended, and their mean with
    /// the luck taken out by `values`, the values of the solved game.
    ///
    /// `watch` sees the score after each batch and may stop it. The result does not depend on the number of threads or ranks.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play_adjusted(
        &self,
        ranks: &dyn Exchange,
        pairs: u64,
        values: SharedEvaluator<'_>,
        mut watch: impl FnMut(&MatchScore) -> ControlFlow<()>,
    ) -> (MatchScore, Adjusted) {
        let (mut score, mut plain, mut adjusted) =
            (MatchScore::default(), Moments::default(), Moments::default());
        let play = |batch| -> Vec<_> {
            let pairs = pairs_of(batch, pairs).into_par_iter();
            let goes_on = |_: &u64| !self.watch.stop();
            pairs.filter(goes_on).map(|pair| self.adjusted_pair(pair, values)).collect()
        };
        let _ = in_turn(ranks, pairs.div_ceil(BATCH), play, |_, played| {
            for (pair, luck) in played {
                score = score + pair;
                plain.add(pair.mean());
                adjusted.add(pair.mean() - luck);
            }
            watch(&score)
        });
        (score, Adjusted::new(plain, adjusted))
    }

    /// Plays a pair of games; returns how it ended, and A's mean luck in its two games.
    fn adjusted_pair(&self, pair: u64, values: SharedEvaluator<'_>) -> (MatchScore, f64) {
        let [first, second] = self.playouts(pair);
        let mut sum = 0.0;
        let mut game = |playout, light: Contestant| {
            let mut is_given = self.rules.rule_set().first_roll.is_some();
            self.ending(playout, light, |decision, _| {
                // A roll that the rules give is no luck.
                if !std::mem::take(&mut is_given) {
                    sum += luck(light, decision, values);
                }
            })
        };
        let first = game(first, Contestant::A);
        let score = MatchScore::of_pair(first, game(second, Contestant::B));
        (score, sum / 2.0)
    }
}

/// Returns the luck of a roll to A.
fn luck(light: Contestant, decision: &Decision<'_>, values: SharedEvaluator<'_>) -> f64 {
    let before = values.value(decision.position());
    let luck = decision.best_value(|position| values.value(position)) - before;
    if light.playing(decision.mover()) == Contestant::A { luck } else { -luck }
}

impl Adjusted {
    fn new(plain: Moments, adjusted: Moments) -> Self {
        let (a_mean, variance) = (adjusted.mean(), adjusted.variance());
        let error = variance.sqrt();
        let half = deviations(adjusted.pairs) * error;
        let (low, high) = (a_mean - half, a_mean + half);
        let interval = Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) };
        // A few pairs may all end alike, which says nothing about how results vary.
        let worth =
            Some(plain.variance() / variance).filter(|worth| worth.is_finite() && *worth > 0.0);
        Self { a_mean, error, interval, worth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_do_not_vary_say_nothing_of_what_an_adjustment_is_worth() {
        let moments = |values: [f64; 2]| {
            let mut moments = Moments::default();
            for value in values {
                moments.add(value);
            }
            moments
        };
        let (alike, spread) = (moments([0.5, 0.5]), moments([0.4, 0.5]));
        assert_eq!(Adjusted::new(alike, spread).worth, None);
        assert_eq!(Adjusted::new(spread, alike).worth, None);
        assert!(Adjusted::new(spread, spread).worth.is_some());
    }
}
