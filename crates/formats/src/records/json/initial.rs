//! The first state of a game in JSON.

use puabi_core::{Game, Player, Roll, Rules, Setup, SideSetup, Square, Tile};

use super::shapes::{Piece, SetupIn, StateIn};
use crate::records::problem::Problem;

/// Returns the game that begins in this state.
pub(super) fn game(rules: Rules, setup: &SetupIn, state: &StateIn<'_>) -> Result<Game, Problem> {
    let turn = state.turn.ok_or_else(|| {
        Problem::expected("a first state without `turn`", "whose turn it is, \"L\" or \"D\"")
    })?;
    let mut whole = Setup {
        light: SideSetup::default(),
        dark: SideSetup::default(),
        turn: turn.into(),
        roll: state.roll.map(|roll| Roll::new(roll.value)),
        stacks: Vec::new(),
    };
    for (tile, &piece) in &setup.board.pieces {
        place(&rules, &mut whole, tile, piece)?;
    }
    for (side, holdings) in
        [(&mut whole.light, setup.players.light), (&mut whole.dark, setup.players.dark)]
    {
        side.squares.sort_unstable();
        side.score = holdings.score;
        let found = side.squares.len() + usize::from(holdings.pieces) + usize::from(side.score);
        if found != usize::from(rules.pieces()) {
            let expected = format!("`start_pieces`, {}", rules.pieces());
            return Err(Problem::expected(format!("{found} pieces of a player"), expected));
        }
    }
    Ok(Game::from_setup(rules, whole)?)
}

fn place(rules: &Rules, setup: &mut Setup, tile: &str, piece: Piece) -> Result<(), Problem> {
    let (player, step) = piece.read();
    let side = match player {
        Player::Light => &mut setup.light,
        Player::Dark => &mut setup.dark,
    };
    let square = square(rules, step)?;
    let expected = rules.tile(player, square);
    if tile.parse() != Ok(expected) {
        let found = format!("{player}'s piece {step} on `{tile}`");
        return Err(Problem::expected(found, Tile::to_string(&expected)));
    }
    side.squares.push(square);
    Ok(())
}

/// Returns the square of a step of the path.
pub(super) fn square(rules: &Rules, step: i64) -> Result<Square, Problem> {
    let number = u8::try_from(step).ok().filter(|&number| number <= rules.length());
    number.and_then(Square::new).ok_or_else(|| {
        Problem::expected(
            format!("a piece at {step}"),
            format!("1 to {} of the path", rules.length()),
        )
    })
}
