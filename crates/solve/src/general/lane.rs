//! Moves of pieces on the pre squares, which are the same for every block.

use puabi_core::{Afterstate, Indexer, Move, Rules, Zones};

/// No content.
pub(super) const NONE: u16 = u16::MAX;

/// A move within the pre lane: the pre rank that it leads to, and whether the same player rolls again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inner {
    pub(super) to: u16,
    pub(super) again: bool,
}

/// The pre lane of a game.
#[derive(Debug)]
pub(super) struct Lane {
    /// By pre rank: its pieces.
    pub(super) pieces: Vec<u8>,
    /// By number of pieces: the pre ranks with at most so many, the most advanced first.
    pub(super) orders: Vec<Vec<u16>>,
    /// By origin (0 is the hand) and pre rank: the pre rank without a piece from there.
    left: Vec<Vec<u16>>,
    /// By roll and pre rank: moves of pieces on pre squares.
    moves: Vec<Vec<Vec<Inner>>>,
    /// By roll and pre rank: entering a piece.
    entering: Vec<Vec<Option<Inner>>>,
    /// The chance and steps of each roll.
    pub(super) rolls: Vec<(f64, u8)>,
}

impl Lane {
    pub(super) fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let contents = indexer.lane().contents();
        let pieces: Vec<u8> = contents.iter().map(|content| content.iter().sum()).collect();
        let mut lane = Self {
            orders: orders(indexer, rules.pieces()),
            left: (0..=Zones::MAX_PRE.into()).map(|origin| left(indexer, origin)).collect(),
            pieces,
            moves: Vec::new(),
            entering: Vec::new(),
            rolls: rules.rolls().iter().map(|&(roll, chance)| (chance, roll.steps())).collect(),
        };
        for &(roll, _) in rules.rolls() {
            let (mut moves, mut entering) = (Vec::new(), Vec::new());
            for rank in 0..contents.len() {
                let position = indexer.lane().laid(rules.start(), rank);
                let decision = rules.decision(position, roll);
                let inner = decision.afterstates().filter_map(|it| inner_move(indexer, it));
                let inner: Vec<_> = inner.collect();
                entering.push(inner.iter().find(|(enters, _)| *enters).map(|&(_, inner)| inner));
                moves.push(inner.into_iter().filter(|it| !it.0).map(|it| it.1).collect());
            }
            lane.moves.push(moves);
            lane.entering.push(entering);
        }
        lane
    }

    /// The pre rank of `rank` without a piece from `origin`, where one of `all` pieces stands there (0 is the hand).
    #[inline]
    pub(super) fn without(&self, origin: u8, rank: usize, all: u8) -> u16 {
        match origin {
            0 if self.pieces[rank] >= all => NONE,
            _ => self.left[usize::from(origin)][rank],
        }
    }

    /// The moves within the lane with roll number `roll`, of at most `all` pieces.
    #[inline]
    pub(super) fn inner(&self, roll: usize, rank: usize, all: u8) -> impl Iterator<Item = Inner> {
        let entering = self.entering[roll][rank].filter(|_| self.pieces[rank] < all);
        entering.into_iter().chain(self.moves[roll][rank].iter().copied())
    }
}

/// A move that stays on the pre squares, and whether it enters a piece.
fn inner_move(indexer: &Indexer, (action, after): (Move, Afterstate)) -> Option<(bool, Inner)> {
    let to = action.to().filter(|to| to.number() <= indexer.zones().pre())?;
    let again = after.rolls_again();
    let board = after.position()?;
    let mine = if again { board.mine() } else { board.theirs() };
    debug_assert!(mine.squares().contains(to));
    let rank = indexer.lane().rank_in(mine);
    let to = u16::try_from(rank).unwrap_or(NONE);
    Some((matches!(action, Move::Enter { .. }), Inner { to, again }))
}

/// By number of pieces: the pre ranks with at most so many, those that have travelled further first.
fn orders(indexer: &Indexer, pieces: u8) -> Vec<Vec<u16>> {
    let contents = indexer.lane().contents();
    let travelled = |rank: &u16| -> u32 {
        let counts = contents[usize::from(*rank)].iter();
        counts.zip(1..).map(|(&count, number)| u32::from(count) * number).sum()
    };
    let order = |pieces| {
        let rows = u16::try_from(indexer.lane().rows(pieces)).unwrap_or(NONE);
        let mut order: Vec<u16> = (0..rows).collect();
        order.sort_by_key(|rank| std::cmp::Reverse(travelled(rank)));
        order
    };
    (0..=pieces).map(order).collect()
}

/// By pre rank: the pre rank without a piece on pre square `origin`; the same rank for the hand.
fn left(indexer: &Indexer, origin: usize) -> Vec<u16> {
    let lane = indexer.lane();
    let without = |(rank, content): (usize, &[u8; Zones::MAX_PRE as usize])| {
        let Some(at) = origin.checked_sub(1) else { return u16::try_from(rank).ok() };
        let mut content = *content;
        content[at] = content[at].checked_sub(1)?;
        lane.rank_of(content).and_then(|rank| u16::try_from(rank).ok())
    };
    lane.contents().iter().enumerate().map(|it| without(it).unwrap_or(NONE)).collect()
}
