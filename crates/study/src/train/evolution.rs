//! Evolution of brains by self-play.

use std::ops::Range;

use puabi_core::Rules;
use puabi_engine::{Brain, Grid, Model};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::duel::share;
use super::samples::generator;
use super::trainer::{Trainer, ensure_size};

/// The settings of [`Evolution`].
///
/// ```
/// use puabi_study::EvolutionOptions;
/// let options = EvolutionOptions { seed: 7, ..EvolutionOptions::default() };
/// assert_eq!(options.population, 32);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EvolutionOptions {
    /// The seed of all chance.
    pub seed: u64,
    /// Brains in a generation; at least 4.
    pub population: usize,
    /// Games that each brain plays against each of its opponents.
    pub games: u64,
    /// Generations from one entry of the hall of fame to the next.
    #[serde(rename = "fame")]
    pub fame_interval: u64,
}

impl Default for EvolutionOptions {
    fn default() -> Self {
        Self { seed: 1, population: 32, games: 200, fame_interval: 20 }
    }
}

/// Breeds brains: those that win most games are mixed to make the parent of the next generation.
///
/// The strategy is CMA-ES with a diagonal covariance (Ros and Hansen 2008, with their constants): each generation is
/// drawn around a parent, every weight with a spread of its own, and the parent moves to the weighted mean of the better
/// half. Fitness is the part of the games won against the parent and against entries of the hall of fame, parents of
/// earlier generations, all brains of a generation playing with the same dice.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Model};
/// use puabi_study::{Trainer, Evolution, EvolutionOptions};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let options = EvolutionOptions { population: 4, games: 4, fame_interval: 1, ..EvolutionOptions::default() };
/// let mut evolution = Evolution::new(&rules, &Brain::start(&rules), options);
/// evolution.step();
/// assert_eq!(evolution.done(), 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Evolution {
    rules: Rules,
    options: EvolutionOptions,
    state: State,
}

/// The state that a generation leaves to the next; weights and spreads are in log-odds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    done: u64,
    parent: Vec<f32>,
    /// The common size of all spreads; `spread` has the factor of each weight.
    step: f32,
    spread: Vec<f32>,
    /// The evolution path of the parents that adapts `step`, in units of the spread.
    #[serde(rename = "heading")]
    step_path: Vec<f32>,
    /// The evolution path of the parents that adapts the covariance, which is `spread`, in units of the spread.
    #[serde(rename = "drift")]
    covariance_path: Vec<f32>,
    /// The weights of earlier parents.
    #[serde(rename = "fame")]
    hall_of_fame: Vec<Vec<f32>>,
}

/// The fewest brains in a generation: with fewer, the better half is a single brain, which has no mean of its own.
const FEWEST: usize = 4;

/// The most entries of the hall of fame; the oldest but one goes first, so that the first parent stays.
const MOST_ENTRIES: usize = 12;

/// Entries of the hall of fame that each generation plays against, besides the parent.
const RIVALS: usize = 3;

/// The spread of a square's weight at first, in log-odds.
const FIRST_STEP: f32 = 0.04;

impl Evolution {
    /// Returns the evolution that starts from `brain`.
    pub fn new(rules: &Rules, brain: &Brain, options: EvolutionOptions) -> Self {
        let parent = brain.weights();
        let zero = vec![0.0; parent.len()];
        let state = State {
            done: 0,
            step: FIRST_STEP,
            spread: first_spread(rules),
            step_path: zero.clone(),
            covariance_path: zero,
            hall_of_fame: vec![parent.clone()],
            parent,
        };
        let options = EvolutionOptions { population: options.population.max(FEWEST), ..options };
        Self { rules: rules.clone(), options, state }
    }

    /// Returns the deviations from the parent of brain `number` of this generation, in units of the spread.
    fn deviation(&self, number: usize) -> Vec<f32> {
        let stream = self.state.done * self.options.population as u64 + number as u64;
        let mut generator = generator(self.options.seed, stream);
        let normal = StandardNormal.sample_iter(&mut generator);
        normal.take(self.state.parent.len()).collect()
    }

    fn brain(&self, deviation: &[f32]) -> Brain {
        let State { parent, step, spread, .. } = &self.state;
        let weights = parent.iter().zip(spread).zip(deviation);
        let weights: Vec<_> = weights.map(|((mean, spread), z)| mean + step * spread * z).collect();
        Brain::from_weights(&self.rules, &weights, "")
    }

