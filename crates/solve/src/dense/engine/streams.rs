//! What a pass over values on a disk reads once, slab by slab: it is read ahead, and makes room for what is read more often.
#![expect(unsafe_code, reason = "arrays are told by pointers")]

use std::hash::Hasher;
use std::slice;

use rustc_hash::FxHasher;

use super::DenseSublayer;
use crate::dense::backup::view::SweepView;
use crate::memory::advice;
use crate::memory::buffer::Spills;
use crate::simd::vector::Element;
use crate::types::SolveError;

/// How many slabs ahead is read.
const AHEAD: usize = 8;
/// Which part of a slab's blocks has to be due for all of it to be read ahead: less is read as it is needed.
const DUE: usize = 4;

/// The external values of a slab, and of one that comes soon; none if they lie in memory.
pub(super) struct Streams<'a, T> {
    next: &'a [T],
    own: &'a [T],
}

impl DenseSublayer<'_> {
    /// Returns what a pass over the slab at `at` streams.
    pub(super) fn streams<'a, T: Element>(
        &'a self,
        view: &SweepView<'a, T>,
        at: usize,
    ) -> Streams<'a, T> {
        let Spills { values, externals } = &self.engine.spills;
        // In single precision they lie with the values.
        let room = if size_of::<T>() == size_of::<f64>() { externals } else { values };
        let [next, own] = if room.is_some() {
            [at + AHEAD, at].map(|slab| self.stream(view, slab))
        } else {
            [&[][..]; 2]
        };
        Streams { next, own }
    }

    fn stream<'a, T: Element>(&self, view: &SweepView<'a, T>, slab: usize) -> &'a [T] {
        let Some(&[from, to]) =
            self.externals.starts.get(slab..slab + 2).and_then(|it| it.first_chunk())
        else {
            return &[];
        };
        if !self.is_due(view, slab) {
            return &[];
        }
        // SAFETY: the places are those of the slab in the array of this layout. Nothing is read: only address and length are told.
        unsafe { slice::from_raw_parts(view.external_values.add(from), to - from) }
    }

    /// Returns a checksum of each slab's external values if they lie on a disk.
    pub(super) fn checksums(&self, externals: &[f64]) -> Vec<u64> {
        if self.engine.spills.externals.is_none() {
            return Vec::new();
        }
        let starts = &self.externals.starts;
        self.each(&self.holding.slabs, |slab| {
            let mut checksum = FxHasher::default();
            let values = &externals[starts[slab]..starts[slab + 1]];
            for value in values {
                checksum.write_u64(value.to_bits());
            }
            checksum.finish()
        })
    }

    /// Returns an error if external values are not what was written.
    pub(super) fn ensure_undamaged(&self, externals: &[f64]) -> Result<(), SolveError> {
        let is_undamaged = self.checksums(externals) == self.checksums;
        if is_undamaged { Ok(()) } else { Err(SolveError::Damaged) }
    }

    /// Returns whether so much of a slab was backed up in the sweep before that all of it is read again.
    fn is_due<T>(&self, view: &SweepView<'_, T>, slab: usize) -> bool {
        let (from, to) = self.layout.slabs[slab].columns;
        view.active.is_none_or(|active| {
            DUE * (from..to).filter(|&block| active.seems_due(block)).count() >= to - from
        })
    }
}

impl<T> Streams<'_, T> {
    /// Has the system read what comes soon.
    pub(super) fn ahead(&self) {
        advice::soon(self.next);
    }

    /// Lets go of what has been read.
    pub(super) fn behind(&self) {
        advice::late(self.own);
    }
}
