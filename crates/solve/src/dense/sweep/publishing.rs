//! Publishing: values between light's frame, in which they are swept, and the order of the index.
#![expect(unsafe_code, reason = "values are published from several threads")]

use super::{Work, turned};
use crate::dense::successors::external::index_of_block;
use crate::memory::disjoint::Scatter;

impl Work<'_> {
    /// Returns the values in index order, as the chance of who rolls.
    pub(super) fn publish(&self, values: &[f64]) -> Box<[f64]> {
        let sublayer = self.plan.sublayer;
        let mut published = vec![0.0; sublayer.len() as usize].into_boxed_slice();
        let to = Scatter::new(&mut published);
        let (light_values, dark_values) = values.split_at(self.plan.lanes);
        self.each_slab(|slab| {
            self.blocks(slab, |dark, light, at| {
                // SAFETY: each position is one player's turn in one block, or that in its mirror image.
                let set = |index: usize, value: f64| unsafe { to.set(index, value) };
                self.places(dark, light, |place, index| {
                    set(index, light_values[at + place]);
                    if !sublayer.is_mirror() {
                        set(sublayer.half as usize + index, turned(dark_values[at + place]));
                    }
                });
                if self.has_image(dark, light) {
                    self.mirrored_places(dark, light, |place, index| {
                        set(index, turned(dark_values[at + place]));
                    });
                }
            });
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
        let values = Scatter::new(values);
        self.each_slab(|slab| {
            self.blocks(slab, |dark, light, at| {
                let len = self.plan.shape(&self.field.terrain, dark, light).len(&self.plan.ranks);
                // SAFETY: blocks do not overlap.
                let block = |at: usize| unsafe { values.part(at..at + len) };
                self.load_block(dark, light, published, block(at), block(self.plan.lanes + at));
            });
        });
    }

    fn load_block(
        &self,
        dark: u32,
        light: u32,
        published: &[f64],
        light_values: &mut [f64],
        dark_values: &mut [f64],
    ) {
        let never = self.plan.shape(&self.field.terrain, dark, light).never();
        light_values.fill(never);
        dark_values.fill(never);
        self.places(dark, light, |place, index| light_values[place] = published[index]);
        let sublayer = self.plan.sublayer;
        if sublayer.is_mirror() {
            self.mirrored_places(dark, light, |place, index| {
                dark_values[place] = turned(published[index]);
            });
        } else {
            self.places(dark, light, |place, index| {
                dark_values[place] = turned(published[sublayer.half as usize + index]);
            });
        }
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
