//! The active set: which blocks of a sublayer have to be backed up again.
//!
//! A block whose inputs have not changed since its last backup would get the same bits from a new one, so a sweep skips it. Most
//! blocks come to rest long before the last one does.
//!
//! The mirror image of a swept block has a number of its own, and so a version: it changes when the image is written, after the
//! level of the block, and not when the block is backed up.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use crate::simd::element::Element;

/// The versions of the blocks of a sublayer, and which of them their readers have seen.
#[derive(Debug, Default)]
pub(crate) struct ActiveSet {
    /// How often each block has changed: first the swept blocks, then their images. These numbers are read more often than all
    /// others, and at places far apart: kept together they stay in the cache.
    versions: Vec<AtomicU16>,
    /// The states of the swept blocks.
    blocks: Vec<BlockState>,
}

#[derive(Debug, Default)]
struct BlockState {
    /// The sum of the versions of its inputs when it was backed up last. Versions begin again at 2^16. That is enough: between
    /// two sweeps a block and its image change twice at most, and no block has that many inputs.
    seen: AtomicU16,
    /// The sweep of this last backup; 0 if there was none.
    sweep: AtomicU32,
    /// The sweep in which it changed last.
    changed: AtomicU32,
    /// The factor by which extrapolation adds the last delta to the values once more, as the bits of an f32.
    extrapolation_factor: AtomicU32,
}

/// The largest factor by which a delta is added once more: deltas that suggest a larger one are not to be trusted.
const LARGEST_FACTOR: f32 = 2.0;

/// The active set in one sweep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ActiveSetView<'a> {
    set: &'a ActiveSet,
    sweep: u32,
}

impl ActiveSet {
    /// Starts anew with `swept` blocks, which may have images. The next sweep backs up all of them.
    pub(crate) fn start(&mut self, swept: usize) {
        self.versions.clear();
        self.versions.resize_with(2 * swept, AtomicU16::default);
        self.blocks.clear();
        self.blocks.resize_with(swept, BlockState::default);
    }

    /// Returns the active set in a sweep; sweeps count from 1.
    pub(crate) fn view(&self, sweep: u32) -> ActiveSetView<'_> {
        ActiveSetView { set: self, sweep }
    }
}

impl ActiveSetView<'_> {
    /// Returns the sum of the versions of a block's inputs if it has changed since the block's last backup, or if there was none.
    #[inline]
    pub(crate) fn poll(self, block: usize, inputs: &[u32]) -> Option<u16> {
        let version = |&input: &u32| self.set.versions[input as usize].load(Ordering::Relaxed);
        let versions = inputs.iter().map(version).fold(0, u16::wrapping_add);
        let BlockState { seen, sweep, .. } = &self.set.blocks[block];
        let is_news = versions != seen.load(Ordering::Relaxed);
        (is_news || sweep.load(Ordering::Relaxed) == 0).then_some(versions)
    }

    /// Notes that a block is backed up now, while the versions of its inputs have the sum `versions`. Returns whether it was also
    /// backed up in the sweep before.
    #[inline]
    pub(crate) fn mark_seen(self, block: usize, versions: u16) -> bool {
        let block = &self.set.blocks[block];
        block.seen.store(versions, Ordering::Relaxed);
        block.sweep.swap(self.sweep, Ordering::Relaxed) + 1 == self.sweep
    }

    /// Notes that a block has changed.
    #[inline]
    pub(crate) fn changed(self, block: usize) {
        self.renew(block);
        self.set.blocks[block].changed.store(self.sweep, Ordering::Relaxed);
    }

    fn renew(self, block: usize) {
        let version = &self.set.versions[block];
        version.store(version.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Returns whether a block was backed up in the sweep before, or never, and so is likely to be backed up in this one.
    pub(crate) fn seems_due(self, block: usize) -> bool {
        let last = self.set.blocks[block].sweep.load(Ordering::Relaxed);
        last == 0 || last + 1 >= self.sweep
    }

    /// Returns whether a block has changed in this sweep.
    #[inline]
    pub(crate) fn has_changed(self, block: usize) -> bool {
        self.set.blocks[block].changed.load(Ordering::Relaxed) == self.sweep
    }

    /// Returns whether a block has changed in this sweep. If it has, notes that its image, which is written now, changes too.
    #[inline]
    pub(crate) fn change_image(self, block: usize) -> bool {
        let has_changed = self.has_changed(block);
        if has_changed {
            self.renew(self.set.blocks.len() + block);
        }
        has_changed
    }

    /// Notes the factor by which the last delta of a block is to be added once more: the estimated distance from the block's values
    /// to their limit, in multiples of the last delta.
    #[inline]
    pub(crate) fn note_extrapolation_factor(self, block: usize, factor: f64) {
        let factor = f32::from_f64(factor).to_bits();
        self.set.blocks[block].extrapolation_factor.store(factor, Ordering::Relaxed);
    }

    /// Returns the factor by which the last delta of a block is to be added once more, if this sweep has backed it up and it is
    /// to be moved.
    #[inline]
    pub(crate) fn extrapolation_factor(self, block: usize) -> Option<f32> {
        let BlockState { sweep, extrapolation_factor, .. } = &self.set.blocks[block];
        let is_fresh = sweep.load(Ordering::Relaxed) == self.sweep;
        let factor = f32::from_bits(extrapolation_factor.load(Ordering::Relaxed));
        (is_fresh && factor > 0.0).then(|| factor.min(LARGEST_FACTOR))
    }
}
