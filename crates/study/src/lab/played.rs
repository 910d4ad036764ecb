//! Totals of several measures over games: exact, or from games that were played.

use puabi_core::{Decision, Move, Player, Rules};
use puabi_engine::{DiceRng, MAX_MOVES, Playout};
use puabi_solve::{Measure, Outcome, SolveError, Watch};
use rayon::prelude::*;

use crate::games::match_score::Interval;
use crate::games::simulate::Simulation;
use crate::lab::figure::Figure;
use crate::matchup::SharedAgent;

/// The totals of games: of each game that was played, or the exact means as the totals of a single game.
#[derive(Debug)]
pub(super) struct Totals<const N: usize> {
    games: Vec<[f64; N]>,
    is_exact: bool,
}

impl<const N: usize> Totals<N> {
    pub(super) fn exact(outcomes: [Outcome; N]) -> Self {
        Self { games: vec![outcomes.map(|outcome| outcome.mean())], is_exact: true }
    }

    /// Returns the totals of a measure that counts something, game by game.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
    pub(super) fn counts(&self, measure: usize) -> impl Iterator<Item = usize> {
        self.games.iter().map(move |game| game[measure] as usize)
    }

    /// Returns the mean of a measure over games.
    pub(super) fn mean(&self, measure: usize) -> Figure {
        let mean = self.average(|game| game[measure]);
        self.figure(mean, self.average(|game| (game[measure] - mean).powi(2)), 1.0)
    }

    /// Returns the mean of a measure that is 0 or 1 in each game: a chance.
    pub(super) fn chance(&self, measure: usize) -> Figure {
        let value = self.average(|game| game[measure]);
        let interval = || Interval::of_share(value, self.games.len() as f64);
        Figure { value, interval: (!self.is_exact).then(interval) }
    }

    /// Returns the ratio of the sums of two measures; `None` if the second is always 0.
    pub(super) fn ratio(&self, measure: usize, of: usize) -> Option<Figure> {
        let whole = self.average(|game| game[of]);
        let ratio = self.average(|game| game[measure]) / whole;
        // The linear approximation: games with more of the one mostly have more of the other.
        let spread = self.average(|game| (game[measure] - ratio * game[of]).powi(2));
        (whole != 0.0).then(|| self.figure(ratio, spread, whole))
    }

    fn average(&self, of: impl Fn(&[f64; N]) -> f64) -> f64 {
        self.games.iter().map(of).sum::<f64>() / self.games.len() as f64
    }

    /// Returns the figure of a mean, given the variance from game to game of what it averages, counted in units of `whole`.
    fn figure(&self, mean: f64, variance: f64, whole: f64) -> Figure {
        if self.is_exact {
            Figure::exact(mean)
        } else {
            // Divided by one less than the games: a sample is closer to its own mean than to that of all games.
            let games = self.games.len() as u64;
            let error = (variance / (games.max(2) - 1) as f64).sqrt() / whole;
            Figure::estimate(mean, error, games)
        }
    }
}

/// Games of an agent against itself.
pub(super) struct SampledPlay<'a, const N: usize> {
    pub(super) rules: &'a Rules,
    pub(super) agent: SharedAgent<'a>,
    pub(super) measures: [&'a dyn Measure; N],
    pub(super) seed: u64,
}

/// Games between two looks at the watch.
const BATCH: usize = 256;

impl<const N: usize> SampledPlay<'_, N> {
    /// Plays `games` games and returns their totals.
    pub(super) fn play(&self, games: u64, watch: &dyn Watch) -> Result<Totals<N>, SolveError> {
        let dice =
            Simulation { rules: self.rules, agents: [self.agent; 2], seed: self.seed, watch };
        let mut totals = Vec::new();
        for first in (0..games).step_by(BATCH) {
            let batch = (first..games.min(first + BATCH as u64)).into_par_iter();
            totals.par_extend(batch.map(|game| self.game(dice.pair_seed(game))));
            watch.progress(totals.len() as u64, games);
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(Totals { games: totals, is_exact: false })
    }

    fn game(&self, seed: u64) -> [f64; N] {
        let mut playout = Playout::new(self.rules, DiceRng::new(seed));
        let mut totals = [0.0; N];
        loop {
            let mover = playout.mover();
            let (decision, action, ending) = playout.ply(self.agent);
            // A dead position ends a game: its pass does not count as a ply.
            if !ending.is_some_and(|ending| ending.is_dead) {
                self.gather(mover, &decision, action, &mut totals);
            }
            if let Some(ending) = ending {
                return self.ended(totals, ending.winner);
            }
        }
    }

    /// Adds what `action` gathers.
    fn gather(&self, mover: Player, decision: &Decision<'_>, action: Move, totals: &mut [f64; N]) {
        let legal = decision.moves();
        let at = legal.iter().position(|&other| other == action);
        let at = at.expect("an agent plays a legal move");
        for (total, measure) in totals.iter_mut().zip(self.measures) {
            let mut gained = [0.0; MAX_MOVES];
            measure.gather(mover, decision, &mut gained[..legal.len()]);
            *total += gained[at];
        }
    }

    fn ended(&self, mut totals: [f64; N], winner: Option<Player>) -> [f64; N] {
        for (total, measure) in totals.iter_mut().zip(self.measures) {
            *total += measure.end(winner);
        }
        totals
    }
}
