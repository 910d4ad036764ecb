//! The values of one sublayer as a pass over it sees them.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "blocks are read and written through raw pointers")]

use std::ops::Range;

use crate::dense::active_set::ActiveSetView;
use crate::dense::backup::deltas::Deltas;
use crate::dense::backup::row_moves::RowMoves;
use crate::dense::backup::stretch::{Streamed, Stretch};
use crate::dense::layout::block::place_of;
use crate::dense::layout::masks::{MaskTables, THROWS};
use crate::dense::layout::sublayer::DenseLayout;
use crate::dense::successors::external::ExternalSuccessors;
use crate::dense::successors::packed::{Count, WordReader};
use crate::dense::successors::relayout::Relayouts;
use crate::drive::statistics::Mode;
use crate::memory::advice::{self, Bytes};
use crate::memory::prefetch::prefetch;
use crate::simd::element::Element;
use crate::simd::select::Instructions;

/// The values of one sublayer while it is swept.
///
/// Slabs of one level may be passed over from several threads: each writes its own blocks only, and reads none of the
/// others', because every move changes the junior's progress or stays within the slab.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweepView<'a, T> {
    pub(crate) tables: &'a MaskTables,
    pub(crate) layout: &'a DenseLayout,
    pub(crate) externals: &'a ExternalSuccessors,
    pub(crate) row_moves: &'a RowMoves,
    pub(crate) relayouts: &'a Relayouts,
    pub(crate) instructions: Instructions,
    /// The senior's chance with the senior about to roll.
    pub(crate) senior: *mut T,
    /// The senior's chance with the junior about to roll; stored behind the former.
    pub(crate) junior: *mut T,
    /// The best external value of each block and roll.
    pub(crate) external_values: *const T,
    /// The last deltas of the values in the blocks that are swept, with the senior and then with the junior about to roll.
    pub(crate) deltas: Deltas<T>,
    /// What each backup adds, so that values become bounds.
    pub(crate) slack: f64,
    /// The limits that offers set, at the places of deltas: the least chance of the senior with the senior about to roll, and the
    /// greatest with the junior about to roll. Null if there are no offers.
    pub(crate) limits: *const T,
    /// Which blocks are backed up; `None` for all.
    pub(crate) active: Option<ActiveSetView<'a>>,
    /// The arrays that are on a disk and are asked for before they are read.
    pub(crate) on_disk: Streamed,
}

// SAFETY: the pointers are to buffers of the workspace, which the code that makes the view borrows for as long as the view lives.
// They are only followed in unsafe functions, whose callers ensure that slabs passed over at the same time write different blocks
// and do not read a block that is written.
unsafe impl<T: Send> Send for SweepView<'_, T> {}
// SAFETY: as for `Send`; a shared view gives no other access than one that is sent.
unsafe impl<T: Sync> Sync for SweepView<'_, T> {}

impl<T: Element> SweepView<'_, T> {
    /// Prefetches a block's own values: no other block leads to them, and its rows are not taken in their order in memory.
    #[inline(always)]
    pub(crate) fn prefetch_block(&self, places: Range<usize>, mode: Mode) {
        for at in places.clone().step_by(64 / size_of::<T>()) {
            prefetch(self.senior.wrapping_add(at));
            prefetch(self.junior.wrapping_add(at));
        }
        if matches!(mode, Mode::Record | Mode::Compare) {
            self.halves(places).into_iter().for_each(|places| self.deltas.prefetch(places));
        }
    }

    /// Prefetches what the block with these words copies: a few values of each cache line, scattered over the sublayer.
    ///
    /// # Safety
    ///
    /// The words are those of a block.
    #[inline(always)]
    pub(crate) unsafe fn prefetch_copies(&self, reads: &[u32]) {
        let mut words = WordReader::new(reads);
        for _ in 0..2 * THROWS {
            // SAFETY: a block has a count for each side and throw, and then the words that it counts.
            let count = Count::from_word(unsafe { words.next() });
            words.skip(count.plain());
            for _ in 0..count.copied() {
                // SAFETY: as above; there are two words for each copy.
                let (place, relayout) = unsafe { (words.next(), words.next()) };
                let block = self.senior.wrapping_add(place_of(place));
                for &line in &self.relayouts.numbered(relayout).lines {
                    prefetch(block.wrapping_add(usize::from(line)));
                }
            }
        }
    }

    /// Calls `action` with those parts of a stretch that are in `what` and on a disk.
    pub(crate) fn each_on_disk(&self, stretch: Stretch, what: Streamed, action: fn(Bytes)) {
        let Streamed { externals, deltas } = what.and(self.on_disk);
        if externals {
            let at = |place| self.external_values.wrapping_add(place).cast();
            action(at(stretch.externals.start)..at(stretch.externals.end));
        }
        if deltas {
            for places in self.halves(stretch.deltas) {
                action(self.deltas.bytes(places));
            }
        }
    }

    /// Returns whether a slab is read ahead as a whole, because much of it was backed up in the sweep before. Of other slabs,
    /// single blocks are read.
    pub(crate) fn is_read_whole(&self, (from, to): (usize, usize)) -> bool {
        // A slab is read as a whole if at least one in this many of its blocks is due.
        const DUE: usize = 4;
        DUE * (from..to).filter(|&block| self.seems_due(block)).count() >= to - from
    }

    /// Returns whether a block was backed up in the sweep before, or never, and so is likely to be backed up in this one.
    pub(crate) fn seems_due(&self, block: usize) -> bool {
        self.active.is_none_or(|active| active.seems_due(block))
    }

    /// Makes the system read together what the backup of a block needs and is not in memory yet: page by page takes ten times as
    /// long.
    pub(crate) fn read_at_once(&self, block: Stretch, mode: Mode) {
        self.each_on_disk(block, Streamed::in_mode(mode), advice::soon);
    }

    /// Makes the last deltas of a block zero.
    ///
    /// # Safety
    ///
    /// The places are those of a swept block, the deltas have room for all swept blocks, and no other thread reads or writes the
    /// deltas of this block.
    #[cold]
    pub(crate) unsafe fn clear_deltas(&self, places: Range<usize>) {
        for places in self.halves(places) {
            // SAFETY: both halves of the deltas have as many places as values are swept.
            unsafe { self.deltas.clear(places) };
        }
    }

    /// Returns the places of the deltas of the values at `places`, with the senior and with the junior about to roll.
    #[inline(always)]
    pub(crate) fn halves(&self, places: Range<usize>) -> [Range<usize>; 2] {
        let swept = self.layout.swept;
        let juniors = swept + places.start..swept + places.end;
        [places, juniors]
    }
}
