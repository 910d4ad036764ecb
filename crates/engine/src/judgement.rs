//! What each legal move of a decision is worth, by an evaluator.

use puabi_core::{Afterstate, Decision, Evaluator, Move, Position};

/// A legal move with what follows it and its value.
///
/// ```
/// use puabi_core::{Afterstate, Roll, RuleSet};
/// use puabi_engine::judge;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let position = rules.position(&"14:-:L".parse()?)?;
/// let judged = judge(&rules.decision(position, Roll::new(1)), &values);
/// assert_eq!(judged[0].after, Afterstate::Won);
/// assert_eq!(judged[0].value, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The move.
    pub action: Move,
    /// What follows it.
    pub after: Afterstate,
    /// The chance (0..=1) that the player who moves wins.
    pub value: f64,
}

/// Returns every legal move of `decision` with its value, in the order of [`Decision::moves`]; at least one.
///
/// The evaluator is asked once, for all the positions that follow.
pub fn judge<E: Evaluator + ?Sized>(decision: &Decision<'_>, evaluator: &E) -> Vec<Judged> {
    let afterstates: Vec<_> = decision.afterstates().collect();
    let positions: Vec<Position> =
        afterstates.iter().filter_map(|(_, after)| after.position()).collect();
    let mut values = vec![0.0; positions.len()];
    evaluator.evaluate(&positions, &mut values);
    let mut values = values.into_iter();
    let mut judged = Vec::with_capacity(afterstates.len());
    for (action, after) in afterstates {
        // A won game has no position, and its value asks for none.
        let next = after.position().and_then(|_| values.next()).unwrap_or_default();
        judged.push(Judged { action, after, value: after.value(|_| next) });
    }
    judged
}

/// Returns the judged move of the highest value, the first of several equal ones.
///
/// # Panics
///
/// Where there is none: a decision has at least one move.
pub(crate) fn best(judged: &[Judged]) -> &Judged {
    judged
        .iter()
        .reduce(|best, next| if next.value > best.value { next } else { best })
        .expect("a decision has at least one move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use puabi_core::Move;

    #[test]
    fn the_first_of_equal_moves_is_the_best() {
        let judged = |action: &str, value| Judged {
            action: action.parse().unwrap(),
            after: Afterstate::Won,
            value,
        };
        let all = [judged("0-2", 0.25), judged("3-5", 0.5), judged("5-7", 0.5)];
        assert_eq!(best(&all).action, "3-5".parse::<Move>().unwrap());
    }
}
