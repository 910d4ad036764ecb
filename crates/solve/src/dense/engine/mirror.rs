//! Mirror images: in a sublayer that mirrors itself, values that follow from the swept ones.
#![expect(unsafe_code, reason = "several threads write images of blocks of their own")]

use super::DenseSublayer;
use crate::dense::backup::view::SweepView;
use crate::dense::layout::sublayer::Slab;
use crate::drive::statistics::Mode;
use crate::simd::element::Element;

impl DenseSublayer<'_> {
    /// Writes the mirror images of all blocks, see [`DenseSublayer::mirror`].
    ///
    /// # Safety
    ///
    /// No other thread reads or writes the values.
    pub(super) unsafe fn mirror_all<T: Element>(&self, view: &SweepView<'_, T>) {
        if self.layout.halved {
            // SAFETY: only images are written; they are not swept, and each is the image of one block only.
            self.each_slab(|at| unsafe { self.mirror(view, at) });
        }
    }

    /// Writes those mirror images of a slab's blocks that have places: those that are read.
    ///
    /// # Safety
    ///
    /// No other thread reads or writes these images, or writes the slab.
    pub(super) unsafe fn mirror<T: Element>(&self, view: &SweepView<'_, T>, at: usize) {
        let Slab { junior, columns, .. } = self.layout.slabs[at];
        let changed_image = |column: usize| {
            let image = self.layout.image(column)?;
            let has_changed = view.active.is_none_or(|active| active.change_image(column));
            has_changed.then_some((column, image))
        };
        let mut changed = (columns.0..columns.1).filter_map(changed_image).peekable();
        while let Some((column, to)) = changed.next() {
            if let Some(&(next, image)) = changed.peek() {
                let senior = self.layout.columns[next];
                let len = self.shape(junior, senior).len(&self.layout.ranks);
                view.prefetch_block(image..image + len, Mode::Sweep);
            }
            let senior = self.layout.columns[column];
            let from = self.layout.block(column);
            for &(at, image) in self.engine.relayouts.mirror(self.shape(senior, junior)) {
                let (from, to) = (from + usize::from(at), to + usize::from(image));
                // SAFETY: the places of a mirror lie within both blocks, and these within the view's buffers.
                unsafe {
                    *view.senior.add(to) = opposite(*view.junior.add(from));
                    *view.junior.add(to) = opposite(*view.senior.add(from));
                }
            }
        }
    }
}

/// Returns the other side's chance.
pub(super) fn opposite<T: Element>(value: T) -> T {
    T::from_f64(1.0 - value.to_f64())
}