    /// Returns the opponents of this generation.
    fn rivals(&self) -> Vec<Brain> {
        let mut chance = generator(!self.options.seed, self.state.done);
        let fame = &self.state.hall_of_fame;
        let drawn = (0..RIVALS.min(fame.len())).map(|_| &fame[chance.random_range(0..fame.len())]);
        let rivals = std::iter::once(&self.state.parent).chain(drawn);
        rivals.map(|weights| Brain::from_weights(&self.rules, weights, "")).collect()
    }

    /// Returns the part of its games that each of `brains` wins.
    fn fitness(&self, brains: &[Brain]) -> Vec<f64> {
        let rivals = self.rivals();
        let dice = self.dice(rivals.len());
        let wins = |brain: &Brain| {
            let against =
                |(rival, dice): (_, &Range<u64>)| share(&self.rules, (brain, rival), dice.clone());
            rivals.iter().zip(&dice).map(against).sum::<f64>() / rivals.len() as f64
        };
        brains.par_iter().map(wins).collect()
    }

    /// Returns the seeds of the games against each of the opponents of this generation.
    fn dice(&self, rivals: usize) -> Vec<Range<u64>> {
        let mut chance = generator(self.options.seed, !self.state.done);
        let pairs = self.options.games.div_ceil(2);
        let seeds = (0..rivals).map(|_| {
            // Halved, so that the last seed is a number of 64 bits, too.
            let first = chance.random::<u64>() >> 1;
            first..first + pairs
        });
        seeds.collect()
    }

    /// Moves the parent to the mean of the best, and adapts the spreads; `best` has the best brain's deviations first.
    fn adapt(&mut self, best: &[&Vec<f32>]) {
        let constants = Constants::new(self.state.parent.len(), self.options.population);
        let shares = Constants::shares(best.len());
        let mean = |at: usize, power: i32| -> f32 {
            best.iter()
                .zip(&shares)
                .map(|(deviation, share)| share * deviation[at].powi(power))
                .sum()
        };
        let length = self.state.step_path.len() as f32;
        for at in 0..self.state.parent.len() {
            let moved = mean(at, 1);
            self.state.parent[at] += self.state.step * self.state.spread[at] * moved;
            let path = &mut self.state.step_path[at];
            *path = (1.0 - constants.step_path_rate) * *path + constants.step_path_gain * moved;
        }
        let norm = self.state.step_path.iter().map(|x| x * x).sum::<f32>().sqrt();
        let usual = length.sqrt() * (1.0 - 0.25 / length);
        let stalled = norm > usual * (1.4 + 2.0 / (length + 1.0));
        for at in 0..self.state.parent.len() {
            let gain = if stalled { 0.0 } else { constants.covariance_path_gain };
            let (moved, squared) = (mean(at, 1), mean(at, 2));
            let path = &mut self.state.covariance_path[at];
            *path = (1.0 - constants.covariance_path_rate) * *path + gain * moved;
            let variance = 1.0 - constants.rank_one - constants.rank_mu
                + constants.rank_one * *path * *path
                + constants.rank_mu * squared;
            self.state.spread[at] *= variance.max(0.0).sqrt();
        }
        let growth = constants.step_path_rate / constants.damping * (norm / usual - 1.0);
        self.state.step *= growth.exp();
    }

    /// Takes the parent into the hall of fame.
    fn add_to_hall_of_fame(&mut self) {
        let fame = &mut self.state.hall_of_fame;
        fame.push(self.state.parent.clone());
        if fame.len() > MOST_ENTRIES {
            fame.remove(1);
        }
    }
}

impl Trainer for Evolution {
    type Player = Brain;

    fn done(&self) -> u64 {
        self.state.done
    }

    fn step(&mut self) {
        let deviations: Vec<_> =
            (0..self.options.population).map(|number| self.deviation(number)).collect();
        let brains: Vec<_> = deviations.iter().map(|deviation| self.brain(deviation)).collect();
        let fitness = self.fitness(&brains);
        let mut order: Vec<_> = (0..brains.len()).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        order.truncate(brains.len() / 2);
        let best: Vec<_> = order.iter().map(|&at| &deviations[at]).collect();
        self.adapt(&best);
        self.state.done += 1;
        if self.state.done.is_multiple_of(self.options.fame_interval.max(1)) {
            self.add_to_hall_of_fame();
        }
    }

