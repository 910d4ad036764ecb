//! Counting lines of play, the usual check of move generation.

use crate::{Afterstate, Decision, Move, Position, Roll, Rules};

/// Plies that are counted between two looks at whether the count goes on: some milliseconds.
const UNWATCHED: u32 = 5;

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
    perft_from(rules, (position, None), depth, &|| true)
}

/// Returns the number of lines of `depth` plies as [`perft`] does, those that begin with a roll if one is given; any number
/// if `goes_on`, which is asked every few milliseconds, says no.
///
/// ```
/// use puabi_core::{Roll, RuleSet, perft_from};
/// let rules = RuleSet::FINKEL.compile()?;
/// assert_eq!(perft_from(&rules, (rules.start(), Some(Roll::new(4))), 1, &|| true), 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub fn perft_from(
    rules: &Rules,
    (position, roll): (Position, Option<Roll>),
    depth: u32,
    goes_on: &dyn Fn() -> bool,
) -> u64 {
    if depth == 0 || depth > UNWATCHED && !goes_on() {
        return 1;
    }
    let lines = |roll| lines_of(&rules.decision(position, roll), depth - 1, goes_on);
    roll.map_or_else(|| rules.rolls().iter().map(|&(roll, _)| lines(roll)).sum(), lines)
}

/// Returns the number of lines of a move and `left` plies after it.
fn lines_of(decision: &Decision<'_>, left: u32, goes_on: &dyn Fn() -> bool) -> u64 {
    let rules = decision.rules();
    let lines_after = |(action, after): (Move, Afterstate)| match after.position() {
        Some(next) if left > 0 && !(action == Move::Pass && rules.is_dead(next)) => {
            perft_from(rules, (next, None), left, goes_on)
        }
        _ => u64::from(left == 0),
    };
    decision.afterstates().map(lines_after).sum()
}
