//! Random decisions that are the same on every machine, and a hash of what a pocket makes of them.

use std::cell::RefCell;

use puabi_core::Decision;
use rand::Rng;
use rand_pcg::Pcg64;

use super::Pocket;

/// The stream of the generator; dice and moves have the first two.
const STREAM: u128 = 3;
/// The number of draws in a row without a choice after which no more are made.
const MAX_DRAWS: usize = 1 << 20;

impl Pocket {
    /// Returns random decisions with at least two moves; one seed gives the same decisions for ever. The iterator has no end,
    /// unless the rules leave no choice.
    ///
    /// The positions are drawn from all positions of the rules, so most of them are met in no game.
    pub fn trials(&self, seed: u64) -> impl Iterator<Item = Decision<'_>> {
        let mut generator = Pcg64::new(seed.into(), STREAM);
        let rolls = self.rules.rolls();
        let draw = move || {
            let position = self.indexer.position(generator.next_u64() % self.indexer.len())?;
            let roll = usize::try_from(generator.next_u64() % rolls.len() as u64).ok()?;
            Some(self.rules.decision(position, rolls[roll].0))
        };
        let mut draws = std::iter::from_fn(draw);
        std::iter::from_fn(move || {
            draws.by_ref().take(MAX_DRAWS).find(|decision| decision.moves().len() > 1)
        })
        .fuse()
    }

    /// Returns the hash, in hexadecimal, of what the pocket makes of the first `count` of its [`Pocket::trials`], or of all of
    /// them if there are fewer.
    ///
    /// For each decision the hash takes in the chances that rank the moves, in the order of the moves, and the place of the move
    /// that is played. So two machines with the same hash agree in every bit.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_engine::Pocket;
    /// let Some(pocket) = Pocket::shipped(&RuleSet::FINKEL.compile()?) else { return Ok(()) };
    /// assert_ne!(pocket.trial(1, 10), pocket.trial(1, 11));
    /// assert_eq!(pocket.trial(1, 10), pocket.clone().trial(1, 10));
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn trial(&self, seed: u64, count: usize) -> String {
        let hasher = RefCell::new(blake3::Hasher::new());
        for decision in self.trials(seed).take(count) {
            let action = self.best_by(&decision, |position| {
                let chance = self.chance(position);
                hasher.borrow_mut().update(&chance.to_bits().to_le_bytes());
                chance
            });
            let place = decision.moves().iter().position(|&it| it == action);
            hasher.borrow_mut().update(&(place.unwrap_or_default() as u64).to_le_bytes());
        }
        hasher.into_inner().finalize().to_hex().to_string()
    }
}
