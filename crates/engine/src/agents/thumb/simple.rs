//! Agents by rule of thumb: random, first move, last move and greedy.

use puabi_core::{Agent, Decision, Move, Moves, Policy, Square};

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
        evenly(&decision.moves(), |_| true)
    }
}

/// Plays the legal move of the piece that stands furthest back; a piece in the hand counts as the furthest back.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::FirstMove;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"1,5:-:L".parse()?)?;
/// let action = FirstMove.choose(&rules.decision(position, Roll::new(2)), 0.0);
/// assert_eq!(action.to_string(), "0-2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FirstMove;

impl Agent for FirstMove {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        decision.moves()[0]
    }
}

/// Plays the legal move of the piece that stands furthest along the path.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::LastMove;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"1,5:-:L".parse()?)?;
/// let action = LastMove.choose(&rules.decision(position, Roll::new(2)), 0.0);
/// assert_eq!(action.to_string(), "5-7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LastMove;

impl Agent for LastMove {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        *decision.moves().last().expect("a decision has at least one move")
    }
}

/// Captures if it can, else lands on a rosette, else moves its most advanced piece.
///
/// The three wishes count in that order: of several captures it prefers those that land on a rosette, and of the moves that are
/// left it plays that of the piece furthest along the path. A piece that can go home is the most advanced of those that can move.
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
    /// Returns how much a move is wanted. Two moves never leave the same square, so no two are wanted equally.
    fn wish(decision: &Decision<'_>, action: Move) -> u8 {
        let captures = decision.captures(action).is_some();
        let rosettes = decision.rules().rosettes();
        let on_rosette = action.to().is_some_and(|to| rosettes.contains(to));
        // A square has five bits.
        u8::from(captures) << 6 | u8::from(on_rosette) << 5 | origin(action)
    }

    /// Returns the move that is wanted most.
    fn best(decision: &Decision<'_>, moves: &Moves) -> Move {
        if moves.len() == 1 {
            return moves[0];
        }
        let best = moves.iter().max_by_key(|&&action| Self::wish(decision, action));
        *best.expect("a decision has at least one move")
    }
}

impl Agent for Greedy {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        let best = Self::best(decision, &moves);
        moves.iter().map(|&action| f64::from(action == best)).collect()
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        Self::best(decision, &decision.moves())
    }
}

/// Returns the number of the square that a move leaves, 0 for the hand.
pub(crate) fn origin(action: Move) -> u8 {
    action.from().map_or(0, Square::number)
}

/// Returns the policy that always plays `chosen`.
pub(crate) fn certainly(decision: &Decision<'_>, chosen: Move) -> Policy {
    decision.moves().iter().map(|&action| f64::from(action == chosen)).collect()
}

/// Returns the policy that plays each of the moves that are `kept` with the same chance; at least one must be kept.
pub(crate) fn evenly(moves: &Moves, kept: impl Fn(usize) -> bool) -> Policy {
    let count = (0..moves.len()).filter(|&at| kept(at)).count();
    let share = 1.0 / count as f64;
    (0..moves.len()).map(|at| if kept(at) { share } else { 0.0 }).collect()
}
