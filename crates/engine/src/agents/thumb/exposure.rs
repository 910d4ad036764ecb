//! Exposure: the chance of a capture with the next roll.

use puabi_core::{
    Afterstate, Path, Position, Roll, Route, RuleSet, Rules, Square, Squares, TileKind,
};

/// Returns the chance (0..=1) that the next roll in `position` can capture a piece on one of `prey`.
///
/// `prey` are squares of the other player's own path, each with a piece on it. Further rolls that the next roll may grant are not
/// counted. The cost is a few bit operations for each roll.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::capture_chance;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let position = rules.position(&"5,8,9:7:D".parse()?)?;
/// let prey = position.theirs().squares();
/// // From 7, a 2 captures on 9; the rosette 8 is safe, and no piece goes back to 5.
/// assert_eq!(capture_chance(&rules, position, prey), 0.375);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn capture_chance(rules: &Rules, position: Position, prey: Squares) -> f64 {
    let targets = prey.iter().fold(Squares::EMPTY, |all, square| all | rules.captors(square));
    if targets.is_empty() {
        return 0.0;
    }
    let hits = |&&(roll, _): &&(Roll, f64)| reach(rules, position, roll).meets(targets);
    rules.rolls().iter().filter(hits).map(|&(_, chance)| chance).sum()
}

/// Returns the squares that `roll` would bring the mover's pieces to, occupied or not.
pub(crate) fn reach(rules: &Rules, position: Position, roll: Roll) -> Squares {
    if roll.steps() == 0 {
        return Squares::EMPTY;
    }
    // A piece in hand stands before square 1, on bit 0.
    let origins = rules.movable(position).bits() | u32::from(rules.hand(position.mine()) > 0);
    let path = Squares::range(1, rules.length());
    Squares::from_bits(origins.checked_shl(roll.steps().into()).unwrap_or_default()) & path
}

/// Returns the board after a move, seen by the player who moved; `None` if the game is won.
pub(crate) fn board_after(after: Afterstate) -> Option<Position> {
    match after {
        Afterstate::Won => None,
        Afterstate::RollsAgain(position) => Some(position),
        Afterstate::TurnPasses(position) => Some(position.flipped()),
    }
}

/// Returns the rosettes on which a piece is safe though the opponent crosses their tiles: Finkel's middle one.
pub(crate) fn safe_rosettes(rules: &Rules) -> Squares {
    let is_safe_rosette =
        |&square: &Square| rules.rosettes().contains(square) && rules.is_safe(square);
    shared(rules).filter(is_safe_rosette).collect()
}

/// Returns the squares of camps that the opponent crosses: g2 of the Forgotten Game, and of its simple form without camps.
pub(crate) fn shared_camps(rules: &Rules) -> Squares {
    if rules.rule_set().path == Path::Named(Route::Simple) {
        return [11, 17].into_iter().filter_map(Square::new).collect();
    }
    let is_camp =
        |square: &Square| matches!(rules.tile_kind(*square), TileKind::Camp | TileKind::Novices);
    shared(rules).filter(is_camp).collect()
}

/// Returns g1 and h1 of the Forgotten Game and its simpler forms, at which pieces turn. On other paths with a turning square they
/// may be open to captures.
pub(crate) fn camp_posts(rules: &Rules) -> Squares {
    let RuleSet { path, turning: Some(turning), .. } = rules.rule_set() else {
        return Squares::EMPTY;
    };
    let Path::Named(Route::Forgotten | Route::Simple | Route::Dmytro) = path else {
        return Squares::EMPTY;
    };
    Squares::range(turning.square.max(2) - 1, turning.square)
}

/// Returns the squares at the end of the path that only their owner crosses: Finkel's 13 and 14.
pub(crate) fn private_end(rules: &Rules) -> Squares {
    path(rules).rev().take_while(|&square| rules.is_private(square)).collect()
}

/// Returns the squares on which the two players can meet.
fn shared(rules: &Rules) -> impl Iterator<Item = Square> {
    path(rules).filter(|&square| !rules.theirs_on_same_tile(square).is_empty())
}

fn path(rules: &Rules) -> impl DoubleEndedIterator<Item = Square> + use<> {
    (1..=rules.length()).filter_map(Square::new)
}
