//! Contents: what can stand on one tile, counted for the index.

use crate::position::order::{Order, StackedPiece};
use crate::rules::landing::Landing;
use crate::{Player, Rules, Side, Square, Squares, Tile, TileKind};

/// What stands on a tile: pieces of the senior side and of the junior, by visit of their path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Content {
    /// The number of all pieces; contents are ordered by it first.
    total: u8,
    /// Pieces on the senior's first and second visit and on the junior's.
    counts: [u8; 4],
    /// The code of the tile's stack in an [`Order`], if the order of its pieces counts.
    code: u64,
}

impl Content {
    pub(crate) const fn senior(&self) -> u8 {
        self.counts[0] + self.counts[1]
    }

    pub(crate) const fn junior(&self) -> u8 {
        self.counts[2] + self.counts[3]
    }
}

/// A tile that shared squares lie on, with all that can stand on it.
#[derive(Debug, Clone)]
pub(crate) struct SharedTile {
    /// The senior's squares of the tile and the junior's, by visit.
    squares: [[Option<Square>; 2]; 2],
    /// The index of the tile in an [`Order`], if its order counts.
    ordered_tile: Option<u8>,
    /// All that can stand there, ordered by the number of pieces. If there is room for one piece: nothing, the senior's, the
    /// junior's.
    contents: Vec<Content>,
    /// By key: the index of a content in `contents`.
    digits: Vec<u16>,
}

/// One more than the most pieces on a visit.
const COUNTS: usize = Order::MAX_HEIGHT as usize + 1;

impl SharedTile {
    /// Returns `tile` under these rules.
    pub(crate) fn new(rules: &Rules, tile: Tile) -> Self {
        let visits = |player| rules.board().squares_on(tile, player);
        // It does not matter which player is the senior: both paths are alike.
        let (senior, junior) = (visits(Player::Light), visits(Player::Dark));
        let landing = (senior | junior).first().map(|square| rules.landing(square));
        let ordered_tile =
            landing.map(|landing| landing.ordered_tile).filter(|&it| it != Landing::UNORDERED);
        let squares = [senior, junior].map(|squares| [squares.first(), squares.iter().nth(1)]);
        let mut contents =
            ContentSearch { rules, tile, squares, is_ordered: ordered_tile.is_some() }.contents();
        contents.sort_unstable();
        // The senior's pieces come before the junior's.
        contents
            .sort_by_key(|content| (content.total, content.counts.map(|count| u8::MAX - count)));
        let mut tile = Self { squares, ordered_tile, contents, digits: Vec::new() };
        let size = if ordered_tile.is_some() { Order::CODES } else { COUNTS.pow(4) };
        tile.digits = vec![u16::MAX; size];
        for (digit, content) in (0..).zip(&tile.contents) {
            let key = tile.key_of(content);
            tile.digits[key] = digit;
        }
        tile
    }

    /// Returns what can stand on the tile, by digit.
    pub(crate) fn contents(&self) -> &[Content] {
        &self.contents
    }

    /// Returns the digit of one piece of a side on `square`.
    pub(crate) fn digit_of_one(&self, square: Square, is_junior: bool) -> Option<u16> {
        let visit =
            self.squares[usize::from(is_junior)].iter().position(|&it| it == Some(square))?;
        let mut counts = [0; 4];
        counts[2 * usize::from(is_junior) + visit] = 1;
        (0..)
            .zip(&self.contents)
            .find(|(_, content)| content.counts == counts)
            .map(|(digit, _)| digit)
    }

    /// Returns the digit of what stands there.
    #[inline]
    pub(crate) fn digit(&self, senior: Side, junior: Side, order: Order) -> u16 {
        if let Some(tile) = self.ordered_tile {
            return self.digits[order.code(tile)];
        }
        let count =
            |side: Side, square: Option<Square>| square.map_or(0, |square| side.count(square));
        let [[a, b], [c, d]] = self.squares;
        self.digits[key([count(senior, a), count(senior, b), count(junior, c), count(junior, d)])]
    }

