//! A search that looks ahead along likely rolls only.

use puabi_core::{Agent, Decision, Evaluator, Move, Policy, Position, Rules};

use crate::agents::search::expectimax::most_valued;
use crate::agents::thumb::simple::certainly;

/// Looks ahead move by move, but no further along a line of rolls that is less likely than a threshold.
///
/// A position at which the search stops has the value that the evaluator gives. With a threshold of 0 every line is followed to
/// the full depth; that is the plain search, with which [`Expectimax`](crate::Expectimax) agrees.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Likely, Pips};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let agent = Likely { depth: 3, least: 0.05, leaf: Pips::new(&rules) };
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let action = agent.choose(&rules.decision(position, Roll::new(1)), 0.0);
/// assert_eq!(action.to_string(), "6-7", "it captures");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Likely<E> {
    /// Moves to look ahead; 0 counts as 1.
    pub depth: u8,
    /// The chance (0..=1) that a line of rolls must have to be followed.
    pub least: f64,
    /// What judges the positions at the end.
    pub leaf: E,
}

impl<E: Evaluator> Likely<E> {
    /// Returns the value of a position after a line of rolls of this chance.
    fn value(&self, rules: &Rules, position: Position, depth: u8, chance: f64) -> f64 {
        if depth == 0 || chance < self.least {
            return self.leaf.value(position);
        }
        let roll_value = |&(roll, share): &(_, f64)| {
            let next = |position| self.value(rules, position, depth - 1, chance * share);
            share * rules.decision(position, roll).best_value(next)
        };
        rules.rolls().iter().map(roll_value).sum()
    }
}

impl<E: Evaluator> Agent for Likely<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        let next = |position| self.value(decision.rules(), position, self.depth.max(1) - 1, 1.0);
        most_valued(decision, |after, _| after.value(next))
    }
}