    fn player(&self) -> Brain {
        let EvolutionOptions { seed, population, .. } = self.options;
        let origin =
            format!("evolved over {} generations of {population}, seed {seed}", self.state.done);
        Brain::from_weights(&self.rules, &self.state.parent, &origin)
    }

    fn keep(&self) -> serde_json::Result<String> {
        serde_json::to_string(&(self.options, &self.state))
    }

    fn resume(&mut self, kept: &str) -> serde_json::Result<()> {
        let (options, state): (EvolutionOptions, State) = serde_json::from_str(kept)?;
        let expected = self.state.parent.len();
        for kept in [&state.parent, &state.spread, &state.step_path, &state.covariance_path] {
            ensure_size(kept.len(), expected)?;
        }
        state.hall_of_fame.iter().try_for_each(|weights| ensure_size(weights.len(), expected))?;
        if options.population < FEWEST || state.hall_of_fame.is_empty() {
            let (brains, parents) = (options.population, state.hall_of_fame.len());
            let text = format!(
                "the kept state has {brains} brains a generation and a hall of fame of {parents}: \
                 expected at least {FEWEST} brains, and a hall of fame of at least 1"
            );
            return Err(serde::de::Error::custom(text));
        }
        (self.options, self.state) = (options, state);
        Ok(())
    }
}

/// The rates of CMA-ES with a diagonal covariance.
struct Constants {
    step_path_rate: f32,
    step_path_gain: f32,
    covariance_path_rate: f32,
    covariance_path_gain: f32,
    rank_one: f32,
    rank_mu: f32,
    damping: f32,
}

impl Constants {
    /// Returns the weights of the best brains, best first; they sum to one.
    fn shares(best: usize) -> Vec<f32> {
        let raw: Vec<_> =
            (1..=best).map(|at| (best as f32 + 0.5).ln() - (at as f32).ln()).collect();
        let total: f32 = raw.iter().sum();
        raw.iter().map(|share| share / total).collect()
    }

    fn new(weights: usize, population: usize) -> Self {
        let n = weights as f32;
        let mass =
            1.0 / Self::shares(population / 2).iter().map(|share| share * share).sum::<f32>();
        let step_path_rate = (mass + 2.0) / (n + mass + 5.0);
        let covariance_path_rate = (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n);
        // Without the off-diagonal entries there is less to learn, and it may go (n + 2) / 3 times as fast.
        let faster = (n + 2.0) / 3.0;
        let rank_one = faster * 2.0 / ((n + 1.3).powi(2) + mass);
        let rank_mu = faster * 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0).powi(2) + mass);
        Self {
            step_path_rate,
            step_path_gain: (step_path_rate * (2.0 - step_path_rate) * mass).sqrt(),
            covariance_path_rate,
            covariance_path_gain: (covariance_path_rate * (2.0 - covariance_path_rate) * mass)
                .sqrt(),
            rank_one,
            rank_mu: rank_mu.min(1.0 - rank_one),
            damping: 1.0
                + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0)
                + step_path_rate,
        }
    }
}

/// Returns the first spreads: a weight that is multiplied by the pieces in hand or home varies less.
fn first_spread(rules: &Rules) -> Vec<f32> {
    let (side, rows) = (Grid::side_of(rules.length()), Grid::size_of(rules.length()));
    let place = |place: usize| {
        let is_count = place + 1 < rows && [0, side - 1].contains(&(place % side));
        if is_count { 2.0 / f32::from(rules.pieces().max(2)) } else { 1.0 }
    };
    (0..rows).flat_map(|row| (0..=row).map(move |column| place(row) * place(column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::RuleSet;

    #[test]
    fn no_two_opponents_are_met_with_the_same_dice() {
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let options = EvolutionOptions::default();
        let mut dice = Evolution::new(&rules, &Brain::start(&rules), options).dice(1 + RIVALS);
        dice.sort_by_key(|seeds| seeds.start);
        assert!(dice.iter().all(|seeds| seeds.clone().count() == 100));
        assert!(dice.windows(2).all(|pair| pair[0].end <= pair[1].start), "{dice:?}");
    }
}
