//! Cells: the values of a unit while it is swept, shared by the threads that sweep it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::memory::prefetch::prefetch;

/// Cells of `N` values each. The order of sweeping keeps a thread from reading a cell while another thread writes it, so relaxed
/// atomic operations suffice.
#[derive(Debug)]
pub(super) struct Cells<const N: usize>(Vec<[AtomicU64; N]>);

impl<const N: usize> Cells<N> {
    /// Returns the given number of cells, all of which hold `values`.
    pub(super) fn new(cells: usize, values: [f64; N]) -> Self {
        Self((0..cells).map(|_| values.map(|value| AtomicU64::new(value.to_bits()))).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Prefetches a cell that is read soon. This is a hint to the processor and does nothing else.
    #[inline]
    pub(super) fn prefetch(&self, cell: usize) {
        prefetch(&raw const self.0[cell]);
    }

    /// Returns what a cell holds.
    #[inline]
    pub(super) fn get(&self, cell: usize) -> [f64; N] {
        let cell = &self.0[cell];
        std::array::from_fn(|measure| f64::from_bits(cell[measure].load(Ordering::Relaxed)))
    }

    /// Changes what a cell holds.
    #[inline]
    pub(super) fn set(&self, cell: usize, values: [f64; N]) {
        for (cell, value) in self.0[cell].iter().zip(values) {
            cell.store(value.to_bits(), Ordering::Relaxed);
        }
    }
}
