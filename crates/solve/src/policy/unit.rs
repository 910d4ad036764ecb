//! Units: the boards on which neither side's state changes, in the order in which they are swept.

use std::cmp::Reverse;
use std::ops::Range;

use puabi_core::{Indexer, Position, Side};

use crate::memory::prefetch::prefetch;

/// The boards with one side state of light and one of dark. A *board* is a position seen by light, whoever is about to
/// roll; its *slot* is its place in the order of sweeping.
///
/// Boards on which dark has travelled further come first; they form a *level*. A move of light that captures nothing
/// leaves dark's side as it is, and so the *slab* of boards with that side; any other move leads to another level.
/// So slabs of one level do not lead to each other, and only light's captures lead to a later level.
#[derive(Debug)]
pub(crate) struct Unit {
    /// Light's side state.
    pub(crate) mine: usize,
    /// Dark's side state.
    pub(crate) theirs: usize,
    /// By slot.
    pub(crate) boards: Vec<Board>,
    /// By offset: the slot.
    slots: Vec<u32>,
    /// Ranges of slots, none longer than a slab where that is longer than [`STRIP`].
    pub(crate) strips: Vec<Range<usize>>,
    /// Ranges of strips.
    pub(crate) levels: Vec<Range<usize>>,
}

/// One board of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Board {
    their_progress: Reverse<u16>,
    theirs: Side,
    my_progress: Reverse<u16>,
    /// The place among the positions of the unit.
    pub(crate) offset: u32,
    /// The board seen by light.
    pub(crate) position: Position,
}

/// Boards that make a strip worth a task of its own.
const STRIP: usize = 2048;

impl Unit {
    pub(crate) fn new(indexer: &Indexer, (mine, theirs): (usize, usize)) -> Self {
        let first = indexer.first_of(mine, theirs);
        let count = u32::try_from(indexer.sublayer(mine, theirs).0.half);
        let count = count.expect("the lists of 2^32 boards fit no memory");
        let position = |offset| indexer.position(first + u64::from(offset));
        let mut boards: Vec<_> = (0..count)
            .map(|offset| Board::new(offset, position(offset).expect("an index below the length")))
            .collect();
        boards.sort_unstable();
        let mut slots = vec![0; boards.len()];
        for (slot, board) in (0..).zip(&boards) {
            slots[board.offset as usize] = slot;
        }
        let strips = strips(&boards);
        let levels = levels(&boards, &strips);
        Self { mine, theirs, boards, slots, strips, levels }
    }

    /// Returns the slot of the board with this place among the positions of the unit.
    pub(crate) fn slot(&self, offset: usize) -> usize {
        self.slots[offset] as usize
    }

    /// Asks for a slot that is read soon; a hint that does nothing else.
    pub(crate) fn prefetch(&self, offset: usize) {
        prefetch(&raw const self.slots[offset]);
    }
}

impl Board {
    fn new(offset: u32, position: Position) -> Self {
        Self {
            their_progress: Reverse(progress(position.theirs())),
            theirs: position.theirs(),
            my_progress: Reverse(progress(position.mine())),
            offset,
            position,
        }
    }
}

/// The squares that a side's pieces on the board have travelled.
fn progress(side: Side) -> u16 {
    let travelled = |square| u16::from(side.count(square)) * u16::from(square.number());
    side.squares().iter().map(travelled).sum()
}

fn strips(boards: &[Board]) -> Vec<Range<usize>> {
    let mut strips: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for slab in boards.chunk_by(|board, next| board.theirs == next.theirs) {
        let slots = start..start + slab.len();
        start = slots.end;
        match strips.last_mut() {
            Some(last)
                if last.len() < STRIP
                    && boards[last.start].their_progress == slab[0].their_progress =>
            {
                last.end = slots.end;
            }
            _ => strips.push(slots),
        }
    }
    strips
}

fn levels(boards: &[Board], strips: &[Range<usize>]) -> Vec<Range<usize>> {
    let level = |strip: &Range<usize>| boards[strip.start].their_progress;
    let mut start = 0;
    let mut levels = Vec::new();
    for strips in strips.chunk_by(|strip, next| level(strip) == level(next)) {
        levels.push(start..start + strips.len());
        start += strips.len();
    }
    levels
}
