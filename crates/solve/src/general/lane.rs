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
    /// Moves within the lane, and by number of pieces, roll and pre rank where they begin; one more entry at the end.
    inner: Vec<Inner>,
    starts: Vec<u32>,
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
            inner: Vec::new(),
            starts: Vec::new(),
            rolls: rules.rolls().iter().map(|&(roll, chance)| (chance, roll.steps())).collect(),
        };
        for all in 0..=rules.pieces() {
            for &(roll, _) in rules.rolls() {
                for rank in 0..contents.len() {
                    lane.starts.push(count(lane.inner.len()));
                    let position = indexer.lane().laid(rules.start(), rank);
                    let has_hand = lane.pieces[rank] < all;
                    for it in rules.decision(position, roll).afterstates() {
                        let enters = it.0.from().is_none();
                        let inner = inner_move(indexer, it).filter(|_| has_hand || !enters);
                        lane.inner.extend(inner);
                    }
                }
            }
        }
        lane.starts.push(count(lane.inner.len()));
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
    pub(super) fn inner(&self, roll: usize, rank: usize, all: u8) -> &[Inner] {
        let at = (usize::from(all) * self.rolls.len() + roll) * self.pieces.len() + rank;
        &self.inner[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("a lane has few moves")
}

/// A move that stays on the pre squares.
fn inner_move(indexer: &Indexer, (action, after): (Move, Afterstate)) -> Option<Inner> {
    action.to().filter(|to| to.number() <= indexer.zones().pre())?;
    let again = after.rolls_again();
    let board = after.position()?;
    let mine = if again { board.mine() } else { board.theirs() };
    let rank = indexer.lane().rank_in(mine);
    let to = u16::try_from(rank).unwrap_or(NONE);
    Some(Inner { to, again })
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
