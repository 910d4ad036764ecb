//! Moves of pieces on the pre squares, which are the same for every block.

use puabi_core::{Afterstate, Indexer, Move, Rules, Zones};

use super::moving_rolls::MovingRolls;

/// Stands for no pre rank.
const NONE: u16 = u16::MAX;

/// A move from pre square to pre square.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreMove {
    /// The pre rank that it leads to.
    pub(crate) to: u16,
    /// The number of the roll, of those that move pieces.
    pub(crate) roll: u8,
    /// Whether the same player rolls again.
    pub(crate) again: bool,
}

/// A pre rank from which a piece can come, and the rank without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PreRanks {
    pub(crate) with: u16,
    pub(crate) without: u16,
}

/// What can stand on the pre squares of a game, and how pieces move there.
#[derive(Debug)]
pub(crate) struct PreMoves {
    /// By number of pieces: the number of pre ranks with at most that many.
    ways: Vec<usize>,
    /// By number of pieces: the pre ranks with at most that many, the most advanced first.
    pub(crate) orders: Vec<Vec<u16>>,
    /// By number of pieces, then origin (0 is the hand): the pre ranks with a piece there.
    left: Vec<Vec<Vec<PreRanks>>>,
    /// By number of pieces: all pre ranks, each paired with itself, since no piece leaves.
    stays: Vec<Vec<PreRanks>>,
    /// By number of pieces and pre rank: the moves on the pre squares.
    inner: Vec<Vec<Vec<PreMove>>>,
    pub(crate) rolls: MovingRolls,
}

impl PreMoves {
    pub(crate) fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let pieces = || 0..=rules.pieces();
        let ranks = |all| 0..indexer.pre_index().ways_at_most(all);
        let stay = |rank| PreRanks { with: number(rank), without: number(rank) };
        let rolls = MovingRolls::new(rules);
        let inner = |all| {
            ranks(all).map(|rank| inner((rules, &rolls), indexer, all, rank)).collect::<Vec<_>>()
        };
        let origins = |all| {
            (0..=usize::from(Zones::MAX_PRE))
                .map(move |origin| left(indexer, all, origin))
                .collect()
        };
        Self {
            ways: pieces()
                .map(|all| number(indexer.pre_index().ways_at_most(all)).into())
                .collect(),
            orders: pieces().map(|all| order(indexer, all)).collect(),
            left: pieces().map(origins).collect(),
            stays: pieces().map(|all| ranks(all).map(stay).collect()).collect(),
            inner: pieces().map(inner).collect(),
            rolls,
        }
    }

    /// Returns the number of ways to place at most `all` pieces on the pre squares.
    #[inline]
    pub(crate) fn ways_at_most(&self, all: u8) -> usize {
        self.ways[usize::from(all)]
    }

    /// Returns the number of boards of a block, given light's and dark's pieces on pre squares and in hand.
    #[inline]
    pub(crate) fn boards(&self, [light, dark]: [u8; 2]) -> usize {
        self.ways_at_most(light) * self.ways_at_most(dark)
    }

    /// Returns the pre ranks of at most `all` pieces with a piece on `origin`, or all of them without an origin.
    #[inline]
    pub(crate) fn left(&self, all: u8, origin: Option<usize>) -> &[PreRanks] {
        origin.map_or(&self.stays[usize::from(all)], |origin| &self.left[usize::from(all)][origin])
    }

    /// Returns the moves of at most `all` pieces on the pre squares from a pre rank.
    #[inline]
    pub(crate) fn inner(&self, all: u8, rank: usize) -> &[PreMove] {
        &self.inner[usize::from(all)][rank]
    }
}

fn number(rank: u64) -> u16 {
    u16::try_from(rank).unwrap_or(NONE)
}

/// Returns the moves of at most `all` pieces that stay on the pre squares, by these rolls.
fn inner(
    (rules, rolls): (&Rules, &MovingRolls),
    indexer: &Indexer,
    all: u8,
    rank: u64,
) -> Vec<PreMove> {
    let rank = usize::from(number(rank));
    let position = indexer.pre_index().laid(rules.start(), rank);
    let has_hand = indexer.pre_index().contents()[rank].iter().sum::<u8>() < all;
    let mut found = Vec::new();
    for (roll, steps) in (0..).zip(rolls.iter()) {
        let decision = rules.decision(position, steps);
        let moves =
            decision.afterstates().filter(|(action, _)| has_hand || action.from().is_some());
        let inner = moves.filter_map(|it| inner_move(indexer, it));
        found.extend(inner.map(|(to, again)| PreMove { to, roll, again }));
    }
    found
}

/// Returns the pre rank that a move leads to, and whether the same player rolls again, if the move stays on the pre squares.
fn inner_move(indexer: &Indexer, (action, after): (Move, Afterstate)) -> Option<(u16, bool)> {
    action.to().filter(|to| to.number() <= indexer.zones().pre())?;
    let again = after.rolls_again();
    let board = after.position()?;
    let mine = if again { board.mine() } else { board.theirs() };
    Some((u16::try_from(indexer.pre_index().rank_in(mine)).unwrap_or(NONE), again))
}

/// Returns the pre ranks with at most `all` pieces, those that have travelled further first.
fn order(indexer: &Indexer, all: u8) -> Vec<u16> {
    let contents = indexer.pre_index().contents();
    let travelled = |rank: &u16| -> u32 {
        let counts = contents[usize::from(*rank)].iter();
        counts.zip(1..).map(|(&count, number)| u32::from(count) * number).sum()
    };
    let mut order: Vec<u16> = (0..number(indexer.pre_index().ways_at_most(all))).collect();
    order.sort_by_key(|rank| std::cmp::Reverse(travelled(rank)));
    order
}

/// Returns the pre ranks of at most `all` pieces with a piece on `origin`, and what is left without this piece.
fn left(indexer: &Indexer, all: u8, origin: usize) -> Vec<PreRanks> {
    let pre_index = indexer.pre_index();
    let without = |with: u16| {
        let mut content = pre_index.contents()[usize::from(with)];
        match origin.checked_sub(1) {
            None if content.iter().sum::<u8>() >= all => return None,
            None => {}
            Some(at) => content[at] = content[at].checked_sub(1)?,
        }
        let without = u16::try_from(pre_index.rank_of(content)?).ok()?;
        Some(PreRanks { with, without })
    };
    (0..number(pre_index.ways_at_most(all))).filter_map(without).collect()
}
