//! Games between two players, as fast as they choose.

use puabi_core::{Afterstate, Decision, Evaluator, Player, Rules};
use puabi_engine::{Argmax, Brain, DiceRng, Playout, best, move_values};

/// Chooses a move at once, without a distribution; what games by the million are played with.
///
/// ```
/// use puabi_core::{Afterstate, Roll, RuleSet};
/// use puabi_engine::Brain;
/// use puabi_study::Chooser;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::start(&rules);
/// let after = brain.follow(&rules.decision(rules.start(), Roll::new(4)));
/// assert!(matches!(after, Afterstate::RollsAgain(_)));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub trait Chooser {
    /// Returns what follows the move chosen.
    fn follow(&self, decision: &Decision<'_>) -> Afterstate;
}

impl Chooser for Brain {
    #[inline]
    fn follow(&self, decision: &Decision<'_>) -> Afterstate {
        self.best(decision).1
    }
}

impl<E: Evaluator> Chooser for Argmax<E> {
    fn follow(&self, decision: &Decision<'_>) -> Afterstate {
        best(&move_values(decision, &self.0)).after
    }
}

/// Plays a game with the dice of `seed` and returns the part of the win that the first player has: 1, 0, or 1/2 if
/// the game is a draw or was cut off.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// use puabi_study::duel;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::start(&rules);
/// let wins: f64 = (0..100).map(|seed| duel(&rules, (&brain, &brain), seed)).sum();
/// assert!((30.0..=70.0).contains(&wins));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn duel(rules: &Rules, players: (&impl Chooser, &impl Chooser), seed: u64) -> f64 {
    let mut playout = Playout::new(rules, DiceRng::new(seed));
    loop {
        let mover = playout.mover();
        let decision = playout.throw();
        let after = match mover {
            Player::Light => players.0.follow(&decision),
            Player::Dark => players.1.follow(&decision),
        };
        if let Some(ending) = playout.follow(after) {
            return ending.result(Player::Light);
        }
    }
}

/// Returns the part of the wins that `player` has against `opponent` in two games for each of `seeds`: one as first
/// player and one as second, with the same dice.
pub(super) fn share(
    rules: &Rules,
    (player, opponent): (&impl Chooser, &impl Chooser),
    seeds: std::ops::Range<u64>,
) -> f64 {
    let games = 2.0 * (seeds.end - seeds.start) as f64;
    let pair =
        |seed| duel(rules, (player, opponent), seed) + 1.0 - duel(rules, (opponent, player), seed);
    seeds.map(pair).sum::<f64>() / games
}

impl Chooser for puabi_engine::Linear {
    fn follow(&self, decision: &Decision<'_>) -> Afterstate {
        best(&move_values(decision, self)).after
    }
}
