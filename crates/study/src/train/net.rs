//! Training of nets by the exact values of games that perfect players play.

use puabi_core::{Afterstate, Rules};
use puabi_engine::{
    ActiveInputs, DiceRng, Hidden, Inputs, Layers, Net, Playout, Shape, SharedEvaluator, best,
    move_values,
};
use rand::RngExt;
use rayon::prelude::*;

use super::adam::Adam;
use super::log_odds::{chance, narrow};
use super::samples::generator;

/// The settings of a [`NetFit`].
///
/// ```
/// use puabi_study::NetOptions;
/// assert_eq!(NetOptions::default().games, 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetOptions {
    /// The seed of the games and of the first weights.
    pub seed: u64,
    /// The games between two changes of the weights.
    pub games: u64,
    /// The learning rate after the first few hundred steps; it falls to a three hundredth at the end.
    pub learning_rate: f32,
    /// The steps of the whole training.
    pub steps: u64,
    /// The chance (0..=1) of a random move, so that the net also sees what follows errors.
    pub stray: f64,
}

impl Default for NetOptions {
    fn default() -> Self {
        Self { seed: 1, games: 2, learning_rate: 0.003, steps: 250_000, stray: 0.05 }
    }
}

/// Fits a net to the exact values of the moves in games between perfect players.
///
/// Every step plays new games, so nothing is learnt by heart. What counts in a decision is the difference between its moves: the
/// error of each is taken less the mean error of all of them, and the mean itself counts a tenth, so that values stay chances.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Layers, Shape};
/// use puabi_study::{NetFit, NetOptions};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let start = Layers::random(Shape::new(&rules, 16, 8), 1);
/// let options = NetOptions { steps: 20, ..NetOptions::default() };
/// let mut fit = NetFit::new(&rules, &values, start, options);
/// while fit.done() < 20 {
///     fit.step();
/// }
/// assert!(fit.step() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NetFit<'a> {
    rules: &'a Rules,
    exact: SharedEvaluator<'a>,
    inputs: Inputs,
    layers: Layers,
    adam: Adam,
    options: NetOptions,
    done: u64,
}

/// The weight of the mean error of a decision's moves.
const MEAN: f32 = 0.1;

/// The steps until the learning rate reaches its full size.
const BEGIN: f32 = 300.0;

/// The sums over the decisions of one game.
struct GameSums {
    slopes: Vec<f32>,
    decisions: u32,
    regret: f64,
}

impl<'a> NetFit<'a> {
    /// Returns the training of a net from `start` on; `exact` are the values of the solved game.
    pub fn new(
        rules: &'a Rules,
        exact: SharedEvaluator<'a>,
        start: Layers,
        options: NetOptions,
    ) -> Self {
        let adam = Adam::new(start.weights().len());
        Self { rules, exact, inputs: Inputs::new(rules), layers: start, adam, options, done: 0 }
    }

    /// Returns the number of steps done.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Returns the sizes of the net.
    pub const fn shape(&self) -> Shape {
        self.layers.shape()
    }

    /// Returns the net with the weights learnt so far.
    pub fn net(&self) -> Net {
        Net::new(self.rules, &self.layers)
    }

    /// Plays games and changes the weights once; returns the mean chance that the net gives away in a decision of these games.
    pub fn step(&mut self) -> f64 {
        let NetOptions { games, learning_rate, steps, .. } = self.options;
        let first = self.done * games;
        // Each game has sums of its own, so that they do not depend on the threads.
        let games = (first..first + games).into_par_iter().map(|game| self.play(game));
        let games: Vec<_> = games.collect();
        let mut slopes = vec![0.0; self.layers.weights().len()];
        for game in &games {
            slopes.iter_mut().zip(&game.slopes).for_each(|(sum, part)| *sum += part);
        }
        let decisions = games.iter().map(|game| game.decisions).sum::<u32>().max(1);
        for slope in &mut slopes {
            *slope /= decisions as f32;
        }
        let share = self.done as f32 / steps.max(1) as f32;
        // The learning rate begins small: Adam's first steps are as long as its later ones, but rest on few gradients.
        let begin = (self.done as f32 / BEGIN).min(1.0);
        let rate = learning_rate * begin * 0.003_f32.powf(share);
        self.adam.descend(self.layers.weights_mut(), &slopes, rate);
        self.done += 1;
        games.iter().map(|game| game.regret).sum::<f64>() / f64::from(decisions)
    }

    /// Plays a game between perfect players and adds up the slopes of its decisions.
    fn play(&self, game: u64) -> GameSums {
        let slopes = vec![0.0; self.layers.weights().len()];
        let mut sums = GameSums { slopes, decisions: 0, regret: 0.0 };
        let mut work = Work::default();
        let mut generator = generator(self.options.seed, game);
        let mut playout = Playout::new(self.rules, DiceRng::new(generator.random()));
        loop {
            let decision = playout.roll();
            let judged = move_values(&decision, &self.exact);
            if judged.len() > 1 {
                let options = judged.iter().map(|judged| (judged.after, judged.value));
                self.learn(options, &mut work, &mut sums);
            }
            let after = if generator.random_bool(self.options.stray) {
                judged[generator.random_range(0..judged.len())].after
            } else {
                best(&judged).after
            };
            if playout.follow(after).is_some() {
                return sums;
            }
        }
    }

    /// Adds the slopes of one decision.
    fn learn(
        &self,
        options: impl Iterator<Item = (Afterstate, f64)>,
        work: &mut Work,
        sums: &mut GameSums,
    ) {
        work.options.clear();
        for (at, (after, value)) in options.enumerate() {
            // A move that wins at once is always played: there is nothing to learn.
            let Some(position) = after.position() else { return };
            if work.hidden.len() == at {
                work.hidden.push(Hidden::default());
            }
            let inputs = self.inputs.of(position);
            let lead = self.layers.forward(&inputs, &mut work.hidden[at]);
            let sign = if after.rolls_again() { 1.0 } else { -1.0 };
            work.options.push((inputs, sign, chance(sign * lead), narrow(value)));
        }
        sums.decisions += 1;
        let options = &work.options;
        let best = options.iter().fold(0.0_f32, |best, option| best.max(option.3));
        let liked = options.iter().reduce(|best, next| if next.2 > best.2 { next } else { best });
        sums.regret += f64::from(best - liked.map_or(best, |liked| liked.3));
        let mean = options.iter().map(|(.., found, value)| found - value).sum::<f32>()
            / options.len() as f32;
        for ((inputs, sign, found, value), hidden) in options.iter().zip(&work.hidden) {
            let error = found - value - mean + MEAN * mean;
            // A little more than the slope of the chance: what is believed certain can still change.
            let step = error * (found * (1.0 - found) + 0.01);
            self.layers.add_gradient(inputs, hidden, sign * step, &mut sums.slopes);
        }
    }
}

/// Buffers that are used again for every decision.
#[derive(Default)]
struct Work {
    hidden: Vec<Hidden>,
    /// Of each move: the inputs that are on, 1 if they are seen by the mover and -1 if by the opponent, and the mover's chance by
    /// the net and exactly.
    options: Vec<(ActiveInputs, f32, f32, f32)>,
}