    fn key_of(&self, content: &Content) -> usize {
        match self.ordered_tile {
            Some(tile) => Order::default().with_code(tile, content.code).code(tile),
            None => key(content.counts),
        }
    }

    /// Lays the content with this digit on the tile.
    pub(crate) fn lay(&self, digit: usize, sides: &mut [Side; 2], order: Order) -> Order {
        let content = &self.contents[digit];
        // One piece at a time: most contents have only one.
        let mut counts = u32::from_le_bytes(content.counts);
        while counts != 0 {
            let bit = counts.trailing_zeros() & !7;
            let visit = (bit / u8::BITS) as usize;
            counts -= 1 << bit;
            if let Some(square) = self.squares[visit / 2][visit % 2] {
                sides[visit / 2] = sides[visit / 2].enter(square);
            }
        }
        self.ordered_tile.map_or(order, |tile| order.with_code(tile, content.code))
    }
}

const fn key(counts: [u8; 4]) -> usize {
    let [a, b, c, d] = counts;
    ((a as usize * COUNTS + b as usize) * COUNTS + c as usize) * COUNTS + d as usize
}

/// The search for all that can stand on a tile.
struct ContentSearch<'r> {
    rules: &'r Rules,
    tile: Tile,
    squares: [[Option<Square>; 2]; 2],
    is_ordered: bool,
}

impl ContentSearch<'_> {
    fn contents(&self) -> Vec<Content> {
        let mut contents = vec![Content { total: 0, counts: [0; 4], code: 0 }];
        let mut at = 0;
        while at < contents.len() {
            let grown = self.grown(contents[at]);
            contents
                .extend(grown.filter(|content| !contents.contains(content)).collect::<Vec<_>>());
            at += 1;
        }
        contents
    }

    /// Returns all contents with one more piece on top.
    fn grown(&self, content: Content) -> impl Iterator<Item = Content> {
        (0..4).filter(move |&visit| self.has_room(content, visit)).map(move |visit| {
            let mut counts = content.counts;
            counts[visit] += 1;
            let piece = StackedPiece { is_theirs: visit >= 2, is_second: visit % 2 == 1 };
            let pushed = Order::default().with_code(0, content.code).push(0, piece);
            let code = if self.is_ordered { pushed.code(0) as u64 } else { 0 };
            Content { total: content.total + 1, counts, code }
        })
    }

    /// Returns whether a piece on this visit may join what stands there.
    fn has_room(&self, content: Content, visit: usize) -> bool {
        let Some(square) = self.squares[visit / 2][visit % 2] else { return false };
        let landing = self.rules.landing(square);
        if !landing.stacks() {
            return content.total == 0;
        }
        let kind = self.rules.board().tile_kind(self.tile).unwrap_or(TileKind::Plain);
        let others = if visit >= 2 { content.senior() } else { content.junior() };
        let barred = |other: usize| {
            let square = self.squares[other / 2][other % 2];
            content.counts[other] > 0 && square.is_some_and(|it| landing.own_blockers.contains(it))
        };
        let is_barred = barred(2 * (visit / 2)) || barred(2 * (visit / 2) + 1);
        content.total < landing.room && !is_barred && (kind.mixes() || others == 0)
    }
}

/// Returns the tiles of these squares in the order of the senior's path, then those that only the junior visits.
pub(crate) fn shared_tiles(rules: &Rules, squares: Squares) -> Vec<SharedTile> {
    let mut tiles = Vec::new();
    for player in Player::BOTH {
        for tile in squares.iter().map(|square| rules.tile(player, square)) {
            if !tiles.contains(&tile) {
                tiles.push(tile);
            }
        }
    }
    tiles.into_iter().map(|tile| SharedTile::new(rules, tile)).collect()
}
