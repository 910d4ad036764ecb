//! Evaluation: the strength of a player, by exact values.

use puabi_core::{Agent, Evaluator};
use puabi_engine::Argmax;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::duel::{Chooser, share};
use super::samples::Samples;

/// The strength of a player.
///
/// ```
/// use puabi_study::Standing;
/// let strength = Standing { regret: 0.0, wins: 0.5 };
/// assert_eq!(strength.wins, 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The mean over decisions of the best value less the value of the move played, as a chance (0..=1).
    pub regret: f64,
    /// The part of the games (0..=1) that it wins against perfect play, as first and as second player alike.
    pub wins: f64,
}

/// Measures strength by the exact values of the game: the regret over a set of decisions, and simulated games against perfect
/// play.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::{AgainstExact, Samples};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let samples = Samples::all(&rules, &values)?;
/// let evaluation = AgainstExact { samples: &samples, exact: &values, games: 200 };
/// let strength = evaluation.strength(&Brain::start(&rules));
/// assert!(strength.regret > 0.0 && strength.wins < 0.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AgainstExact<'e, E> {
    /// The decisions whose regret is measured.
    pub samples: &'e Samples,
    /// The exact values.
    pub exact: &'e E,
    /// Games against perfect play, half of them as first player, always with the same dice.
    pub games: u64,
}

impl<E: Evaluator + Sync> AgainstExact<'_, E> {
    /// Returns the strength of `player`; it does not depend on the number of threads.
    pub fn strength(&self, player: &(impl Agent + Chooser + Sync)) -> Standing {
        let (rules, perfect) = (self.samples.rules(), Argmax(self.exact));
        let pairs = (0..self.games / 2).into_par_iter();
        let wins = pairs.map(|seed| share(rules, (player, &perfect), seed..seed + 1));
        let wins = wins.collect::<Vec<_>>().iter().sum::<f64>() / (self.games / 2) as f64;
        Standing { regret: self.samples.regret(player), wins }
    }
}
