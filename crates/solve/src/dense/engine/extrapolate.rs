//! Extrapolation: values are moved further along their last deltas.
#![expect(unsafe_code, reason = "several threads write slabs of their own")]

use super::DenseSublayer;
use super::workspace::Arrays;
use crate::dense::active_set::ActiveSetView;
use crate::dense::backup::view::SweepView;
use crate::dense::layout::sublayer::Slab;
use crate::simd::element::Element;

impl DenseSublayer<'_> {
    /// Moves the values of each block further along their last deltas, as far as these suggest.
    pub(super) fn extrapolate<T: Element>(
        &self,
        arrays: &mut Arrays<'_, T>,
        active: ActiveSetView<'_>,
    ) {
        let view = self.view(arrays, Some(active));
        // SAFETY: slabs do not overlap.
        self.each(&self.holding.slabs, |at| unsafe { self.extrapolate_slab(&view, active, at) });
        for level in &self.layout.levels {
            // SAFETY: nothing else is under way.
            unsafe {
                self.hand_on(&view, level, |column| active.extrapolation_factor(column).is_some());
            }
        }
        // SAFETY: nothing else is under way.
        unsafe { self.mirror_all(&view) };
    }

    /// Moves the values of each block of the slab `at` further along their last deltas.
    ///
    /// # Safety
    ///
    /// No other thread reads or writes the slab.
    unsafe fn extrapolate_slab<T: Element>(
        &self,
        view: &SweepView<'_, T>,
        active: ActiveSetView<'_>,
        at: usize,
    ) {
        self.stream_deltas_ahead(view, at);
        let Slab { junior, columns, .. } = self.layout.slabs[at];
        for number in columns.0..columns.1 {
            let Some(factor) = active.extrapolation_factor(number) else { continue };
            let factor = T::from_f64(factor.into());
            active.changed(number);
            let senior = self.layout.columns[number];
            let from = self.layout.block(number);
            let len = self.shape(senior, junior).len(&self.layout.ranks);
            let halves = [(view.senior, 0), (view.junior, self.layout.swept)];
            for (values, deltas) in halves {
                for at in from..from + len {
                    // SAFETY: the block lies within the values, and its deltas at the same place within their half.
                    unsafe {
                        let delta = view.deltas.at(deltas + at);
                        *values.add(at) = *values.add(at) + factor * delta;
                    }
                }
            }
        }
    }
}
