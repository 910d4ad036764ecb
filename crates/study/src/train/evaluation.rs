//! Evaluation: the strength of a player, by exact values.

use puabi_core::{Agent, Evaluator};
use puabi_engine::Argmax;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::duel::share;
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

/// Returns the strength of `player` by the exact values of the game: the regret over `samples`, and `games` games against
/// perfect play, half of them as first player, always with the same dice.
///
/// It does not depend on the number of threads.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Model};
/// use puabi_study::{Samples, standing};
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let samples = Samples::all(&rules, &values)?;
/// let strength = standing(&Brain::start(&rules), &samples, &values, 200);
/// assert!(strength.regret > 0.0 && strength.wins < 0.6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn standing(
    player: &(impl Agent + Sync),
    samples: &Samples,
    exact: &(impl Evaluator + Sync),
    games: u64,
) -> Standing {
    let perfect = Argmax(exact);
    let pairs = (0..games / 2).into_par_iter();
    let wins = pairs.map(|seed| share(samples.rules(), (player, &perfect), seed..seed + 1));
    let wins = wins.collect::<Vec<_>>().iter().sum::<f64>() / (games / 2) as f64;
    Standing { regret: samples.regret(player), wins }
}
