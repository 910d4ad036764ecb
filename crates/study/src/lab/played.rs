//! Totals of several measures over games: exact, or from games that were played.

use puabi_core::{Decision, Move, Player, Rules};
use puabi_engine::{DiceRng, MOVES, Playout};
use puabi_solve::{Measure, Outcome, SolveError, Watch};
use rayon::prelude::*;

use crate::lab::figure::Figure;
use crate::match_score::Interval;
use crate::matchup::SharedAgent;
use crate::simulate::Simulation;

/// The total of each of `N` measures in a game.
#[derive(Debug)]
pub(super) enum Totals<const N: usize> {
    /// The expectations.
    Exact([f64; N]),
    /// Those of every game played.
    Played(Vec<[f64; N]>),
}

impl<const N: usize> Totals<N> {
    /// Returns the expectations of a contest, each player beginning as often.
    pub(super) fn exact(outcomes: [Outcome; N]) -> Self {
        Self::Exact(outcomes.map(|outcome| outcome.mean()))
    }

    /// Returns the mean of a measure over games.
    pub(super) fn mean(&self, measure: usize) -> Figure {
        match self {
            Self::Exact(totals) => Figure::exact(totals[measure]),
            Self::Played(games) => {
                let mean = mean(games, |game| game[measure]);
                let spread = mean_square(games, |game| game[measure] - mean);
                Figure::estimate(mean, (spread / games.len() as f64).sqrt())
            }
        }
    }

    /// Returns the chance of an event for which a measure counts 1 in a game, and 0 without it.
    pub(super) fn chance(&self, measure: usize) -> Figure {
        let Figure { value, .. } = self.mean(measure);
        let interval = match self {
            Self::Exact(_) => None,
            Self::Played(games) => Some(Interval::of_share(value, games.len() as f64)),
        };
        Figure { value, interval }
    }

    /// Returns the ratio of a measure to another over all games together; `None` if the other is zero.
    pub(super) fn ratio(&self, measure: usize, of: usize) -> Option<Figure> {
        let (sum, whole) = (self.mean(measure).value, self.mean(of).value);
        let ratio = sum / whole;
        match self {
            _ if whole == 0.0 => None,
            Self::Exact(_) => Some(Figure::exact(ratio)),
            Self::Played(games) => {
                // The linear approximation: games with more of the one mostly have more of the other.
                let spread = mean_square(games, |game| game[measure] - ratio * game[of]);
                Some(Figure::estimate(ratio, (spread / games.len() as f64).sqrt() / whole))
            }
        }
    }
}

fn mean<const N: usize>(games: &[[f64; N]], of: impl Fn(&[f64; N]) -> f64) -> f64 {
    games.iter().map(of).sum::<f64>() / games.len() as f64
}

fn mean_square<const N: usize>(games: &[[f64; N]], of: impl Fn(&[f64; N]) -> f64) -> f64 {
    mean(games, |game| of(game).powi(2))
}

/// Games between seats that one agent holds.
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
        let dice = Simulation { rules: self.rules, a: self.agent, b: self.agent, seed: self.seed };
        let mut totals = Vec::new();
        for first in (0..games).step_by(BATCH) {
            let batch = (first..games.min(first + BATCH as u64)).into_par_iter();
            totals.par_extend(batch.map(|game| self.game(dice.pair_seed(game))));
            watch.progress(totals.len() as u64, games);
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
        }
        Ok(Totals::Played(totals))
    }

    fn game(&self, seed: u64) -> [f64; N] {
        let mut playout = Playout::new(self.rules, DiceRng::new(seed));
        let mut totals = [0.0; N];
        loop {
            let mover = playout.mover();
            let decision = playout.throw();
            let action = playout.choose(&decision, self.agent);
            let ending = playout.follow(decision.play(action).expect("a legal move"));
            // A dead position ends a game: its pass is none of the game's plies.
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
            let mut gained = [0.0; MOVES];
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
