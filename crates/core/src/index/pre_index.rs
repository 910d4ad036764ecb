//! The pre index: all that can stand on the pre squares, the first squares of a path, which only its owner crosses.

use crate::position::order::Order;
use crate::{Position, Rules, Side, Square, Squares, Zones};

/// Every way to place pieces on the pre squares, those with fewer pieces first.
///
/// The places in this order are the *pre ranks*. The ways with at most `n` pieces are a prefix of it.
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let indexer = Indexer::new(&RuleSet::FINKEL.compile()?)?;
/// assert_eq!(indexer.pre_index().contents().len(), 16);
/// assert_eq!(indexer.pre_index().ways_at_most(1), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreIndex {
    pre: usize,
    squares: Squares,
    contents: Vec<[u8; Zones::MAX_PRE as usize]>,
    /// By number of pieces: the number of contents with at most that many.
    ways_at_most: Vec<u64>,
    /// By key: the pre rank of a content.
    ranks: Vec<u16>,
}

/// One more than the most pieces on a square.
const COUNTS: usize = Order::MAX_HEIGHT as usize + 1;

impl PreIndex {
    pub(crate) fn new(rules: &Rules, zones: Zones) -> Self {
        let pre = usize::from(zones.pre());
        let rooms: Vec<u8> =
            zones.pre_squares().iter().map(|it| rules.landing(it).height()).collect();
        let mut contents = vec![[0; Zones::MAX_PRE as usize]];
        for (at, &room) in rooms.iter().enumerate() {
            let with = |content: [u8; Zones::MAX_PRE as usize]| {
                (0..=room).map(move |count| {
                    let mut content = content;
                    content[at] = count;
                    content
                })
            };
            contents = contents.into_iter().flat_map(with).collect();
        }
        contents.retain(|content| content.iter().sum::<u8>() <= rules.pieces());
        contents.sort_by_key(|content| (content.iter().sum::<u8>(), key(*content)));
        let mut ranks = vec![u16::MAX; COUNTS.pow(u32::from(Zones::MAX_PRE))];
        for (rank, content) in (0..).zip(&contents) {
            ranks[key(*content)] = rank;
        }
        let at_most = |pieces| contents.iter().filter(|it| it.iter().sum::<u8>() <= pieces).count();
        let ways_at_most = (0..=rules.pieces()).map(|pieces| at_most(pieces) as u64).collect();
        Self { pre, squares: zones.pre_squares(), contents, ways_at_most, ranks }
    }

    /// Returns, by pre rank, the number of pieces on each pre square, the first square first.
    pub fn contents(&self) -> &[[u8; Zones::MAX_PRE as usize]] {
        &self.contents
    }

    /// Returns the number of ways to place at most `pieces` pieces.
    #[inline]
    pub fn ways_at_most(&self, pieces: u8) -> u64 {
        self.ways_at_most[usize::from(pieces)]
    }

    /// Returns the pre rank of these numbers of pieces on the pre squares; `None` if they cannot stand there.
    pub fn rank_of(&self, content: [u8; Zones::MAX_PRE as usize]) -> Option<usize> {
        let fits = content.iter().all(|&count| count <= Order::MAX_HEIGHT);
        let rank = fits.then(|| self.ranks[key(content)]).filter(|&rank| rank != u16::MAX);
        rank.map(usize::from)
    }

    /// Returns the pre rank of what a side has on the pre squares.
    pub fn rank_in(&self, side: Side) -> usize {
        self.ranks[key(self.content(side))].into()
    }

    #[inline]
    fn content(&self, side: Side) -> [u8; Zones::MAX_PRE as usize] {
        let mut content = [0; Zones::MAX_PRE as usize];
        for (count, number) in content.iter_mut().zip(1..).take(self.pre) {
            *count = side.count(Square::new_in_range(number));
        }
        content
    }

    /// Returns `position` with the content of this rank on the mover's pre squares, which must be empty in `position`.
    ///
    /// # Panics
    ///
    /// Panics if no content has this rank.
    #[must_use]
    pub fn laid(&self, position: Position, rank: usize) -> Position {
        let mine = self.lay(rank as u64, position.mine());
        Position::new(mine, position.theirs(), position.order())
    }

    /// Returns the side without its pieces on the pre squares.
    pub(crate) fn cleared(&self, side: Side) -> Side {
        let on_pre = side.pieces().take_while(|square| usize::from(square.number()) <= self.pre);
        on_pre.fold(side, Side::lift)
    }

    /// Returns the pre rank of a side.
    #[inline]
    pub(crate) fn rank(&self, side: Side) -> u64 {
        // Most sides have no piece there, and that content is the first.
        if side.squares().meets(self.squares) { self.rank_in(side) as u64 } else { 0 }
    }

    /// Lays the content with this rank on the pre squares of a side.
    pub(crate) fn lay(&self, rank: u64, side: Side) -> Side {
        let rank = usize::try_from(rank).expect("a pre rank");
        let squares = (1..).zip(self.contents[rank]);
        let pieces = squares.flat_map(|(number, count)| std::iter::repeat_n(number, count.into()));
        pieces.fold(side, |side, number| side.enter(Square::new_in_range(number)))
    }
}

/// Returns the number by which contents with equally many pieces are ordered; square 1 is its last digit.
fn key(content: [u8; Zones::MAX_PRE as usize]) -> usize {
    content.iter().rev().fold(0, |key, &count| key * COUNTS + usize::from(count))
}
