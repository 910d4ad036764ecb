//! Unrest: which blocks of a sublayer have to be backed up again.
//!
//! A block whose sources have not changed since its last backup would come out the same, bit for bit, so a sweep passes
//! over it. Most blocks come to rest long before the last one does.

use std::sync::atomic::{AtomicU32, Ordering};

/// What has changed among the blocks of a sublayer, and how much of that their readers have taken in.
#[derive(Debug, Default)]
pub(crate) struct Unrest {
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    /// How often it has changed.
    changes: AtomicU32,
    /// How often its sources had changed, all together, when it was backed up last.
    heard: AtomicU32,
    /// The sweep in which that was.
    sweep: AtomicU32,
}

/// More changes than there can be.
const NOTHING_HEARD: u32 = u32::MAX;

/// What a sweep listens to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listening<'a> {
    unrest: &'a Unrest,
    sweep: u32,
}

impl Unrest {
    /// Forgets all; the next sweep backs up each of so many blocks.
    pub(crate) fn start(&mut self, blocks: usize) {
        let block = || Block {
            changes: AtomicU32::new(0),
            heard: AtomicU32::new(NOTHING_HEARD),
            sweep: AtomicU32::new(0),
        };
        self.blocks.clear();
        self.blocks.resize_with(blocks, block);
    }

    /// Returns what a sweep listens to; sweeps count from 1.
    pub(crate) fn listen(&self, sweep: u32) -> Listening<'_> {
        Listening { unrest: self, sweep }
    }
}

impl Listening<'_> {
    /// Returns how often the sources of a block have changed, all together, where some have since its last backup.
    #[inline]
    pub(crate) fn hear(self, block: usize, sources: &[u32]) -> Option<u32> {
        let changes =
            |&source: &u32| self.unrest.blocks[source as usize].changes.load(Ordering::Relaxed);
        let changes = sources.iter().map(changes).sum();
        (changes != self.unrest.blocks[block].heard.load(Ordering::Relaxed)).then_some(changes)
    }

    /// Notes that a block is backed up now, with so many changes of its sources taken in. Returns whether it was in the
    /// sweep before.
    #[inline]
    pub(crate) fn take_in(self, block: usize, heard: u32) -> bool {
        let block = &self.unrest.blocks[block];
        block.heard.store(heard, Ordering::Relaxed);
        block.sweep.swap(self.sweep, Ordering::Relaxed) + 1 == self.sweep
    }

    /// Notes that a block has changed.
    #[inline]
    pub(crate) fn changed(self, block: usize) {
        let changes = &self.unrest.blocks[block].changes;
        changes.store(changes.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Returns whether a block was backed up in this sweep.
    #[inline]
    pub(crate) fn is_fresh(self, block: usize) -> bool {
        self.unrest.blocks[block].sweep.load(Ordering::Relaxed) == self.sweep
    }
}
