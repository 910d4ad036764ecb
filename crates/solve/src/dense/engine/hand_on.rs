//! Values are handed on from the rank that holds them to the ranks that read them.
#![expect(unsafe_code, reason = "blocks are read and written through the view of a sweep")]

use std::ops::Range;

use super::DenseSublayer;
use super::holding::Holding;
use crate::dense::backup::view::SweepView;
use crate::drive::exchange::{BitSet, Packet, PacketReader, Packets};
use crate::simd::element::Element;

/// Blocks of some slabs that are being handed on between ranks. As long as this lives, nothing else reads or writes the values.
struct Handed<'a, T, M, B> {
    sublayer: &'a DenseSublayer<'a>,
    view: &'a SweepView<'a, T>,
    is_moved: M,
    /// By rank: the slab and the column of each block that this rank holds and the other reads, and of each that the other holds
    /// and this rank reads.
    given: Vec<B>,
    taken: Vec<B>,
}

impl DenseSublayer<'_> {
    /// Hands on those blocks of some slabs that were moved to the ranks that read them. `is_moved` says whether the block of a
    /// column was.
    ///
    /// # Safety
    ///
    /// No other thread reads or writes the values.
    pub(super) unsafe fn hand_on<T: Element>(
        &self,
        view: &SweepView<'_, T>,
        slabs: &[usize],
        is_moved: impl Fn(usize) -> bool,
    ) {
        let Holding { ranks, reads, .. } = &self.holding;
        if ranks.is_alone() {
            return;
        }
        let (me, all) = (ranks.rank(), 0..ranks.count());
        let given = all.clone().map(|to| self.blocks(slabs, me, &reads[to])).collect();
        let taken = all.map(|from| self.blocks(slabs, from, &reads[me])).collect();
        let mut handed = Handed { sublayer: self, view, is_moved, given, taken };
        ranks.stream(|it| &it.renewed, &mut handed);
    }

    /// Returns the slab and the column of each block of some slabs that a rank holds and another one reads.
    fn blocks<'b>(
        &'b self,
        slabs: &'b [usize],
        holder: usize,
        reads: &'b BitSet,
    ) -> impl Iterator<Item = [usize; 2]> + 'b {
        let held = slabs.iter().filter(move |slab| self.holding.holders[**slab] == holder);
        held.flat_map(move |&slab| {
            let columns = self.layout.slabs[slab].columns;
            let is_read = |column: &usize| reads.contains(*column);
            (columns.0..columns.1).filter(is_read).map(move |column| [slab, column])
        })
    }

    /// Returns the places of the values of a block.
    fn places_of(&self, [slab, column]: [usize; 2]) -> Range<usize> {
        let shape = self.shape(self.layout.columns[column], self.layout.slabs[slab].junior);
        let at = self.layout.block(column);
        at..at + shape.len(&self.layout.ranks)
    }
}

impl<T, M, B> Packets for Handed<'_, T, M, B>
where
    T: Element,
    M: Fn(usize) -> bool,
    B: Iterator<Item = [usize; 2]>,
{
    /// Returns the values of the next blocks that were moved, both halves of each.
    fn give(&mut self, to: usize) -> Vec<u8> {
        let mut packet = Packet::new();
        for block in &mut self.given[to] {
            if !packet.push((self.is_moved)(block[1])) {
                continue;
            }
            let places = self.sublayer.places_of(block);
            for half in [self.view.senior, self.view.junior] {
                // SAFETY: a block lies within both halves of the values, and nothing else writes them.
                let half = unsafe {
                    std::slice::from_raw_parts(half.add(places.start).cast_const(), places.len())
                };
                packet.add(half);
            }
            if packet.is_full() {
                break;
            }
        }
        packet.into_bytes()
    }

    /// Writes the values of the next blocks that have changed, and notes which these are.
    fn take(&mut self, from: usize, bytes: Vec<u8>) {
        let mut reader = PacketReader::new(&bytes);
        for block in self.taken[from].by_ref().take(reader.parts()) {
            if !reader.next() {
                continue;
            }
            let places = self.sublayer.places_of(block);
            for half in [self.view.senior, self.view.junior] {
                // SAFETY: a block lies within both halves of the values, and nothing else uses them.
                reader.take(unsafe {
                    std::slice::from_raw_parts_mut(half.add(places.start), places.len())
                });
            }
            if let Some(active) = self.view.active {
                active.changed(block[1]);
            }
        }
    }
}
