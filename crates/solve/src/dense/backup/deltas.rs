//! The last deltas of the values in the blocks that are swept.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "deltas are read and written through raw pointers")]

use std::ops::Range;

use crate::memory::prefetch::prefetch;
use crate::simd::vector::{Element, Vector};

/// Deltas in places as those of the values that are swept: with the senior and then with the junior about to roll.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deltas<T> {
    /// In the precision of the values.
    Same(*mut T),
    /// In single precision, of values in double precision: deltas only say how far to go on.
    Single(*mut f32),
}

impl<T: Element> Deltas<T> {
    /// Prefetches those at some places.
    #[inline(always)]
    pub(super) fn prefetch(self, places: Range<usize>) {
        match self {
            Self::Same(deltas) => prefetch_each(deltas, places),
            Self::Single(deltas) => prefetch_each(deltas, places),
        }
    }

    /// Returns where those at some places lie.
    pub(crate) fn bytes(self, places: Range<usize>) -> Range<*const u8> {
        let at = |place| match self {
            Self::Same(deltas) => deltas.wrapping_add(place).cast_const().cast(),
            Self::Single(deltas) => deltas.wrapping_add(place).cast_const().cast(),
        };
        at(places.start)..at(places.end)
    }

    /// Returns `N` of them.
    ///
    /// # Safety
    ///
    /// There are as many from `at` on, and no other thread writes them.
    #[inline(always)]
    pub(super) unsafe fn load<const N: usize>(self, at: usize) -> Vector<T, N> {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => Vector::load(deltas.add(at)),
                Self::Single(deltas) => Vector::<f32, N>::load(deltas.add(at)).cast(),
            }
        }
    }

    /// Writes `N` of them.
    ///
    /// # Safety
    ///
    /// There is room for as many from `at` on, and no other thread reads or writes them.
    #[inline(always)]
    pub(super) unsafe fn store<const N: usize>(self, at: usize, values: Vector<T, N>) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => values.store(deltas.add(at)),
                Self::Single(deltas) => values.cast().store(deltas.add(at)),
            }
        }
    }

    /// Makes those at some places zero.
    ///
    /// # Safety
    ///
    /// There are such places, and no other thread reads or writes them.
    pub(super) unsafe fn clear(self, places: Range<usize>) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => deltas.add(places.start).write_bytes(0, places.len()),
                Self::Single(deltas) => deltas.add(places.start).write_bytes(0, places.len()),
            }
        }
    }

    /// Returns the one at a place.
    ///
    /// # Safety
    ///
    /// As for [`Deltas::load`].
    #[inline(always)]
    pub(crate) unsafe fn at(self, at: usize) -> T {
        // SAFETY: as the caller promises.
        let [delta] = unsafe { self.load::<1>(at) }.0;
        delta
    }
}

#[inline(always)]
fn prefetch_each<E>(numbers: *const E, places: Range<usize>) {
    for at in places.step_by(64 / size_of::<E>()) {
        prefetch(numbers.wrapping_add(at));
    }
}
