//! From a description to a position that obeys the rules, and back.

use std::collections::BTreeMap;

use crate::position::order::Order;
use crate::{
    Player, Position, PositionError, Rules, Setup, Side, SideSetup, Square, Squares, Stack, Tile,
    TileKind,
};

impl Rules {
    /// Returns the position that `setup` describes.
    ///
    /// # Errors
    ///
    /// Returns an error if `setup` breaks these rules: too many pieces, a square off the path, more pieces on a tile than it
    /// holds, a stack whose order is missing or wrong, a roll that cannot be thrown, a finished game.
    pub fn position(&self, setup: &Setup) -> Result<Position, PositionError> {
        let light = self.side(Player::Light, &setup.light)?;
        let dark = self.side(Player::Dark, &setup.dark)?;
        self.check_meeting(light, dark)?;
        for (player, side) in [(Player::Light, light), (Player::Dark, dark)] {
            if self.has_won(side) {
                let (found, goal) = (side.score(), self.goal());
                return Err(PositionError(format!(
                    "{player} has {found} home: the game is over with {goal} home, and nobody rolls"
                )));
            }
        }
        if let Some(roll) = setup.roll
            && !self.can_roll(roll)
        {
            return Err(PositionError(self.cannot_roll(roll)));
        }
        let order = self.order(setup, light, dark)?;
        let (mine, theirs) = match setup.turn {
            Player::Light => (light, dark),
            Player::Dark => (dark, light),
        };
        Ok(Position::new(mine, theirs, order))
    }

    /// Returns the description of `position` in which `turn` is about to roll.
    pub fn setup(&self, position: Position, turn: Player) -> Setup {
        let (mine, theirs) = (SideSetup::from(position.mine()), SideSetup::from(position.theirs()));
        let (light, dark) = match turn {
            Player::Light => (mine, theirs),
            Player::Dark => (theirs, mine),
        };
        let mut stacks: Vec<_> =
            self.ordered_tiles().filter_map(|tile| self.stack(position, turn, tile)).collect();
        stacks.sort_unstable_by_key(|stack| stack.tile);
        Setup { light, dark, turn, roll: None, stacks }
    }

