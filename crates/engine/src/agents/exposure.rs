//! Exposure: the chance of a capture with the next roll.

use puabi_core::{Afterstate, Position, Rules, Side, Squares};

/// Returns the chance (0..=1) that `hunter` can capture a piece of the other player on one of `prey` with one roll.
///
/// `prey` are squares of the other player's own path, all with a piece on them. Further rolls that the first may give
/// are not counted. Cost: a few bit operations a roll.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::capture_chance;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"5,8,9:7:D".parse()?)?;
/// let (hunter, prey) = (position.mine(), position.theirs().squares());
/// // From 7, a 2 captures on 9; the rosette 8 is safe, and no piece goes back to 5.
/// assert_eq!(capture_chance(&rules, hunter, prey), 0.375);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn capture_chance(rules: &Rules, hunter: Side, prey: Squares) -> f64 {
    let open = prey.iter().filter(|&square| !rules.is_safe(square));
    let targets = open.fold(Squares::EMPTY, |targets, square| targets | rules.meets(square));
    if targets.is_empty() {
        return 0.0;
    }
    // A piece in hand stands before square 1, on bit 0.
    let origins = hunter.squares().bits() | u32::from(rules.hand(hunter) > 0);
    let hits = |steps: u8| Squares::from_bits(origins << steps).meets(targets);
    rules.rolls().iter().filter(|(roll, _)| hits(roll.steps())).map(|&(_, chance)| chance).sum()
}

/// The board after a move, seen by the player who moved, whoever rolls next; `None` where the game is won.
pub(crate) fn board_after(after: Afterstate) -> Option<Position> {
    match after {
        Afterstate::Won => None,
        Afterstate::RollsAgain(position) => Some(position),
        Afterstate::TurnPasses(position) => Some(position.flipped()),
    }
}

/// The squares where a piece is safe though the opponent crosses their tiles: Finkel's middle rosette.
pub(crate) fn havens(rules: &Rules) -> Squares {
    let path = Squares::range(1, rules.length());
    path.iter().filter(|&square| rules.is_safe(square) && !rules.meets(square).is_empty()).collect()
}

/// The squares at the end of the path that only their owner crosses: Finkel's 13 and 14.
pub(crate) fn homestretch(rules: &Rules) -> Squares {
    let mut path: Vec<_> = Squares::range(1, rules.length()).iter().collect();
    path.reverse();
    path.into_iter().take_while(|&square| rules.is_private(square)).collect()
}
