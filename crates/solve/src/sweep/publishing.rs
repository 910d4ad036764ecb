//! Publishing: values between light's frame, in which they are swept, and the order of the index.

use super::{Work, turned};
use crate::exits::index_of_block;

impl Work<'_> {
    /// Returns the values in index order, as the chance of who rolls.
    pub(super) fn publish(&self, values: &[f64]) -> Box<[f64]> {
        let sublayer = self.plan.sublayer;
        let mut published = vec![0.0; sublayer.len() as usize].into_boxed_slice();
        let (light_values, dark_values) = values.split_at(self.plan.lanes);
        let mirror = sublayer.is_mirror();
        self.blocks(|dark, light, at| {
            self.places(dark, light, |place, index| {
                published[index] = light_values[at + place];
                if !mirror {
                    published[sublayer.half as usize + index] = turned(dark_values[at + place]);
                }
            });
            if self.plan.halved && dark != light {
                self.mirrored_places(dark, light, |place, index| {
                    published[index] = turned(dark_values[at + place]);
                });
            }
        });
        published
    }

    /// Calls `action` with each position of a block: its place in the block and its index with light about to roll.
    fn places(&self, dark: u32, light: u32, mut action: impl FnMut(usize, usize)) {
        let (base, row) = index_of_block(&self.field.terrain, &self.plan, dark, light);
        let shape = self.plan.shape(&self.field.terrain, dark, light);
        let ranks = &self.plan.ranks;
        for (light_mask, dark_mask) in shape.masks(&self.plan.ranks) {
            let index = base + ranks.rank(dark_mask) * row + ranks.rank(light_mask);
            action(shape.place(ranks, light_mask, dark_mask), index);
        }
    }

    /// Takes published values back into light's frame.
    pub(super) fn load(&self, published: &[f64], values: &mut [f64]) {
        let (light_values, dark_values) = values.split_at_mut(self.plan.lanes);
        let sublayer = self.plan.sublayer;
        let half = sublayer.half as usize;
        self.blocks(|dark, light, at| {
            let shape = self.plan.shape(&self.field.terrain, dark, light);
            let block = at..at + shape.len(&self.plan.ranks);
            light_values[block.clone()].fill(shape.never());
            dark_values[block].fill(shape.never());
            self.places(dark, light, |place, index| {
                light_values[at + place] = published[index];
                if !sublayer.is_mirror() {
                    dark_values[at + place] = turned(published[half + index]);
                }
            });
            if sublayer.is_mirror() {
                self.mirrored_places(dark, light, |place, index| {
                    dark_values[at + place] = turned(published[index]);
                });
            }
        });
    }

    /// As [`Work::places`], with the index of the position with the sides exchanged.
    fn mirrored_places(&self, dark: u32, light: u32, mut action: impl FnMut(usize, usize)) {
        let (base, row) = index_of_block(&self.field.terrain, &self.plan, light, dark);
        let (shape, ranks) = (self.plan.shape(&self.field.terrain, dark, light), &self.plan.ranks);
        for (light_mask, dark_mask) in shape.masks(ranks) {
            let index = base + ranks.rank(light_mask) * row + ranks.rank(dark_mask);
            action(shape.place(ranks, light_mask, dark_mask), index);
        }
    }
}
