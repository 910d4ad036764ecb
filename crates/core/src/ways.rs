//! Ways: how many boards there are from one shared tile on.

use crate::squares::Squares;
use crate::zones::Zones;

/// One tile that shared squares lie on, with those squares of each path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedTile {
    pub(crate) light: Squares,
    pub(crate) dark: Squares,
}

/// How many boards differ from a shared tile on, by the pieces left to place there and on pre squares.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    width: usize,
    /// By tile, light's pieces left and dark's pieces left.
    counts: Vec<u64>,
}

impl Ways {
    /// Counts from the last tile back; `None` where a count exceeds 64 bits.
    pub(crate) fn count(tiles: &[SharedTile], zones: Zones, pieces: u8) -> Option<Self> {
        let width = usize::from(pieces) + 1;
        let mut ways = Self { width, counts: vec![0; (tiles.len() + 1) * width * width] };
        for light in 0..=pieces {
            for dark in 0..=pieces {
                let at = ways.at(tiles.len(), light, dark);
                ways.counts[at] = zones.rows(light) * zones.rows(dark);
            }
        }
        for (t, tile) in tiles.iter().enumerate().rev() {
            for light in 0..=pieces {
                for dark in 0..=pieces {
                    let at = ways.at(t, light, dark);
                    ways.counts[at] = ways.sum(t, *tile, light, dark)?;
                }
            }
        }
        Some(ways)
    }

    /// Adds up the boards with nobody, with light and with dark on `tile`.
    fn sum(&self, t: usize, tile: SharedTile, light: u8, dark: u8) -> Option<u64> {
        let mut sum = self.get(t + 1, light, dark);
        if light > 0 {
            let each = self.get(t + 1, light - 1, dark);
            sum = sum.checked_add(each.checked_mul(tile.light.len().into())?)?;
        }
        if dark > 0 {
            let each = self.get(t + 1, light, dark - 1);
            sum = sum.checked_add(each.checked_mul(tile.dark.len().into())?)?;
        }
        Some(sum)
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
