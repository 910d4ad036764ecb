//! Recasts: blocks brought into the layout of another, value by value.
//!
//! A move that captures or enters leads to a block with other numbers of pieces left to place, and so perhaps of another
//! [`Shape`]. There are few kinds of that, and for each a list of what goes where is made once a game.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]

use crate::dense::layout::block::{Ranks, Shape};

/// Which side of the block that is backed up has had a piece enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entering {
    Nobody,
    Lanes,
    Rows,
}

/// Which side has had a shared piece sent back to its hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    Nobody,
    Light,
    Dark,
}

const ENTERING: [Entering; 3] = [Entering::Nobody, Entering::Lanes, Entering::Rows];
const CAPTURES: [Capture; 3] = [Capture::Nobody, Capture::Light, Capture::Dark];

/// From so many pieces left to place on, one more makes no difference: pre squares hold four.
const ENOUGH: u8 = 5;
const LEFTS: usize = ENOUGH as usize + 1;

/// What goes where from one layout to another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recast {
    /// How many values of the copy are set to what is never chosen before.
    pub(crate) blank: usize,
    /// Place in the block and place in the copy.
    pub(crate) places: Vec<(u8, u8)>,
    /// A place in each cache line of the block that is read, where values take eight bytes.
    pub(crate) lines: Vec<u8>,
}

/// The recasts of a game, and the mirror images of its blocks.
#[derive(Debug)]
pub(crate) struct Recasts {
    recasts: Vec<Recast>,
    /// By light's and dark's pieces left: place in a block, and place in that with the sides exchanged.
    mirrors: Vec<Vec<(u8, u8)>>,
}

impl Recasts {
    pub(crate) fn new(ranks: &Ranks) -> Self {
        let lefts = || (0..=ENOUGH).flat_map(|light| (0..=ENOUGH).map(move |dark| (light, dark)));
        let mut recasts = vec![Recast::default(); LEFTS * LEFTS * 9];
        for (light, dark) in lefts() {
            let own = Shape::new(light, dark);
            for (entering, capture) in ENTERING
                .into_iter()
                .flat_map(|entering| CAPTURES.map(|capture| (entering, capture)))
            {
                let number = Self::number(own, entering, capture) as usize;
                recasts[number] = Recast::new(ranks, own, entering, capture).unwrap_or_default();
            }
        }
        let mirror = |(light, dark)| {
            let (own, image) = (Shape::new(light, dark), Shape::new(dark, light));
            own.masks(ranks)
                .map(|(light, dark)| {
                    (own.place(ranks, light, dark) as u8, image.place(ranks, dark, light) as u8)
                })
                .collect()
        };
        Self { recasts, mirrors: lefts().map(mirror).collect() }
    }

    /// Returns the number of a recast into the layout `own`.
    pub(crate) fn number(own: Shape, entering: Entering, capture: Capture) -> u32 {
        let (light, dark) = own.left();
        let left = u32::from(light.min(ENOUGH)) * LEFTS as u32 + u32::from(dark.min(ENOUGH));
        left * 9 + entering as u32 * 3 + capture as u32
    }

    #[inline]
    pub(crate) fn numbered(&self, number: u32) -> &Recast {
        &self.recasts[number as usize]
    }

    /// Returns where the values of a block lie, and where they lie with the sides exchanged.
    pub(crate) fn mirror(&self, own: Shape) -> &[(u8, u8)] {
        let (light, dark) = own.left();
        &self.mirrors[usize::from(light.min(ENOUGH)) * LEFTS + usize::from(dark.min(ENOUGH))]
    }
}

impl Recast {
    /// Returns the recast into `own` of the block that a move leads to; `None` where there is no such move.
    fn new(ranks: &Ranks, own: Shape, entering: Entering, capture: Capture) -> Option<Self> {
        let (mut lane_left, mut row_left) = (own.lane_left, own.row_left);
        match entering {
            Entering::Nobody => {}
            Entering::Lanes => lane_left = lane_left.checked_sub(1)?,
            Entering::Rows => row_left = row_left.checked_sub(1)?,
        }
        let (mut light, mut dark) =
            if own.turned { (row_left, lane_left) } else { (lane_left, row_left) };
        match capture {
            Capture::Nobody => {}
            Capture::Light => light += 1,
            Capture::Dark => dark += 1,
        }
        let from = Shape::new(light, dark);
        let places = own.masks_of(ranks, lane_left, row_left).map(|(light, dark)| {
            (from.place(ranks, light, dark) as u8, own.place(ranks, light, dark) as u8)
        });
        let places: Vec<(u8, u8)> = places.collect();
        let mut lines: Vec<u8> = places.iter().map(|&(from, _)| from & !7).collect();
        lines.sort_unstable();
        lines.dedup();
        let blank = if entering == Entering::Lanes { own.len(ranks) } else { 0 };
        Some(Self { blank, places, lines })
    }
}
