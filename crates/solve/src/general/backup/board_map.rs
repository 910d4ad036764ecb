//! What a successor leads to, board by board.
#![expect(
    clippy::inline_always,
    reason = "compiled with the instructions of the strip that it is part of"
)]

use crate::general::pre::PreRanks;
use crate::general::preference::better;

/// The boards of a block as a successor sees them.
pub(super) struct BoardMap<'a> {
    /// Light's and dark's pre ranks, and what is left of them after the move.
    pub(super) ranks: [&'a [PreRanks]; 2],
    /// How far apart the values of neighbouring ranks are among those of the successor.
    pub(super) strides: [usize; 2],
    /// How far apart the values of dark's neighbouring ranks are in this block.
    pub(super) lights: usize,
}

impl BoardMap<'_> {
    /// Calls `action` with each board on which the move is possible, and with the number of the value that it leads to.
    #[inline(always)]
    pub(super) fn each(&self, mut action: impl FnMut(usize, usize)) {
        let [lights, darks] = self.ranks;
        for dark in darks {
            let board = usize::from(dark.with) * self.lights;
            let from = usize::from(dark.without) * self.strides[1];
            for light in lights {
                let number = from + usize::from(light.without) * self.strides[0];
                action(board + usize::from(light.with), number);
            }
        }
    }

    /// Improves the best value of each board.
    #[inline(always)]
    pub(super) fn improve<const DARK: bool>(
        &self,
        from: &[f64],
        best: &mut [f64],
        value: impl Fn(f64) -> f64,
    ) {
        let [lights, darks] = self.ranks;
        if lights.len() < self.lights || self.strides[0] != 1 {
            return self.each(|board, number| {
                best[board] = better::<DARK>(best[board], value(from[number]));
            });
        }
        // Whole rows of neighbouring values.
        for dark in darks {
            let best = &mut best[usize::from(dark.with) * self.lights..][..self.lights];
            let from = &from[usize::from(dark.without) * self.strides[1]..][..best.len()];
            for at in 0..best.len() {
                best[at] = better::<DARK>(best[at], value(from[at]));
            }
        }
    }
}

/// Replaces each value of `best` by the one in `from` if that is better.
#[inline(always)]
pub(super) fn improve<const DARK: bool>(best: &mut [f64], from: &[f64]) {
    let from = &from[..best.len()];
    for at in 0..best.len() {
        best[at] = better::<DARK>(best[at], from[at]);
    }
}
