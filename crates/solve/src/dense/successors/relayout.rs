//! Blocks copied into the layout of another, value by value.
//!
//! A move that captures or enters leads to a block with other numbers of pieces left to place, and so perhaps of another
//! [`BlockShape`]. There are few such cases. For each, a list of which value goes where is made once a game.
#![expect(
    clippy::cast_possible_truncation,
    reason = "there are a few hundred relayouts, and at most 256 values of a block"
)]

use crate::dense::layout::block::{BlockShape, Ranks};

/// The side whose piece has entered, as a side of the block that is backed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entering {
    Neither,
    Slots,
    Rows,
}

/// The side whose shared piece has been sent back to hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Captured {
    Neither,
    Senior,
    Junior,
}

const ENTERING: [Entering; 3] = [Entering::Neither, Entering::Slots, Entering::Rows];
const CAPTURED: [Captured; 3] = [Captured::Neither, Captured::Senior, Captured::Junior];

/// From this many pieces left to place on, one more makes no difference: pre squares hold four.
const ENOUGH: u8 = 5;
const LEFTS: usize = ENOUGH as usize + 1;

/// Which value goes where from one layout to another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relayout {
    /// How many values of the copy are set to the sentinel first.
    pub(crate) blank: usize,
    /// For each value, its place in the block and its place in the copy.
    pub(crate) places: Vec<(u8, u8)>,
    /// A place in each cache line of the block that is read, if values take eight bytes.
    pub(crate) lines: Vec<u8>,
}

/// The relayouts of a game, and the mirror images of its blocks.
#[derive(Debug)]
pub(crate) struct Relayouts {
    relayouts: Vec<Relayout>,
    /// By the senior's and the junior's pieces left: for each value, its place in a block, and in the block with the sides
    /// exchanged.
    mirrors: Vec<Vec<(u8, u8)>>,
}

impl Relayouts {
    pub(crate) fn new(ranks: &Ranks) -> Self {
        let (mut relayouts, mut mirrors) = (Vec::new(), Vec::new());
        for senior in 0..=ENOUGH {
            for junior in 0..=ENOUGH {
                let own = BlockShape::new(senior, junior);
                // In the order of `number`.
                for entering in ENTERING {
                    for captured in CAPTURED {
                        let relayout = Relayout::new(ranks, own, entering, captured);
                        relayouts.push(relayout.unwrap_or_default());
                    }
                }
                let image = BlockShape::new(junior, senior);
                let mirror = own.masks(ranks).map(|[senior, junior]| {
                    let place = own.place(ranks, senior, junior);
                    (place as u8, image.place(ranks, junior, senior) as u8)
                });
                mirrors.push(mirror.collect());
            }
        }
        Self { relayouts, mirrors }
    }

    fn lefts(own: BlockShape) -> usize {
        let [senior, junior] = own.by_side(own.slot_left, own.row_left);
        usize::from(senior.min(ENOUGH)) * LEFTS + usize::from(junior.min(ENOUGH))
    }

    /// Returns the number of a relayout into the layout `own`.
    pub(crate) fn number(own: BlockShape, entering: Entering, captured: Captured) -> u32 {
        Self::lefts(own) as u32 * 9 + entering as u32 * 3 + captured as u32
    }

    #[inline]
    pub(crate) fn numbered(&self, number: u32) -> &Relayout {
        &self.relayouts[number as usize]
    }

    /// Returns for each value of a block its place, and its place in the block with the sides exchanged.
    pub(crate) fn mirror(&self, own: BlockShape) -> &[(u8, u8)] {
        &self.mirrors[Self::lefts(own)]
    }
}

impl Relayout {
    /// Returns the relayout into `own` of the block that a move leads to; `None` if there is no such move.
    fn new(ranks: &Ranks, own: BlockShape, entering: Entering, captured: Captured) -> Option<Self> {
        let (mut slot_left, mut row_left) = (own.slot_left, own.row_left);
        match entering {
            Entering::Neither => {}
            Entering::Slots => slot_left = slot_left.checked_sub(1)?,
            Entering::Rows => row_left = row_left.checked_sub(1)?,
        }
        let [mut senior, mut junior] = own.by_side(slot_left, row_left);
        match captured {
            Captured::Neither => {}
            Captured::Senior => senior += 1,
            Captured::Junior => junior += 1,
        }
        let from = BlockShape::new(senior, junior);
        let places = own.masks_of(ranks, slot_left, row_left).map(|[senior, junior]| {
            (from.place(ranks, senior, junior) as u8, own.place(ranks, senior, junior) as u8)
        });
        let places: Vec<(u8, u8)> = places.collect();
        let mut lines: Vec<u8> = places.iter().map(|&(from, _)| from & !7).collect();
        lines.sort_unstable();
        lines.dedup();
        let blank = if entering == Entering::Slots { own.len(ranks) } else { 0 };
        Some(Self { blank, places, lines })
    }
}
