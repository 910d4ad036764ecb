//! Positions and moves as numbers: the columns of an observation, and the code of an action.

use puabi_core::{Move, Player, Position, Roll, Rules, Setup, Side};

/// Returns the number of columns that show a position; an observation has one more, the roll.
pub(crate) fn columns(rules: &Rules) -> usize {
    2 * usize::from(rules.length()) + 4
}

/// Returns the number of actions: one for each square that a piece may leave, the hand first, and the pass last.
pub(crate) fn actions(rules: &Rules) -> usize {
    usize::from(rules.length()) + 2
}

/// Returns the code of a move: the square that the piece leaves, 0 for the hand, one more than the path for a pass.
#[inline]
pub(crate) fn code(rules: &Rules, action: Move) -> u8 {
    match action {
        Move::Enter { .. } => 0,
        Move::Advance { from, .. } | Move::Score { from } => from.number(),
        Move::Pass => rules.length() + 1,
    }
}

/// Writes the columns of a position, seen by the player about to roll: pieces on each square of the player's path,
/// those of the opponent on each square of the opponent's, both hands, and pieces home.
#[inline]
pub(crate) fn write(rules: &Rules, position: Position, row: &mut [u8]) {
    let length = usize::from(rules.length());
    let (mine, theirs) = (position.mine(), position.theirs());
    row.fill(0);
    lay(mine, &mut row[..length]);
    lay(theirs, &mut row[length..2 * length]);
    let rest = [rules.hand(mine), rules.hand(theirs), mine.score(), theirs.score()];
    row[2 * length..2 * length + 4].copy_from_slice(&rest);
}

fn lay(side: Side, squares: &mut [u8]) {
    for square in side.squares().iter() {
        squares[usize::from(square.number()) - 1] = side.count(square);
    }
}

/// Returns the observation of one player, no matter who is to roll. The game may be over; the roll is 0 if no roll waits for its
/// move.
pub(crate) fn seen_by(rules: &Rules, setup: &Setup, player: Player) -> Vec<u8> {
    let length = usize::from(rules.length());
    let mut row = vec![0; columns(rules) + 1];
    for (at, side) in [player, player.opponent()].map(|it| setup.side(it)).into_iter().enumerate() {
        for square in &side.squares {
            row[at * length + usize::from(square.number()) - 1] += 1;
        }
        let out = side.squares.len() + usize::from(side.score);
        row[2 * length + at] = rules.pieces() - u8::try_from(out).unwrap_or(rules.pieces());
        row[2 * length + 2 + at] = side.score;
    }
    row[2 * length + 4] = setup.roll.map_or(0, Roll::steps);
    row
}

/// Returns which actions are legal.
pub(crate) fn mask(rules: &Rules, moves: &[Move]) -> Vec<bool> {
    let mut mask = vec![false; actions(rules)];
    for &action in moves {
        mask[usize::from(code(rules, action))] = true;
    }
    mask
}

/// Writes an observation: the columns of a position, then the roll.
#[inline]
pub(crate) fn observe(rules: &Rules, position: Position, roll: Roll, row: &mut [u8]) {
    let (columns, last) = row.split_at_mut(columns(rules));
    write(rules, position, columns);
    last[0] = roll.steps();
}
