//! Games between two players, played as fast as they choose their moves.

use puabi_core::{Agent, Player, Rules};
use puabi_engine::{DiceRng, Playout};

/// Plays a game with the dice of `seed` and returns the part of the win that the first player has: 1, 0, or 1/2 if
/// the game is a draw or was cut off.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Brain, Model};
/// use puabi_study::duel;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let brain = Brain::start(&rules);
/// let wins: f64 = (0..100).map(|seed| duel(&rules, (&brain, &brain), seed)).sum();
/// assert!((30.0..=70.0).contains(&wins));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn duel(rules: &Rules, players: (&impl Agent, &impl Agent), seed: u64) -> f64 {
    let mut playout = Playout::new(rules, DiceRng::new(seed));
    loop {
        let mover = playout.mover();
        let decision = playout.roll();
        let action = match mover {
            Player::Light => players.0.choose(&decision, playout.number()),
            Player::Dark => players.1.choose(&decision, playout.number()),
        };
        if let Some(ending) = playout.follow(decision.after(action)) {
            return ending.result(Player::Light);
        }
    }
}

/// Returns the part of the wins that `player` has against `opponent` in two games for each of `seeds`: one as first
/// player and one as second, with the same dice.
pub(super) fn share(
    rules: &Rules,
    (player, opponent): (&impl Agent, &impl Agent),
    seeds: std::ops::Range<u64>,
) -> f64 {
    let games = 2.0 * (seeds.end - seeds.start) as f64;
    let pair =
        |seed| duel(rules, (player, opponent), seed) + 1.0 - duel(rules, (opponent, player), seed);
    seeds.map(pair).sum::<f64>() / games
}
