//! The two interfaces of an engine: an evaluator values positions, an agent chooses moves.

use std::fmt;

use arrayvec::ArrayVec;

use crate::{Decision, Move, Position, RuleSet};

/// A judge of positions, such as a solved table, a heuristic or a net.
///
/// ```
/// use puabi_core::{Evaluator, Position, RuleSet};
///
/// /// Believes in pieces home.
/// struct Scores;
///
/// impl Evaluator for Scores {
///     fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
///         for (position, value) in positions.iter().zip(values) {
///             let lead = f64::from(position.mine().score()) - f64::from(position.theirs().score());
///             *value = 0.5 + lead / 30.0;
///         }
///     }
/// }
///
/// let mut values = [0.0];
/// Scores.evaluate(&[RuleSet::FINKEL.compile()?.start()], &mut values);
/// assert_eq!(values, [0.5]);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub trait Evaluator {
    /// Writes the chance (0..=1) that the player about to roll wins, for each of `positions`.
    ///
    /// Both slices have the same length.
    fn evaluate(&self, positions: &[Position], values: &mut [f64]);

    /// Returns the chance (0..=1) that the player about to roll wins at `position`.
    fn value(&self, position: Position) -> f64 {
        let mut value = [0.0];
        self.evaluate(&[position], &mut value);
        value[0]
    }

    /// Returns the move of `decision` that the evaluator takes for the best regardless of the moves' values; `None` if it knows
    /// no such move.
    fn preferred(&self, _decision: &Decision<'_>) -> Option<Move> {
        None
    }
}

impl<E: Evaluator + ?Sized> Evaluator for &E {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        (**self).evaluate(positions, values);
    }

    fn preferred(&self, decision: &Decision<'_>) -> Option<Move> {
        (**self).preferred(decision)
    }
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        (**self).evaluate(positions, values);
    }

    fn preferred(&self, decision: &Decision<'_>) -> Option<Move> {
        (**self).preferred(decision)
    }
}

impl fmt::Debug for dyn Evaluator + Sync + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Evaluator")
    }
}

impl fmt::Debug for dyn Agent + Sync + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Agent")
    }
}

/// The chance of each legal move of a decision, in the order of [`Decision::moves`]; sums to one.
pub type Policy = ArrayVec<f64, { RuleSet::MAX_PIECES as usize + 1 }>;

/// A player without memory: its choice is a distribution over the legal moves of a decision.
///
/// ```
/// use puabi_core::{Agent, Decision, Policy, Roll, RuleSet};
///
/// /// Plays every legal move equally often.
/// struct Random;
///
/// impl Agent for Random {
///     fn policy(&self, decision: &Decision<'_>) -> Policy {
///         let moves = decision.moves();
///         moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
///     }
/// }
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let policy = Random.policy(&rules.decision(rules.start(), Roll::new(2)));
/// assert_eq!(policy.as_slice(), [1.0]);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub trait Agent {
    /// Returns the chance of each legal move.
    fn policy(&self, decision: &Decision<'_>) -> Policy;

    /// Returns the chance of each legal move as [`Agent::policy`] does.
    ///
    /// # Errors
    ///
    /// Returns an error if the agent gives the game up; [`Agent::policy`] would then return an arbitrary policy.
    fn try_policy(&self, decision: &Decision<'_>) -> Result<Policy, Forfeit> {
        Ok(self.policy(decision))
    }

    /// Returns the move that the agent plays, given a random `number`, uniform in 0..1.
    ///
    /// It is the move that [`Decision::draw`] draws from the policy. An agent that needs no policy may choose faster.
    fn choose(&self, decision: &Decision<'_>, number: f64) -> Move {
        decision.draw(&self.policy(decision), number)
    }

    /// Returns the move that the agent plays in a game, that of [`Agent::choose`].
    ///
    /// # Errors
    ///
    /// Returns an error if the agent gives the game up; an outside program does so if it ends or does not answer.
    fn play(&self, decision: &Decision<'_>, number: f64) -> Result<Move, Forfeit> {
        Ok(self.choose(decision, number))
    }

    /// Appends to `played` the moves that the agent plays in several games, given each game's decision and random number.
    ///
    /// The moves are those of [`Agent::play`]. An agent that looks values up may look up all decisions at once.
    fn play_each(&self, asked: &[(Decision<'_>, f64)], played: &mut Vec<Result<Move, Forfeit>>) {
        played.extend(asked.iter().map(|(decision, number)| self.play(decision, *number)));
    }

    /// Returns whether the agent answers many decisions at once faster than one by one.
    fn prefers_batches(&self) -> bool {
        false
    }
}

/// The reason why an agent gives a game up.
///
/// ```
/// use puabi_core::Forfeit;
/// assert_eq!(Forfeit::new("no answer within 10 s").to_string(), "no answer within 10 s");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Forfeit(Box<str>);

impl Forfeit {
    /// Returns a forfeit for this reason.
    pub fn new(reason: impl Into<Box<str>>) -> Self {
        Self(reason.into())
    }
}

impl Decision<'_> {
    /// Draws a move from `policy` by a random `number`, uniform in 0..1: each move is drawn with its chance.
    ///
    /// # Panics
    ///
    /// Panics if the policy has fewer chances than the decision has moves.
    pub fn draw(&self, policy: &Policy, number: f64) -> Move {
        let moves = self.moves();
        let mut left = number;
        for (&action, &chance) in moves.iter().zip(policy) {
            if left < chance {
                return action;
            }
            left -= chance;
        }
        // Rounding may leave the number just above the sum of the chances: then it draws the last move with a chance above zero.
        let at = policy[..moves.len()].iter().rposition(|&chance| chance > 0.0);
        moves[at.unwrap_or_default()]
    }
}
