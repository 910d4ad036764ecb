//! Counts: how many boards there are from one shared tile on.

use crate::PreIndex;
use crate::index::contents::SharedTile;

/// How many boards differ from a shared tile on, by the pieces left to place there and on pre squares.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    width: usize,
    /// By tile, light's pieces left and dark's pieces left.
    counts: Vec<u64>,
}

impl Counts {
    /// Counts from the last tile back; `None` if a count exceeds 64 bits.
    pub(crate) fn count(tiles: &[SharedTile], pre_index: &PreIndex, pieces: u8) -> Option<Self> {
        let width = usize::from(pieces) + 1;
        let mut counts = Self { width, counts: vec![0; (tiles.len() + 1) * width * width] };
        for light in 0..=pieces {
            for dark in 0..=pieces {
                let at = counts.at(tiles.len(), light, dark);
                counts.counts[at] = pre_index.ways_at_most(light) * pre_index.ways_at_most(dark);
            }
        }
        for (t, tile) in tiles.iter().enumerate().rev() {
            for light in 0..=pieces {
                for dark in 0..=pieces {
                    let at = counts.at(t, light, dark);
                    let before = tile.contents().len();
                    counts.counts[at] = counts.before(t, tile, before, (light, dark))?;
                }
            }
        }
        Some(counts)
    }

    /// Counts the boards with one of the first `digits` contents on `tile`; `None` if that exceeds 64 bits.
    pub(crate) fn before(
        &self,
        t: usize,
        tile: &SharedTile,
        digits: usize,
        (light, dark): (u8, u8),
    ) -> Option<u64> {
        let fitting = tile.contents()[..digits].iter();
        fitting
            .filter_map(|it| Some((light.checked_sub(it.light())?, dark.checked_sub(it.dark())?)))
            .try_fold(0_u64, |sum, (light, dark)| sum.checked_add(self.get(t + 1, light, dark)))
    }

    #[inline]
    pub(crate) fn get(&self, tile: usize, light: u8, dark: u8) -> u64 {
        self.counts[self.at(tile, light, dark)]
    }

    #[inline]
    pub(crate) fn at(&self, tile: usize, light: u8, dark: u8) -> usize {
        (tile * self.width + usize::from(light)) * self.width + usize::from(dark)
    }
}
