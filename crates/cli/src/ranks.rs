//! Commands among several ranks: what they agree on before they share the work.

use anyhow::Result;
use puabi_solve::Exchange;

/// Returns the seed of the dice, or a new one that all ranks have.
pub(crate) fn seed(given: Option<u64>, ranks: &dyn Exchange) -> u64 {
    given.unwrap_or_else(|| {
        let mut seed = rand::random::<u64>().to_le_bytes();
        ranks.spread(0, &mut seed);
        u64::from_le_bytes(seed)
    })
}

/// Returns the result of `work`, which one rank after the other does: ranks of one machine have one data directory, and only
/// one of them can solve a game into it.
pub(crate) fn one_by_one<T>(ranks: &dyn Exchange, work: impl FnOnce() -> Result<T>) -> Result<T> {
    for _ in 0..ranks.rank() {
        ranks.most(0.0);
    }
    let found = work()?;
    for _ in ranks.rank()..ranks.ranks() {
        ranks.most(0.0);
    }
    Ok(found)
}
