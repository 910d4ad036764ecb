//! From a described position to one that obeys the rules.

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
    /// Where it breaks these rules: too many pieces, a square off the path, more pieces on a tile than it holds, a stack
    /// whose order is missing or wrong, a finished game.
    pub fn position(&self, setup: &Setup) -> Result<Position, PositionError> {
        let light = self.side(Player::Light, &setup.light)?;
        let dark = self.side(Player::Dark, &setup.dark)?;
        self.check_meeting(light, dark)?;
        for (player, side) in [(Player::Light, light), (Player::Dark, dark)] {
            if side.score() >= self.goal() {
                let (found, goal) = (side.score(), self.goal());
                return Err(PositionError::Finished { player, found, goal });
            }
        }
        if let Some(roll) = setup.roll
            && !self.can_roll(roll)
        {
            return Err(PositionError::Roll { found: roll, rolls: self.roll_list() });
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
            self.piles().filter_map(|pile| self.stack(position, turn, pile)).collect();
        stacks.sort_unstable_by_key(|stack| stack.tile);
        Setup { light, dark, turn, roll: None, stacks }
    }

    /// The stack of a tile whose order counts, where it holds pieces that differ.
    fn stack(&self, position: Position, turn: Player, pile: u8) -> Option<Stack> {
        let mut pieces = position.order().pieces(pile).filter_map(|piece| {
            let player = if piece.is_theirs { turn.opponent() } else { turn };
            Some((player, self.landings().square(pile, piece)?))
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
                return Err(PositionError::OffPath { player, square, length: self.length() });
            }
            let landing = self.landing(square);
            if landing.stacks() {
                self.check_stacked(player, side, square)?;
            } else if side.squares().contains(square) {
                return Err(PositionError::Stack { player, square });
            } else if let Some(first) = (landing.twins & side.squares()).first() {
                let tile = self.tile(player, square);
                return Err(PositionError::Twin { player, first, second: square, tile });
            }
            side = side.enter(square);
        }
        let found = setup.squares.len() + usize::from(setup.score);
        if found > usize::from(self.pieces()) {
            return Err(PositionError::TooMany { player, found, pieces: self.pieces() });
        }
        Ok(side)
    }

    /// Finds that one more piece may stand on a square where pieces lie on each other.
    fn check_stacked(
        &self,
        player: Player,
        side: Side,
        square: Square,
    ) -> Result<(), PositionError> {
        let (landing, tile) = (self.landing(square), self.tile(player, square));
        if landing.is_closed() {
            let tile_kind = self.tile_kind(square).name();
            return Err(PositionError::Kind { player, square, tile, tile_kind });
        }
        if let Some(first) = (landing.bars & side.squares()).first() {
            return Err(PositionError::Kinds { player, tile, first, second: square });
        }
        let held = landing.twins.with(square).iter().map(|square| side.count(square)).sum::<u8>();
        if held >= landing.room {
            return Err(PositionError::TooHigh { tile, found: held + 1, cap: landing.room });
        }
        Ok(())
    }

    fn check_meeting(&self, light: Side, dark: Side) -> Result<(), PositionError> {
        for square in light.squares().iter() {
            let landing = self.landing(square);
            let met = landing.meets & dark.squares();
            let Some(other) = met.first() else { continue };
            let tile = self.tile(Player::Light, square);
            if !self.tile_kind(square).mixes() {
                let (light, dark) = (square, other);
                return Err(match self.tile_kind(square) {
                    TileKind::Camp => PositionError::Camp { tile, light, dark },
                    _ => PositionError::Shared { tile, light, dark },
                });
            }
            let found = landing.held(square, light, dark);
            if found > landing.room {
                return Err(PositionError::TooHigh { tile, found, cap: landing.room });
            }
        }
        Ok(())
    }

    /// The order of the stacks, seen by who is about to roll.
    fn order(&self, setup: &Setup, light: Side, dark: Side) -> Result<Order, PositionError> {
        let mut order = Order::default();
        for pile in self.piles() {
            let squares = || self.landings().piles[usize::from(pile)].iter();
            let of = |player, side: Side| {
                squares().flat_map(move |square| {
                    std::iter::repeat_n((player, square), side.count(square).into())
                })
            };
            let held: Vec<_> = of(Player::Light, light).chain(of(Player::Dark, dark)).collect();
            let Some(first) = squares().next() else { continue };
            let tile = self.tile(Player::Light, first);
            for &(player, square) in ordered(setup, tile, &held)? {
                order = order.push(pile, self.landings().piece(square, player != setup.turn));
            }
        }
        let counts = |stack: &&Stack| !self.piles().any(|pile| self.is_pile(pile, stack.tile));
        match setup.stacks.iter().find(counts) {
            Some(stack) => Err(PositionError::NoOrder { tile: stack.tile }),
            None => Ok(order),
        }
    }

    fn is_pile(&self, pile: u8, tile: Tile) -> bool {
        let first = self.landings().piles[usize::from(pile)].first();
        first.is_some_and(|first| self.tile(Player::Light, first) == tile)
    }

    /// The tiles whose order counts, by their place in an [`Order`].
    pub(crate) fn piles(&self) -> impl Iterator<Item = u8> + use<> {
        0..u8::try_from(self.landings().piles.len()).unwrap_or(Order::MAX_TILES)
    }
}

/// The pieces of a tile in their order: as the setup lists them, or as they are where they do not differ.
fn ordered<'a>(
    setup: &'a Setup,
    tile: Tile,
    held: &'a [(Player, Square)],
) -> Result<&'a [(Player, Square)], PositionError> {
    let Some(stack) = setup.stacks.iter().find(|stack| stack.tile == tile) else {
        let differ = held.iter().any(|piece| *piece != held[0]);
        return if differ { Err(PositionError::OrderMissing { tile }) } else { Ok(held) };
    };
    let (mut listed, mut expected) = (stack.pieces.clone(), held.to_vec());
    listed.sort_unstable();
    expected.sort_unstable();
    if listed == expected {
        return Ok(&stack.pieces);
    }
    let list = |pieces: &[(Player, Square)]| Stack { tile, pieces: pieces.to_vec() }.to_string();
    Err(PositionError::Order { found: list(&stack.pieces), expected: list(&expected) })
}
