//! The agents: perfect by an evaluator, greedy by rule of thumb, and random.

use puabi_core::{Agent, Decision, Evaluator, Move, Policy};

use crate::judgement::{best, judge};

/// Plays the move of the highest value; the first of several equal ones.
///
/// How well it plays is a matter of the evaluator: with the values of a solved game it plays perfectly.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Perfect;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let policy = Perfect(values).policy(&rules.decision(rules.start(), Roll::new(2)));
/// assert_eq!(policy.as_slice(), [1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Perfect<E>(pub E);

impl<E: Evaluator> Agent for Perfect<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let judged = judge(decision, &self.0);
        let chosen = best(&judged);
        judged.iter().map(|judged| f64::from(judged.action == chosen.action)).collect()
    }
}

/// Captures if it can, else lands on a rosette, else moves its most advanced piece.
///
/// The three wishes count in that order: of several captures it takes one that lands on a rosette, and of what is left
/// the piece that stands furthest along the path. A piece that can go home is the most advanced of those that can move.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Greedy;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"1,3:4:L".parse()?)?;
/// // 0-1 is blocked; 1-2 or 3-4: the rosette it is.
/// let policy = Greedy.policy(&rules.decision(position, Roll::new(1)));
/// assert_eq!(policy.as_slice(), [0.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Greedy;

impl Greedy {
    fn wish(decision: &Decision<'_>, action: Move) -> (bool, bool, u8) {
        let captures = decision.captures(action).is_some();
        let rosettes = decision.rules().rosettes();
        let on_rosette = action.to().is_some_and(|to| rosettes.contains(to));
        (captures, on_rosette, action.from().map_or(0, puabi_core::Square::number))
    }
}

impl Agent for Greedy {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        // Two moves never leave the same square, so no two wishes are equal.
        let chosen = moves.iter().max_by_key(|&&action| Self::wish(decision, action));
        moves.iter().map(|action| f64::from(Some(action) == chosen)).collect()
    }
}

/// Plays every legal move with the same chance.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Random;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"1,5:-:L".parse()?)?;
/// let policy = Random.policy(&rules.decision(position, Roll::new(2)));
/// assert_eq!(policy.iter().sum::<f64>(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Random;

impl Agent for Random {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
    }
}
