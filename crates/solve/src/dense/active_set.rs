//! Unrest: which blocks of a sublayer have to be backed up again.
//!
//! A block whose sources have not changed since its last backup would come out the same, bit for bit, so a sweep passes
//! over it. Most blocks come to rest long before the last one does.
//!
//! A block that is the mirror image of one that is swept has a number of its own: it changes when it is written, after its
//! level, and not when the other is backed up.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use crate::simd::vector::Element;

/// What has changed among the blocks of a sublayer, and how much of that their readers have taken in.
#[derive(Debug, Default)]
pub(crate) struct Unrest {
    /// How often each has changed, those that are swept before their images. Read more often than all else, and far apart:
    /// close together they stay in the cache.
    changes: Vec<AtomicU16>,
    /// Those that are swept.
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    /// How often its sources had changed, all together, when it was backed up last. Counts begin again at 2^16; between two
    /// sweeps a block and its image change twice at most, and no block has so many sources.
    heard: AtomicU16,
    /// The sweep in which that was; 0 for never.
    sweep: AtomicU32,
    /// The sweep in which it changed last.
    changed: AtomicU32,
    /// How many times further along their last move its values are taken, as the bits of an f32.
    further: AtomicU32,
}

/// The furthest that a block is moved: what its moves say of a longer way is not to be trusted.
const FURTHEST: f32 = 2.0;

/// What a sweep listens to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listening<'a> {
    unrest: &'a Unrest,
    sweep: u32,
}

impl Unrest {
    /// Forgets all; the next sweep backs up each of so many blocks, which may have images.
    pub(crate) fn start(&mut self, swept: usize) {
        let block = || Block {
            heard: AtomicU16::new(0),
            sweep: AtomicU32::new(0),
            changed: AtomicU32::new(0),
            further: AtomicU32::new(0),
        };
        self.changes.clear();
        self.changes.resize_with(2 * swept, AtomicU16::default);
        self.blocks.clear();
        self.blocks.resize_with(swept, block);
    }

    /// Returns what a sweep listens to; sweeps count from 1.
    pub(crate) fn listen(&self, sweep: u32) -> Listening<'_> {
        Listening { unrest: self, sweep }
    }
}

impl Listening<'_> {
    /// Returns how often the sources of a block have changed, all together, where some have since its last backup.
    #[inline]
    pub(crate) fn hear(self, block: usize, sources: &[u32]) -> Option<u16> {
        let changes = |&source: &u32| self.unrest.changes[source as usize].load(Ordering::Relaxed);
        let changes = sources.iter().map(changes).fold(0, u16::wrapping_add);
        let Block { heard, sweep, .. } = &self.unrest.blocks[block];
        let is_news = changes != heard.load(Ordering::Relaxed);
        (is_news || sweep.load(Ordering::Relaxed) == 0).then_some(changes)
    }

    /// Notes that a block is backed up now, with so many changes of its sources taken in. Returns whether it was in the
    /// sweep before.
    #[inline]
    pub(crate) fn take_in(self, block: usize, heard: u16) -> bool {
        let block = &self.unrest.blocks[block];
        block.heard.store(heard, Ordering::Relaxed);
        block.sweep.swap(self.sweep, Ordering::Relaxed) + 1 == self.sweep
    }

    /// Notes that a block has changed.
    #[inline]
    pub(crate) fn changed(self, block: usize) {
        self.count(block);
        self.unrest.blocks[block].changed.store(self.sweep, Ordering::Relaxed);
    }

    fn count(self, block: usize) {
        let changes = &self.unrest.changes[block];
        changes.store(changes.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Returns whether a block has changed in this sweep, and then notes the same of its image, which is written now.
    #[inline]
    pub(crate) fn change_image(self, block: usize) -> bool {
        let has_changed = self.unrest.blocks[block].changed.load(Ordering::Relaxed) == self.sweep;
        if has_changed {
            self.count(self.unrest.blocks.len() + block);
        }
        has_changed
    }

    /// Notes how many times further along its last move the limit of a block seems to lie.
    #[inline]
    pub(crate) fn seems_further(self, block: usize, further: f64) {
        self.unrest.blocks[block]
            .further
            .store(f32::from_f64(further).to_bits(), Ordering::Relaxed);
    }

    /// Returns how many times further a block is to be moved that this sweep has backed up, if at all.
    #[inline]
    pub(crate) fn further(self, block: usize) -> Option<f32> {
        let Block { sweep, further, .. } = &self.unrest.blocks[block];
        let is_fresh = sweep.load(Ordering::Relaxed) == self.sweep;
        let further = f32::from_bits(further.load(Ordering::Relaxed));
        (is_fresh && further > 0.0).then(|| further.min(FURTHEST))
    }
}
