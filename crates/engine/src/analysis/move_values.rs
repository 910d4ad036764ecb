//! The value of each legal move of a decision, by an evaluator.

use arrayvec::ArrayVec;
use puabi_core::{Afterstate, Decision, Evaluator, Forfeit, Move, Position, RuleSet};

/// A legal move with its result and its value.
///
/// ```
/// use puabi_core::{Afterstate, Roll, RuleSet};
/// use puabi_engine::move_values;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let position = rules.position(&"14:-:L".parse()?)?;
/// let moves = move_values(&rules.decision(position, Roll::new(1)), &values);
/// assert_eq!(moves[0].after, Afterstate::Won);
/// assert_eq!(moves[0].value, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveValue {
    /// The move.
    pub action: Move,
    /// The result.
    pub after: Afterstate,
    /// The chance (0..=1) that the player who moves wins.
    pub value: f64,
}

/// The value of each legal move of a decision, in the order of [`Decision::moves`]; never empty.
pub type MoveValues = ArrayVec<MoveValue, MAX_MOVES>;

/// The largest number of moves of a decision.
pub const MAX_MOVES: usize = RuleSet::MAX_PIECES as usize + 1;

/// Returns every legal move of `decision` with its value, in the order of [`Decision::moves`]; there is at least one.
///
/// Calls the evaluator once, for all the positions that follow, and allocates nothing on the heap.
pub fn move_values<E: Evaluator + ?Sized>(decision: &Decision<'_>, evaluator: &E) -> MoveValues {
    let mut moves: MoveValues = decision
        .afterstates()
        .map(|(action, after)| MoveValue { action, after, value: after.value(|_| 0.0) })
        .collect();
    let positions: ArrayVec<Position, MAX_MOVES> =
        moves.iter().filter_map(|it| it.after.position()).collect();
    let mut values = [0.0; MAX_MOVES];
    evaluator.evaluate(&positions, &mut values[..positions.len()]);
    let open = moves.iter_mut().filter(|it| it.after.position().is_some());
    for (open, value) in open.zip(values) {
        open.value = open.after.value(|_| value);
    }
    if let Some(action) = evaluator.preferred(decision) {
        prefer(action, &mut moves);
    }
    moves
}

/// Exchanges the values of `action` and of the best move, so that `action` becomes the best. By how much it is better is not
/// known.
fn prefer(action: Move, moves: &mut MoveValues) {
    let best = best(moves).action;
    let place = |action: Move| moves.iter().position(|it| it.action == action);
    if let (Some(best), Some(other)) = (place(best), place(action)) {
        let values = (moves[best].value, moves[other].value);
        (moves[other].value, moves[best].value) = values;
    }
}

/// Returns the move of the highest value, the first of several equal ones.
///
/// # Panics
///
/// Panics if `moves` is empty; a decision has at least one move.
pub fn best(moves: &[MoveValue]) -> &MoveValue {
    moves
        .iter()
        .reduce(|best, next| if next.value > best.value { next } else { best })
        .expect("a decision has at least one move")
}

/// Appends to `played` the best move of each decision, the first of several equal ones.
///
/// Calls the evaluator once, for the positions of all decisions that leave a choice.
pub(crate) fn best_of_each<'d, E: Evaluator + ?Sized>(
    decisions: impl ExactSizeIterator<Item = &'d Decision<'d>>,
    evaluator: &E,
    played: &mut Vec<Result<Move, Forfeit>>,
) {
    // More than four moves are rare.
    let (count, room) = (decisions.len(), 4 * decisions.len());
    let mut open = Vec::with_capacity(count);
    let (mut options, mut positions) = (Vec::with_capacity(room), Vec::with_capacity(room));
    for decision in decisions {
        let moves = decision.moves();
        if moves.len() > 1 {
            open.push((played.len(), moves.len(), evaluator.preferred(decision)));
            for &action in &moves {
                let after = decision.after(action);
                options.push((action, after));
                positions.extend(after.position());
            }
        }
        played.push(Ok(moves[0]));
    }
    let mut values = vec![0.0; positions.len()];
    evaluator.evaluate(&positions, &mut values);
    let (mut options, mut values) = (&*options, values.into_iter());
    for (at, count, preferred) in open {
        let (own, rest) = options.split_at(count);
        let best = best_option(own, &mut values);
        played[at] = Ok(preferred.unwrap_or(best));
        options = rest;
    }
}

/// Returns the best of several moves; `values` yields first the values of the positions that follow these moves.
fn best_option(options: &[(Move, Afterstate)], values: &mut impl Iterator<Item = f64>) -> Move {
    let candidates = options.iter().map(|&(action, after)| {
        let next = after.position().and_then(|_| values.next());
        (action, after.value(|_| next.expect("a value for each position")))
    });
    let best = candidates.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("a decision has at least one move").0
}

/// Returns the move of the lowest value, the first of several equal ones.
///
/// # Panics
///
/// Panics if `moves` is empty; a decision has at least one move.
pub(crate) fn worst(moves: &[MoveValue]) -> &MoveValue {
    moves
        .iter()
        .reduce(|worst, next| if next.value < worst.value { next } else { worst })
        .expect("a decision has at least one move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::Move;

    #[test]
    fn the_first_of_equal_moves_is_the_best() {
        let worth = |action: &str, value| MoveValue {
            action: action.parse().unwrap(),
            after: Afterstate::Won,
            value,
        };
        let all = [worth("0-2", 0.25), worth("3-5", 0.5), worth("5-7", 0.5)];
        assert_eq!(best(&all).action, "3-5".parse::<Move>().unwrap());
    }
}
