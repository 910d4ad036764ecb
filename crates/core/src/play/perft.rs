//! Counting lines of play, the usual check of move generation.

use crate::{Afterstate, Position, Rules};

/// Returns the number of lines of `depth` plies from `position`, over every roll and every legal move; a pass is a
/// move, and a won game ends its line.
///
/// ```
/// use puabi_core::{RuleSet, perft};
/// let rules = RuleSet::FINKEL.compile()?;
/// assert_eq!(perft(&rules, rules.start(), 3), 192);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn perft(rules: &Rules, position: Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let lines_after = |after: Afterstate| match after.position() {
        Some(next) => perft(rules, next, depth - 1),
        None => u64::from(depth == 1),
    };
    let rolls = rules.rolls().iter();
    rolls
        .flat_map(|&(roll, _)| rules.decision(position, roll).afterstates().collect::<Vec<_>>())
        .map(|(_, after)| lines_after(after))
        .sum()
}
