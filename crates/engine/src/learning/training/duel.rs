//! Games between two players, as fast as they choose.

use puabi_core::{Afterstate, Decision, Evaluator, Rules};

use crate::agents::valued::Perfect;
use crate::judgement::{best, judge};
use crate::learning::brain::Brain;
use crate::thrower::Thrower;

/// Chooses a move at once, without a distribution; what games by the million are played with.
///
/// ```
/// use puabi_core::{Afterstate, Roll, RuleSet};
/// use puabi_engine::{Brain, Chooser};
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

impl<E: Evaluator> Chooser for Perfect<E> {
    fn follow(&self, decision: &Decision<'_>) -> Afterstate {
        best(&judge(decision, &self.0)).after
    }
}

/// Plies after which a game counts as drawn: positions are known in which nobody can ever move.
const LONGEST: u32 = 20_000;

/// Plays a game with the dice of `seed` and returns the part of the win that the first player has: 1, 0, or 1/2 where
/// it does not end within 20,000 plies.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, duel};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::start(&rules);
/// let wins: f64 = (0..100).map(|seed| duel(&rules, (&brain, &brain), seed)).sum();
/// assert!((30.0..=70.0).contains(&wins));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn duel(rules: &Rules, players: (&impl Chooser, &impl Chooser), seed: u64) -> f64 {
    let mut thrower = Thrower::new(seed);
    let (mut position, mut first) = (rules.start(), true);
    for _ in 0..LONGEST {
        let decision = rules.decision(position, thrower.throw(rules.rule_set().dice));
        let after = if first { players.0.follow(&decision) } else { players.1.follow(&decision) };
        let Some(next) = after.position() else { return f64::from(first) };
        // A board that stays as it was is that of a pass.
        if next == position.flipped() && rules.is_dead(next) {
            let value = rules.dead_value(next);
            return if first { 1.0 - value } else { value };
        }
        position = next;
        first = first == after.rolls_again();
    }
    0.5
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

impl Chooser for crate::learning::linear::Linear {
    fn follow(&self, decision: &Decision<'_>) -> Afterstate {
        best(&judge(decision, self)).after
    }
}
