//! Counting lines of play, the usual check of move generation.

use crate::{Afterstate, Decision, Move, Position, Rules};

/// Returns the number of lines of `depth` plies from `position`, over every roll and every legal move; a pass is a
/// move, and the end of a game ends its line: a win, or a pass after which neither player can ever move.
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
    let rolls = rules.rolls().iter();
    rolls.map(|&(roll, _)| perft_with_roll(&rules.decision(position, roll), depth)).sum()
}

/// Returns the number of lines of `depth` plies that begin with the roll of `decision`, counted as in [`perft`].
///
/// ```
/// use puabi_core::{Roll, RuleSet, perft_with_roll};
/// let rules = RuleSet::FINKEL.compile()?;
/// let decision = rules.decision(rules.start(), Roll::new(4));
/// assert_eq!(perft_with_roll(&decision, 1), 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn perft_with_roll(decision: &Decision<'_>, depth: u32) -> u64 {
    let Some(left) = depth.checked_sub(1) else { return 1 };
    let rules = decision.rules();
    let lines_after = |(action, after): (Move, Afterstate)| match after.position() {
        Some(next) if left > 0 && !(action == Move::Pass && rules.is_dead(next)) => {
            perft(rules, next, left)
        }
        _ => u64::from(left == 0),
    };
    decision.afterstates().map(lines_after).sum()
}
