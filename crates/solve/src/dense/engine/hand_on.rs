//! Values on their way from the rank that holds them to those that read them.
#![expect(unsafe_code, reason = "blocks are read and written through the view of a sweep")]

use std::ops::Range;

use super::DenseSublayer;
use super::holding::Holding;
use crate::dense::backup::view::SweepView;
use crate::drive::exchange::{Packed, Packet, Set};
use crate::parallel;
use crate::simd::element::Element;

/// The blocks of some slabs that one rank holds and another reads.
#[derive(Clone, Copy)]
struct Handed<'a> {
    slabs: &'a [usize],
    holder: usize,
    reads: &'a Set,
}

impl DenseSublayer<'_> {
    /// Hands those blocks of some slabs that were moved to the ranks that read them.
    ///
    /// # Safety
    ///
    /// No other thread reads or writes the values.
    pub(super) unsafe fn hand_on<T: Element>(
        &self,
        view: &SweepView<'_, T>,
        slabs: &[usize],
        is_moved: impl Fn(usize) -> bool + Sync,
    ) {
        let Holding { ranks, reads, .. } = &self.holding;
        if ranks.is_alone() {
            return;
        }
        let me = ranks.rank();
        let packed = parallel::map(self.course.sharing, 0..ranks.count(), |to| {
            let handed = Handed { slabs, holder: me, reads: &reads[to] };
            // SAFETY: nothing writes the values meanwhile, as the caller promises.
            if to == me { Vec::new() } else { unsafe { self.pack(view, handed, &is_moved) } }
        });
        let taken = ranks.swap(|it| &it.renewed, packed);
        for (holder, bytes) in taken.iter().enumerate() {
            let handed = Handed { slabs, holder, reads: &reads[me] };
            // SAFETY: as above.
            unsafe { self.unpack(view, handed, bytes) };
        }
    }

    /// Returns the numbers of the slabs and columns of these blocks.
    fn handed<'b>(&'b self, it: Handed<'b>) -> impl Iterator<Item = [usize; 2]> + 'b {
        let held = it.slabs.iter().filter(move |slab| self.holding.holders[**slab] == it.holder);
        held.flat_map(move |&slab| {
            let columns = self.layout.slabs[slab].columns;
            let is_read = |column: &usize| it.reads.contains(*column);
            (columns.0..columns.1).filter(is_read).map(move |column| [slab, column])
        })
    }

    /// Returns the places of the values of a block.
    fn places_of(&self, [slab, column]: [usize; 2]) -> Range<usize> {
        let shape = self.shape(self.layout.columns[column], self.layout.slabs[slab].junior);
        let at = self.layout.block(column);
        at..at + shape.len(&self.layout.ranks)
    }

    /// Returns the values of those of these blocks that were moved, both halves of each.
    ///
    /// # Safety
    ///
    /// No thread writes the blocks.
    unsafe fn pack<T: Element>(
        &self,
        view: &SweepView<'_, T>,
        handed: Handed<'_>,
        is_moved: &impl Fn(usize) -> bool,
    ) -> Vec<u8> {
        let moved = |block: [usize; 2]| is_moved(block[1]).then(|| self.places_of(block));
        let blocks: Vec<_> = self.handed(handed).map(moved).collect();
        let values: usize = blocks.iter().flatten().map(Range::len).sum();
        let mut packet = Packet::with_room(blocks.len(), 2 * values * size_of::<T>());
        for places in blocks {
            packet.push(places.is_some());
            let Some(places) = places else { continue };
            for half in [view.senior, view.junior] {
                // SAFETY: a block lies within both halves of the values, and no thread writes it.
                let half = unsafe {
                    std::slice::from_raw_parts(half.add(places.start).cast_const(), places.len())
                };
                packet.add(half);
            }
        }
        packet.into_bytes()
    }

    /// Writes the values of these blocks that another rank has packed, and notes which have changed.
    ///
    /// # Safety
    ///
    /// No other thread reads or writes the blocks.
    unsafe fn unpack<T: Element>(&self, view: &SweepView<'_, T>, handed: Handed<'_>, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let mut packed = Packed::new(bytes);
        for block in self.handed(handed) {
            if !packed.next() {
                continue;
            }
            let places = self.places_of(block);
            for half in [view.senior, view.junior] {
                // SAFETY: a block lies within both halves of the values, and no other thread uses it.
                packed.take(unsafe {
                    std::slice::from_raw_parts_mut(half.add(places.start), places.len())
                });
            }
            if let Some(active) = view.active {
                active.changed(block[1]);
            }
        }
    }
}