    /// Returns the pieces of each tile that holds any: bottom first if `setup` gives their order, otherwise light's first.
    /// Pieces on squares beyond the path are left out.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// let rules = RuleSet::SKIRIUK.compile()?;
    /// let pieces = rules.pieces_by_tile(&"1,1:7,11,17:L:B7=D11.D17".parse()?);
    /// assert_eq!(pieces[&"B7".parse()?].len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pieces_by_tile(&self, setup: &Setup) -> BTreeMap<Tile, Vec<(Player, Square)>> {
        let mut pieces: BTreeMap<Tile, Vec<_>> = BTreeMap::new();
        for player in Player::BOTH {
            let path = self.board().path(player);
            for &square in &setup.side(player).squares {
                if let Some(&tile) = path.get(usize::from(square.number()) - 1) {
                    pieces.entry(tile).or_default().push((player, square));
                }
            }
        }
        pieces.extend(setup.stacks.iter().map(|stack| (stack.tile, stack.pieces.clone())));
        pieces
    }

    /// Returns the stack of a tile whose order counts; `None` if its pieces do not differ.
    fn stack(&self, position: Position, turn: Player, ordered_tile: u8) -> Option<Stack> {
        let mut pieces = position.order().pieces(ordered_tile).filter_map(|piece| {
            let player = if piece.is_theirs { turn.opponent() } else { turn };
            Some((player, self.landings().square(ordered_tile, piece)?))
        });
        let (player, square) = pieces.next()?;
        let pieces: Vec<_> = std::iter::once((player, square)).chain(pieces).collect();
        let differ = pieces.iter().any(|&piece| piece != (player, square));
        differ.then(|| Stack { tile: self.tile(player, square), pieces })
    }

    fn side(&self, player: Player, setup: &SideSetup) -> Result<Side, PositionError> {
        let mut side = Side::new(Squares::EMPTY, setup.score);
        for &square in &setup.squares {
            if square.number() > self.length() {
                let length = self.length();
                return Err(PositionError(format!(
                    "{player} has a piece on square {square}, but the path has {length} squares"
                )));
            }
            let landing = self.landing(square);
            if landing.stacks() {
                self.check_stacked(player, side, square)?;
            } else if side.squares().contains(square) {
                return Err(PositionError(format!(
                    "{player} has two pieces on square {square}: these rules allow one piece a square"
                )));
            } else if let Some(first) = (landing.own_on_same_tile & side.squares()).first() {
                let tile = self.tile(player, square);
                return Err(PositionError(format!(
                    "{player} has pieces on squares {first} and {square}, which are both {tile}: these rules allow one \
                     piece a tile"
                )));
            }
            side = side.enter(square);
        }
        let found = setup.squares.len() + usize::from(setup.score);
        if found > usize::from(self.pieces()) {
            let pieces = self.pieces();
            return Err(PositionError(format!(
                "{player} has {found} pieces on the board and home, but each player has {pieces}"
            )));
        }
        Ok(side)
    }

    /// Checks that one more piece may stand on a square that holds stacks.
    fn check_stacked(
        &self,
        player: Player,
        side: Side,
        square: Square,
    ) -> Result<(), PositionError> {
        let (landing, tile) = (self.landing(square), self.tile(player, square));
        if landing.is_closed() {
            let tile_kind = self.tile_kind(square).name();
            return Err(PositionError(format!(
                "{player} has a piece on square {square}, but {tile} is {tile_kind}"
            )));
        }
        if let Some(first) = (landing.own_blockers & side.squares()).first() {
            return Err(PositionError(format!(
                "{player} has a novice and a veteran on {tile} (squares {first} and {square}): these rules allow one \
                 kind in a camp"
            )));
        }
        let held = landing
            .own_on_same_tile
            .with(square)
            .iter()
            .map(|square| side.count(square))
            .sum::<u8>();
        if held >= landing.room {
            return Err(too_high(tile, held + 1, landing.room));
        }
        Ok(())
    }

    fn check_meeting(&self, light: Side, dark: Side) -> Result<(), PositionError> {
        for square in light.squares().iter() {
            let landing = self.landing(square);
            let met = landing.theirs_on_same_tile & dark.squares();
            let Some(other) = met.first() else { continue };
            let tile = self.tile(Player::Light, square);
            if !self.tile_kind(square).mixes() {
                let reason = match self.tile_kind(square) {
                    TileKind::Camp => "a camp is closed to the other player",
                    _ => "these rules allow one piece a tile",
                };
                return Err(PositionError(format!(
                    "{tile} holds pieces of both players (light's square {square}, dark's square {other}): {reason}"
                )));
            }
            let found = landing.pieces_on_tile(square, light, dark);
            if found > landing.room {
                return Err(too_high(tile, found, landing.room));
            }
        }
        Ok(())
    }

    /// Returns the order of the stacks, seen by the player about to roll.
    fn order(&self, setup: &Setup, light: Side, dark: Side) -> Result<Order, PositionError> {
        let mut order = Order::default();
        for ordered_tile in self.ordered_tiles() {
            let squares = || self.landings().ordered_tiles[usize::from(ordered_tile)].iter();
            let of = |player, side: Side| {
                squares().flat_map(move |square| {
                    std::iter::repeat_n((player, square), side.count(square).into())
                })
            };
            let held: Vec<_> = of(Player::Light, light).chain(of(Player::Dark, dark)).collect();
            let Some(first) = squares().next() else { continue };
            let tile = self.tile(Player::Light, first);
            for &(player, square) in ordered(setup, tile, &held)? {
                order =
                    order.push(ordered_tile, self.landings().piece(square, player != setup.turn));
            }
        }
        let counts =
            |stack: &&Stack| !self.ordered_tiles().any(|at| self.is_ordered_tile(at, stack.tile));
        match setup.stacks.iter().find(counts) {
            Some(Stack { tile, .. }) => Err(PositionError(format!(
                "the order of pieces on {tile} does not matter under these rules: leave that tile out of the fourth field"
            ))),
            None => Ok(order),
        }
    }

    fn is_ordered_tile(&self, ordered_tile: u8, tile: Tile) -> bool {
        let first = self.landings().ordered_tiles[usize::from(ordered_tile)].first();
        first.is_some_and(|first| self.tile(Player::Light, first) == tile)
    }

    /// Returns the tiles whose order counts, as their indices in an [`Order`].
    pub(crate) fn ordered_tiles(&self) -> impl Iterator<Item = u8> + use<> {
        0..u8::try_from(self.landings().ordered_tiles.len()).unwrap_or(Order::MAX_TILES)
    }
}

/// Returns the pieces of a tile in their order: as `setup` lists them, or as in `held` if they do not differ.
fn ordered<'a>(
    setup: &'a Setup,
    tile: Tile,
    held: &'a [(Player, Square)],
) -> Result<&'a [(Player, Square)], PositionError> {
    let Some(stack) = setup.stacks.iter().find(|stack| stack.tile == tile) else {
        let differ = held.iter().any(|piece| *piece != held[0]);
        if !differ {
            return Ok(held);
        }
        let example = Stack { tile, pieces: held.to_vec() };
        let expected = match setup.stacks.first() {
            Some(other) => {
                format!(", but the fourth field lists {}: expected `{example}` in it", other.tile)
            }
            None => format!(": expected a fourth field such as `{example}`"),
        };
        return Err(PositionError(format!(
            "{tile} holds different pieces, and their order matters{expected}, bottom first"
        )));
    };
    let (mut listed, mut expected) = (stack.pieces.clone(), held.to_vec());
    listed.sort_unstable();
    expected.sort_unstable();
    if listed == expected {
        return Ok(&stack.pieces);
    }
    if held.is_empty() {
        return Err(PositionError(format!(
            "{stack} is a stack where no piece stands: expected none on {tile}"
        )));
    }
    let list = |pieces: &[(Player, Square)]| Stack { tile, pieces: pieces.to_vec() }.to_string();
    let (found, expected) = (list(&stack.pieces), list(&expected));
    Err(PositionError(format!(
        "{found} does not list the pieces that stand there: expected those of {expected}, in their order"
    )))
}

fn too_high(tile: Tile, found: u8, cap: u8) -> PositionError {
    PositionError(format!("{tile} holds {found} pieces: these rules allow {cap} on each other"))
}
