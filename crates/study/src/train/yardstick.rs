//! How strong a player is, against exact values.

use puabi_core::{Agent, Evaluator};
use puabi_engine::Argmax;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::duel::{Chooser, share};
use super::exercises::Exercises;

/// How strong a player is.
///
/// ```
/// use puabi_study::Standing;
/// let strength = Standing { regret: 0.0, wins: 0.5 };
/// assert_eq!(strength.wins, 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// What a decision gives away, in chance (0..=1): best value less the value of the move played, on average.
    pub regret: f64,
    /// The part of the games (0..=1) that it wins against perfect play, as first and as second player alike.
    pub wins: f64,
}

/// Measures players.
///
/// Anything that knows exact values may implement it; where exact match-ups are at hand, they make the better one.
pub trait Yardstick<P> {
    /// Returns the strength of `player`.
    fn strength(&self, player: &P) -> Standing;
}

/// Measures by the exact values of the game: the regret over a set of decisions, and simulated games against perfect
/// play.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::{AgainstExact, Exercises, Yardstick};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let exercises = Exercises::all(&rules, &values)?;
/// let yardstick = AgainstExact { exercises: &exercises, exact: &values, games: 200 };
/// let strength = yardstick.strength(&Brain::start(&rules));
/// assert!(strength.regret > 0.0 && strength.wins < 0.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AgainstExact<'e, E> {
    /// The decisions whose regret is measured.
    pub exercises: &'e Exercises,
    /// The exact values.
    pub exact: &'e E,
    /// Games against perfect play, half of them as first player, always with the same dice.
    pub games: u64,
}

impl<E: Evaluator + Sync, P: Agent + Chooser + Sync> Yardstick<P> for AgainstExact<'_, E> {
    fn strength(&self, player: &P) -> Standing {
        let (rules, perfect) = (self.exercises.rules(), Argmax(self.exact));
        let pairs = (0..self.games / 2).into_par_iter();
        let wins = pairs.map(|seed| share(rules, (player, &perfect), seed..seed + 1));
        let wins = wins.collect::<Vec<_>>().iter().sum::<f64>() / (self.games / 2) as f64;
        Standing { regret: self.exercises.regret(player), wins }
    }
}
