//! Agents that play by the values of an evaluator: the best move, the worst move, or a mixture of good and random moves.

use puabi_core::{Agent, Decision, Evaluator, Forfeit, Move, Policy};

use crate::agents::thumb::simple::certainly;
use crate::analysis::move_values::{MoveValues, best, best_of_each, move_values, worst};

/// Plays the move of the highest value; the first of several equal ones.
///
/// How well it plays depends on the evaluator: with the values of a solved game it plays perfectly.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Argmax;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let policy = Argmax(values).policy(&rules.decision(rules.start(), Roll::new(2)));
/// assert_eq!(policy.as_slice(), [1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Argmax<E>(pub E);

impl<E: Evaluator> Agent for Argmax<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        only_move(decision).unwrap_or_else(|| best(&move_values(decision, &self.0)).action)
    }

    fn play_each(&self, asked: &[(Decision<'_>, f64)], played: &mut Vec<Result<Move, Forfeit>>) {
        best_of_each(asked.iter().map(|(decision, _)| decision), &self.0, played);
    }

    fn prefers_batches(&self) -> bool {
        true
    }
}

/// Plays the move of the lowest value; the first of several equal ones.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Pips, Worst};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let action = Worst(Pips::new(&rules)).choose(&rules.decision(position, Roll::new(1)), 0.0);
/// assert_eq!(action.to_string(), "0-1", "it does not capture");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Worst<E>(pub E);

impl<E: Evaluator> Agent for Worst<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        only_move(decision).unwrap_or_else(|| worst(&move_values(decision, &self.0)).action)
    }
}

/// Plays any legal move with a given chance, and the best one otherwise.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Epsilon, Pips};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let agent = Epsilon { values: Pips::new(&rules), chance: 0.5 };
/// assert_eq!(agent.policy(&rules.decision(position, Roll::new(1))).as_slice(), [0.25, 0.75]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Epsilon<E> {
    /// The evaluator that says which move is the best.
    pub values: E,
    /// The chance (0..=1) of a random move.
    pub chance: f64,
}

impl<E: Evaluator> Agent for Epsilon<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        let best = Argmax(&self.values).choose(decision, 0.0);
        let slip = self.chance / moves.len() as f64;
        moves.iter().map(|&action| slip + (1.0 - self.chance) * f64::from(action == best)).collect()
    }
}

/// Plays the best move with a given chance, and each of the others equally often otherwise.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Accuracy, Pips};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let agent = Accuracy { values: Pips::new(&rules), chance: 0.75 };
/// assert_eq!(agent.policy(&rules.decision(position, Roll::new(1))).as_slice(), [0.25, 0.75]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Accuracy<E> {
    /// The evaluator that says which move is the best.
    pub values: E,
    /// The chance (0..=1) of the best move.
    pub chance: f64,
}

impl<E: Evaluator> Agent for Accuracy<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        if moves.len() == 1 {
            return Policy::from_iter([1.0]);
        }
        let best = Argmax(&self.values).choose(decision, 0.0);
        let slip = (1.0 - self.chance) / (moves.len() - 1) as f64;
        moves.iter().map(|&action| if action == best { self.chance } else { slip }).collect()
    }
}

/// Plays the better moves more often: the odds of two moves are `exp(difference of their values / temperature)`.
///
/// Near temperature 0 it plays perfectly, at a high one at random.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Pips, Softmax};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let agent = Softmax { values: Pips::new(&rules), temperature: 0.01 };
/// let policy = agent.policy(&rules.decision(position, Roll::new(1)));
/// assert!(policy[1] > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Softmax<E> {
    /// The evaluator of the moves, in chances to win.
    pub values: E,
    /// The temperature, in chances to win; above 0.
    pub temperature: f64,
}

impl<E: Evaluator> Agent for Softmax<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        if decision.moves().len() == 1 {
            return Policy::from_iter([1.0]);
        }
        self.weigh(&move_values(decision, &self.values))
    }
}

impl<E> Softmax<E> {
    fn weigh(&self, moves: &MoveValues) -> Policy {
        let top = best(moves).value;
        let weight = |value: f64| ((value - top) / self.temperature).exp();
        let sum: f64 = moves.iter().map(|it| weight(it.value)).sum();
        moves.iter().map(|it| weight(it.value) / sum).collect()
    }
}

/// Returns the only move of a decision that leaves no choice.
fn only_move(decision: &Decision<'_>) -> Option<Move> {
    let moves = decision.moves();
    (moves.len() == 1).then(|| moves[0])
}
