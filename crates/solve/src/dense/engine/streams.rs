//! What a pass over values on a disk reads once, slab by slab: it is read ahead, and makes room for what is read more often.
#![expect(unsafe_code, reason = "arrays are told by pointers")]

use std::hash::Hasher;
use std::ops::Range;
use std::slice;

use rustc_hash::FxHasher;

use super::DenseSublayer;
use crate::dense::backup::view::SweepView;
use crate::drive::statistics::Mode;
use crate::memory::advice;
use crate::simd::vector::Element;
use crate::types::SolveError;

/// How many slabs ahead is read.
const AHEAD: usize = 8;
/// Which part of a slab's blocks has to be due for all of it to be read ahead: less is read as it is needed.
const DUE: usize = 4;

/// The external values and the deltas of a slab, and of one that comes soon; none in memory.
pub(super) struct Streams<'a, T> {
    next: [&'a [T]; 3],
    own: [&'a [T]; 3],
}

impl DenseSublayer<'_> {
    /// Returns what a pass over the slab at `at` streams.
    pub(super) fn streams<'a, T: Element>(
        &'a self,
        view: &SweepView<'a, T>,
        at: usize,
        mode: Mode,
    ) -> Streams<'a, T> {
        let [next, own] = if self.engine.spills.streams.is_some() {
            [at + AHEAD, at].map(|slab| self.stream(view, slab, mode))
        } else {
            [[&[][..]; 3]; 2]
        };
        Streams { next, own }
    }

    fn stream<'a, T: Element>(
        &self,
        view: &SweepView<'a, T>,
        slab: usize,
        mode: Mode,
    ) -> [&'a [T]; 3] {
        let Some(&[from, to]) =
            self.externals.starts.get(slab..slab + 2).and_then(|it| it.first_chunk())
        else {
            return [&[]; 3];
        };
        if !self.is_due(view, slab) {
            return [&[]; 3];
        }
        // SAFETY: the places are those of the slab in the arrays of this layout. Nothing is read: only addresses and lengths are
        // told.
        let part = |start: *const T, places: Range<usize>| unsafe {
            slice::from_raw_parts(start.add(places.start), places.len())
        };
        let externals = part(view.external_values, from..to);
        if !matches!(mode, Mode::Record | Mode::Compare) {
            return [externals, &[], &[]];
        }
        let places = self.slab_places(slab);
        let junior = self.layout.swept + places.start..self.layout.swept + places.end;
        [externals, part(view.deltas, places), part(view.deltas, junior)]
    }

    /// Returns a checksum of each slab's external values if they lie on a disk.
    pub(super) fn checksums(&self, externals: &[f64]) -> Vec<u64> {
        if self.engine.spills.streams.is_none() {
            return Vec::new();
        }
        let starts = &self.externals.starts;
        self.each(&self.holding.slabs, |slab| {
            let mut checksum = FxHasher::default();
            let values = &externals[starts[slab]..starts[slab + 1]];
            values.iter().for_each(|value| checksum.write_u64(value.to_bits()));
            checksum.finish()
        })
    }

    /// Returns an error if external values are not what was written. Deltas need no check: with others, values take another way
    /// to the same end.
    pub(super) fn ensure_undamaged(&self, externals: &[f64]) -> Result<(), SolveError> {
        let is_undamaged = self.checksums(externals) == self.checksums;
        if is_undamaged { Ok(()) } else { Err(SolveError::Damaged) }
    }

    /// Returns the places of a slab's values.
    fn slab_places(&self, slab: usize) -> Range<usize> {
        let start = |slab: usize| match self.layout.slab_blocks(slab).next() {
            Some((senior, junior)) => self.layout.block(senior, junior),
            None => self.layout.swept,
        };
        let end =
            if slab + 1 < self.layout.slabs.len() { start(slab + 1) } else { self.layout.swept };
        start(slab)..end
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
        self.next.into_iter().for_each(advice::soon);
    }

    /// Lets go of what has been read.
    pub(super) fn behind(&self) {
        self.own.into_iter().for_each(advice::late);
    }
}
