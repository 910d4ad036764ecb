//! Positions and moves in JSON, with the tiles that they are drawn on.

use puabi_core::{Afterstate, Decision, Move, Player, Rules, Setup, Square};
use serde::Serialize;
use utoipa::ToSchema;

/// A number for each player.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Counts {
    light: usize,
    dark: usize,
}

/// A place on a player's path and on the board.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Place {
    /// The square along the player's path, from 1.
    square: u8,
    /// The tile.
    #[schema(example = "B4")]
    tile: String,
}

impl Place {
    fn new(rules: &Rules, player: Player, square: Square) -> Self {
        Self { square: square.number(), tile: rules.tile(player, square).to_string() }
    }
}

/// A piece on the board.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Piece {
    /// Whose it is: `light` or `dark`.
    player: &'static str,
    #[serde(flatten)]
    place: Place,
    /// Whether the piece has turned, in games in which pieces turn on their way.
    veteran: bool,
}

impl Piece {
    fn new(rules: &Rules, player: Player, square: Square) -> Self {
        let veteran = rules.veterans().contains(square);
        Self { player: player.name(), place: Place::new(rules, player, square), veteran }
    }
}

/// A position, ready to be drawn.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PositionView {
    /// The text of the position.
    #[schema(example = "4,8:5,9:L1")]
    pub position: String,
    /// Whose turn it is; of a finished game, the winner.
    turn: &'static str,
    /// The pieces on the board; of several on a tile the lower ones first.
    pieces: Vec<Piece>,
    /// Pieces that have not entered.
    hand: Counts,
    /// Pieces brought home.
    home: Counts,
}

impl PositionView {
    /// Returns the view of `setup`, which is a position under these rules.
    pub(crate) fn new(rules: &Rules, setup: &Setup) -> Self {
        // If the order of a stack counts, the position states it.
        let in_order = |player: Player, square: Square| {
            let tile = rules.tile(player, square);
            setup.stacks.iter().any(|stack| stack.tile == tile)
        };
        let loose = Player::BOTH.into_iter().flat_map(|player| {
            let squares = setup.side(player).squares.iter();
            squares.map(move |&square| (player, square))
        });
        let loose = loose.filter(|&(player, square)| !in_order(player, square));
        let stacked = setup.stacks.iter().flat_map(|stack| stack.pieces.iter().copied());
        let pieces = loose.chain(stacked);
        let home = |player| usize::from(setup.side(player).score);
        let hand = |player| {
            let moved = setup.side(player).squares.len() + home(player);
            usize::from(rules.pieces()).saturating_sub(moved)
        };
        Self {
            position: setup.to_string(),
            turn: setup.turn.name(),
            pieces: pieces.map(|(player, square)| Piece::new(rules, player, square)).collect(),
            hand: Counts { light: hand(Player::Light), dark: hand(Player::Dark) },
            home: Counts { light: home(Player::Light), dark: home(Player::Dark) },
        }
    }
}

/// The tiles from which and to which a move leads; absent if the piece enters from the hand or is brought home.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Way {
    from: Option<Place>,
    to: Option<Place>,
}

impl Way {
    /// Returns the way of `player`'s move.
    fn new(rules: &Rules, player: Player, action: Move) -> Self {
        let place = |square| Place::new(rules, player, square);
        Self { from: action.from().map(place), to: action.to().map(place) }
    }
}

/// A legal move.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MoveView {
    /// The text of the move.
    #[serde(rename = "move")]
    #[schema(example = "8-9")]
    action: String,
    #[serde(flatten)]
    way: Way,
    /// Whether it captures.
    capture: bool,
    /// Whether the same player rolls again.
    again: bool,
    /// The position that follows; absent if the game is won.
    after: Option<String>,
}

impl MoveView {
    /// Returns the view of `player`'s move: `capture` and `again` say what it brings, and `after` is the position that follows.
    pub(crate) fn new(
        rules: &Rules,
        player: Player,
        action: Move,
        (capture, again, after): (bool, bool, Option<&Setup>),
    ) -> Self {
        Self {
            action: action.to_string(),
            way: Way::new(rules, player, action),
            capture,
            again,
            after: after.map(ToString::to_string),
        }
    }

    /// Returns the view of a move of `player`'s decision.
    pub(crate) fn of(player: Player, decision: &Decision<'_>, action: Move) -> Self {
        let after = decision.play(action).ok();
        let again = after.is_some_and(Afterstate::rolls_again);
        let next = if again { player } else { player.opponent() };
        let setup = after
            .and_then(Afterstate::position)
            .map(|position| decision.rules().setup(position, next));
        let capture = decision.captures(action).is_some();
        Self::new(decision.rules(), player, action, (capture, again, setup.as_ref()))
    }
}
