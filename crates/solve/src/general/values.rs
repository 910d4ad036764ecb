//! The values of a sublayer at work, shared by the threads that sweep it.

use std::sync::atomic::{AtomicU64, Ordering};

use puabi_core::{Indexer, Sublayer};

/// The chance of who is about to roll, by the place of the board seen by light, the senior side: with light about to
/// roll, then with dark.
///
/// A value is written by one thread and read by others in no order that matters: who reads a value while it is written
/// is kept apart by the order of sweeping.
#[derive(Debug)]
pub(super) struct Values {
    half: usize,
    is_mirror: bool,
    cells: Vec<AtomicU64>,
}

impl Values {
    /// Returns values that are all one half.
    pub(super) fn new(sublayer: Sublayer) -> Self {
        let half = usize::try_from(sublayer.half).expect("a sublayer fits memory");
        let cells = (0..2 * half).map(|_| AtomicU64::new(0.5_f64.to_bits())).collect();
        Self { half, is_mirror: sublayer.is_mirror(), cells }
    }

    /// Returns finished values; where a sublayer mirrors itself, dark's are those with the sides exchanged.
    pub(super) fn load(indexer: &Indexer, sublayer: Sublayer, finished: &[f64]) -> Self {
        let values = Self::new(sublayer);
        for (cell, value) in values.cells.iter().zip(finished) {
            cell.store(value.to_bits(), Ordering::Relaxed);
        }
        for place in 0..if sublayer.is_mirror() { values.half } else { 0 } {
            let board = indexer.position(sublayer.base + place as u64);
            let flipped = indexer.place(board.expect("an index below the length").flipped());
            let at = usize::try_from(flipped.offset).expect("a sublayer fits memory");
            values.cells[values.half + place].store(finished[at].to_bits(), Ordering::Relaxed);
        }
        values
    }

    /// Returns the values in index order.
    pub(super) fn publish(&self) -> Box<[f64]> {
        let len = if self.is_mirror { self.half } else { 2 * self.half };
        self.cells[..len].iter().map(|cell| f64::from_bits(cell.load(Ordering::Relaxed))).collect()
    }

    /// The place of a board's value with dark about to roll, less that with light.
    pub(super) const fn half(&self) -> usize {
        self.half
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> f64 {
        f64::from_bits(self.cells[at].load(Ordering::Relaxed))
    }

    #[inline]
    pub(super) fn set(&self, at: usize, value: f64) {
        self.cells[at].store(value.to_bits(), Ordering::Relaxed);
    }
}
