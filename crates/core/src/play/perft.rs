//! Counting lines of play, the usual check of move generation.

use crate::{Afterstate, Decision, Move, Position, Roll, Rules};

/// The largest depth of a count. A count that deep would take far too long to finish, and each ply takes room on the stack.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// The number of decisions that are counted between two calls of `goes_on`; they take some milliseconds.
const UNWATCHED: u32 = 1 << 16;

/// Returns the number of lines of `depth` plies from `position`, over every roll and every legal move. A pass is a move. A line
/// ends where the game ends: with a win, or with a pass after which neither player can ever move.
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

/// Returns the number of lines of `depth` plies as [`perft`] does; if a roll is given, only those that begin with it. `goes_on`
/// is called every few milliseconds; if it returns false, the count stops and the result is arbitrary. A `depth` above
/// [`MAX_PERFT_DEPTH`] may overflow the stack.
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
    Counting { rules, goes_on, decisions: 0, is_stopped: false }.lines((position, roll), depth)
}

/// A count of lines that can be stopped.
struct Counting<'a> {
    rules: &'a Rules,
    goes_on: &'a dyn Fn() -> bool,
    /// The number of decisions counted so far.
    decisions: u32,
    is_stopped: bool,
}

impl Counting<'_> {
    /// Returns the number of lines of `depth` plies.
    fn lines(&mut self, (position, roll): (Position, Option<Roll>), depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let rules = self.rules;
        let mut lines = |roll| self.lines_of(&rules.decision(position, roll), depth - 1);
        match roll {
            Some(roll) => lines(roll),
            None => rules.rolls().iter().map(|&(roll, _)| lines(roll)).sum(),
        }
    }

    /// Returns the number of lines that consist of a move of `decision` and `left` plies after it.
    fn lines_of(&mut self, decision: &Decision<'_>, left: u32) -> u64 {
        if !self.goes_on() {
            return 1;
        }
        let rules = self.rules;
        let lines_after = |(action, after): (Move, Afterstate)| match after.position() {
            Some(next) if left > 0 && !(action == Move::Pass && rules.is_dead(next)) => {
                self.lines((next, None), left)
            }
            _ => u64::from(left == 0),
        };
        decision.afterstates().map(lines_after).sum()
    }

    fn goes_on(&mut self) -> bool {
        self.decisions = self.decisions.wrapping_add(1);
        if self.decisions.is_multiple_of(UNWATCHED) && !(self.goes_on)() {
            self.is_stopped = true;
        }
        !self.is_stopped
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::RuleSet;

    #[test]
    fn a_count_is_watched_by_its_decisions_and_ends_when_it_is_stopped() {
        let rules = RuleSet::FINKEL.compile().unwrap();
        let asked = Cell::new(0);
        let lines = |depth, most| {
            asked.set(0);
            let goes_on = || {
                asked.set(asked.get() + 1);
                asked.get() < most
            };
            perft_from(&rules, (rules.start(), None), depth, &goes_on)
        };
        assert_eq!(lines(7, u32::MAX), perft(&rules, rules.start(), 7));
        assert!(asked.get() > 0, "seven plies are many decisions");
        lines(MAX_PERFT_DEPTH, 3);
        assert_eq!(asked.get(), 3);
    }
}
