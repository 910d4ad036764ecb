//! What landing on a square means, worked out once for each square.

use crate::position::order::{Order, StackedPiece};
use crate::{
    Board, Player, RuleError, RuleSet, Side, Square, Squares, StackOrder, Tile, TileKind, Turning,
};

/// What landing on a square of the owner's path means, as sets of squares of both paths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Landing {
    /// The opponent's squares on the same tile.
    pub(crate) theirs_on_same_tile: Squares,
    /// The owner's other squares on the same tile.
    pub(crate) own_on_same_tile: Squares,
    /// The opponent's squares whose pieces are captured.
    pub(crate) captures: Squares,
    /// The opponent's squares on which a landing piece captures a piece that stands here.
    pub(crate) captors: Squares,
    /// The opponent's squares that make landing illegal while they are held.
    pub(crate) blockers: Squares,
    /// The owner's squares that make landing illegal while they are held.
    pub(crate) own_blockers: Squares,
    /// The most pieces of the tile; [`Landing::UNSTACKED`] if `blockers` and `own_blockers` alone decide.
    pub(crate) room: u8,
    /// The index of the tile in an [`Order`]; [`Landing::UNORDERED`] if no order counts.
    pub(crate) ordered_tile: u8,
}

impl Landing {
    pub(crate) const UNSTACKED: u8 = u8::MAX;
    pub(crate) const UNORDERED: u8 = u8::MAX;

    const NOWHERE: Self = Self {
        theirs_on_same_tile: Squares::EMPTY,
        own_on_same_tile: Squares::EMPTY,
        captures: Squares::EMPTY,
        captors: Squares::EMPTY,
        blockers: Squares::EMPTY,
        own_blockers: Squares::EMPTY,
        room: Self::UNSTACKED,
        ordered_tile: Self::UNORDERED,
    };

    /// Returns the most pieces that the tile can hold.
    pub(crate) const fn height(&self) -> u8 {
        if self.stacks() { self.room } else { 1 }
    }

    /// Returns whether pieces on the tile can lie on each other.
    pub(crate) const fn stacks(&self) -> bool {
        self.room != Self::UNSTACKED
    }

    /// Counts the pieces on the tile of the owner's `square`.
    pub(crate) fn pieces_on_tile(&self, square: Square, owner: Side, other: Side) -> u8 {
        let own = self.own_on_same_tile.with(square).iter().map(|square| owner.count(square));
        own.chain(self.theirs_on_same_tile.iter().map(|square| other.count(square))).sum()
    }

    /// Returns whether no piece may ever land here.
    pub(crate) const fn is_closed(&self) -> bool {
        self.room == 0
    }
}

/// The landings of a path, and the tiles on which the order of pieces counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Landings {
    pub(crate) squares: [Landing; 32],
    /// The squares of each tile whose order counts, the same for both players, by their index in an [`Order`].
    pub(crate) ordered_tiles: Vec<Squares>,
}

impl Landings {
    /// Works out what the squares of `board` mean.
    pub(crate) fn new(rule_set: &RuleSet, board: &Board) -> Result<Self, RuleError> {
        let mut landings = Self { squares: [Landing::NOWHERE; 32], ordered_tiles: Vec::new() };
        let first_veteran = rule_set.turning.map_or(u8::MAX, Turning::first_veteran);
        let veterans = Squares::range(first_veteran, Square::MAX);
        for (square, &tile) in Squares::range(1, board.length()).iter().zip(board.light()) {
            let visits = Visits {
                rule_set,
                square,
                kind: board.tile_kind(tile).unwrap_or(TileKind::Plain),
                theirs: board.squares_on(tile, Player::Dark),
                own: board.squares_on(tile, Player::Light),
                veterans,
            };
            landings.squares[square.index()] = visits.landing();
            if visits.has_order() {
                landings.squares[square.index()].ordered_tile =
                    landings.ordered_tile(tile, &visits)?;
            }
        }
        landings.find_captors(board.length());
        Ok(landings)
    }

