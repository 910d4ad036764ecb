//! Commands among several ranks: what they agree on before they share the work.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use puabi_core::Rules;
use puabi_solve::Exchange;
use puabi_tables::available_memory;

static ON_THIS_MACHINE: AtomicU64 = AtomicU64::new(1);

/// Notes that this process is one of so many `ranks` of a command on this machine.
pub fn share_machine(ranks: u64) {
    ON_THIS_MACHINE.store(ranks.max(1), Ordering::Relaxed);
}

/// Returns the bytes of memory that this rank may take while the others of its machine do the same.
pub(crate) fn own_memory() -> u64 {
    available_memory().unwrap_or(u64::MAX) / ON_THIS_MACHINE.load(Ordering::Relaxed)
}

/// Returns the given seed of the dice, or a new one that all ranks share.
pub(crate) fn seed(given: Option<u64>, ranks: &dyn Exchange) -> u64 {
    given.unwrap_or_else(|| {
        let mut seed = rand::random::<u64>().to_le_bytes();
        ranks.spread(0, &mut seed);
        u64::from_le_bytes(seed)
    })
}

/// Does `work` on one rank after the other and returns its result: ranks of one machine have one data directory, and only one of
/// them can solve a game into it.
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

/// Checks that all ranks have read the same rules.
///
/// # Errors
///
/// Returns an error on all ranks if the rules of one rank differ from those of the first.
pub fn ensure_same_rules(rules: &Rules, ranks: &dyn Exchange) -> Result<()> {
    ensure_alike("rules", rules.rule_set().to_toml().as_bytes(), ranks)
}

/// Checks that all ranks have read the same data, each on its own machine; `bytes` are these data, or a hash of them.
///
/// # Errors
///
/// Returns an error on all ranks if the data of one rank differ from those of the first; `what` is the error's word for the data.
pub fn ensure_alike(what: &str, bytes: &[u8], ranks: &dyn Exchange) -> Result<()> {
    if let Some(rank) = ranks.differing(bytes) {
        bail!("rank {rank} has other {what} than rank 0: expected the same on all hosts");
    }
    Ok(())
}
