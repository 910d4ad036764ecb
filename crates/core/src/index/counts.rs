//! Ways: how many boards there are from one shared tile on.

use crate::index::contents::SharedTile;
use crate::index::pre_index::PreLane;

/// How many boards differ from a shared tile on, by the pieces left to place there and on pre squares.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    width: usize,
    /// By tile, light's pieces left and dark's pieces left.
    counts: Vec<u64>,
}

impl Ways {
    /// Counts from the last tile back; `None` where a count exceeds 64 bits.
    pub(crate) fn count(tiles: &[SharedTile], lane: &PreLane, pieces: u8) -> Option<Self> {
        let width = usize::from(pieces) + 1;
        let mut ways = Self { width, counts: vec![0; (tiles.len() + 1) * width * width] };
        for light in 0..=pieces {
            for dark in 0..=pieces {
                let at = ways.at(tiles.len(), light, dark);
                ways.counts[at] = lane.rows(light) * lane.rows(dark);
            }
        }
        for (t, tile) in tiles.iter().enumerate().rev() {
            for light in 0..=pieces {
                for dark in 0..=pieces {
                    let at = ways.at(t, light, dark);
                    let before = tile.contents().len();
                    ways.counts[at] = ways.before(t, tile, before, (light, dark))?;
                }
            }
        }
        Some(ways)
    }

    /// Counts the boards with one of the first so many contents on `tile`; `None` where that exceeds 64 bits.
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