    /// Returns the index of a tile whose order counts, and adds the tile if it is new.
    fn ordered_tile(&mut self, tile: Tile, visits: &Visits<'_>) -> Result<u8, RuleError> {
        if visits.theirs != visits.own {
            return Err(RuleError::SkewStack { tile });
        }
        let at = self.ordered_tiles.iter().position(|&squares| squares == visits.own);
        let at = at.unwrap_or_else(|| {
            self.ordered_tiles.push(visits.own);
            self.ordered_tiles.len() - 1
        });
        let ordered_tile = u8::try_from(at).ok().filter(|&at| at < Order::MAX_TILES);
        ordered_tile.ok_or(RuleError::ManyStacks { tile })
    }

    fn find_captors(&mut self, length: u8) {
        for to in Squares::range(1, length).iter() {
            for captured in self.squares[to.index()].captures.iter() {
                let captors = &mut self.squares[captured.index()].captors;
                *captors = captors.with(to);
            }
        }
    }

    /// Returns the piece on `square`, a square of a tile whose order counts, as a stack holds it.
    pub(crate) fn piece(&self, square: Square, is_theirs: bool) -> StackedPiece {
        let ordered_tile = self.squares[square.index()].ordered_tile;
        let first = self.ordered_tiles[usize::from(ordered_tile)].first();
        StackedPiece { is_theirs, is_second: first != Some(square) }
    }

    /// Returns the square, on the path of its owner, of a piece on the tile with index `ordered_tile`.
    pub(crate) fn square(&self, ordered_tile: u8, piece: StackedPiece) -> Option<Square> {
        self.ordered_tiles[usize::from(ordered_tile)].iter().nth(usize::from(piece.is_second))
    }
}

/// A square, with the squares that share its tile.
struct Visits<'a> {
    rule_set: &'a RuleSet,
    square: Square,
    kind: TileKind,
    theirs: Squares,
    /// The owner's squares on the tile, this one among them.
    own: Squares,
    veterans: Squares,
}

impl Visits<'_> {
    fn landing(&self) -> Landing {
        let landing = Landing {
            theirs_on_same_tile: self.theirs,
            own_on_same_tile: self.own.without(self.square),
            ..Landing::NOWHERE
        };
        if !self.kind.stacks() {
            let captures = self.captures();
            return Landing {
                captures,
                blockers: self.theirs & !captures,
                own_blockers: self.own,
                ..landing
            };
        }
        let admits = self.kind.admits(self.veterans.contains(self.square));
        let room = if admits { self.rule_set.stacks.cap } else { 0 };
        if self.kind.mixes() {
            return Landing { room, ..landing };
        }
        let one_kind = self.rule_set.stacks.camps_of_one_kind;
        let own_blockers = if one_kind { self.own & !self.alike() } else { Squares::EMPTY };
        Landing { room, blockers: self.theirs, own_blockers, ..landing }
    }

    /// Returns the squares on which pieces are of the same kind, novices or veterans, as on this square.
    fn alike(&self) -> Squares {
        if self.veterans.contains(self.square) { self.veterans } else { !self.veterans }
    }

    fn captures(&self) -> Squares {
        let RuleSet { safe_rosettes, like_captures_like, last_protects_novices, .. } =
            *self.rule_set;
        let alike = if like_captures_like { self.theirs & self.alike() } else { self.theirs };
        match self.kind {
            TileKind::Rosette if safe_rosettes => Squares::EMPTY,
            TileKind::Last if last_protects_novices => Squares::EMPTY,
            TileKind::Last => alike & !self.veterans,
            _ => alike,
        }
    }

    /// Returns whether the order of the pieces on the tile counts: the rules keep it, and pieces of several sorts may lie on
    /// each other.
    fn has_order(&self) -> bool {
        let stacks = self.rule_set.stacks;
        let is_kept = match stacks.order {
            StackOrder::Lifo => self.kind.stacks(),
            StackOrder::FreeInCamps => self.kind.mixes(),
            StackOrder::Free => false,
        };
        let sorts = self.own.len() + if self.kind.mixes() { self.theirs.len() } else { 0 };
        is_kept && stacks.cap > 1 && sorts > 1
    }
}
