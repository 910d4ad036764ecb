//! Counts: how many boards there are from one shared tile on.

use crate::PreIndex;
use crate::index::contents::SharedTile;

/// The number of boards that differ only from a shared tile on, by the pieces left to place there and on pre squares.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    width: usize,
    /// By tile, the senior's pieces left and the junior's pieces left.
    counts: Vec<u64>,
}

impl Counts {
    /// Counts from the last tile back; `None` if a count exceeds 64 bits.
    pub(crate) fn count(tiles: &[SharedTile], pre_index: &PreIndex, pieces: u8) -> Option<Self> {
        let width = usize::from(pieces) + 1;
        let mut counts = Self { width, counts: vec![0; (tiles.len() + 1) * width * width] };
        for senior in 0..=pieces {
            for junior in 0..=pieces {
                let at = counts.at(tiles.len(), senior, junior);
                counts.counts[at] = pre_index.ways_at_most(senior) * pre_index.ways_at_most(junior);
            }
        }
        for (t, tile) in tiles.iter().enumerate().rev() {
            for senior in 0..=pieces {
                for junior in 0..=pieces {
                    let at = counts.at(t, senior, junior);
                    let before = tile.contents().len();
                    counts.counts[at] = counts.before(t, tile, before, (senior, junior))?;
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
        (senior, junior): (u8, u8),
    ) -> Option<u64> {
        let fitting = tile.contents()[..digits].iter();
        fitting
            .filter_map(|it| {
                Some((senior.checked_sub(it.senior())?, junior.checked_sub(it.junior())?))
            })
            .try_fold(0_u64, |sum, (senior, junior)| {
                sum.checked_add(self.get(t + 1, senior, junior))
            })
    }

    #[inline]
    pub(crate) fn get(&self, tile: usize, senior: u8, junior: u8) -> u64 {
        self.counts[self.at(tile, senior, junior)]
    }

    #[inline]
    pub(crate) fn at(&self, tile: usize, senior: u8, junior: u8) -> usize {
        (tile * self.width + usize::from(senior)) * self.width + usize::from(junior)
    }
}
