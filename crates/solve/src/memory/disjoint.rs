//! Scatter: a slice that several threads write, each in places of its own.
#![expect(unsafe_code, reason = "who writes where is known to the caller alone")]

use std::marker::PhantomData;
use std::ops::Range;

/// A slice that several threads write, each in places of its own.
#[derive(Debug)]
pub(crate) struct Scatter<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: it gives nothing but what a slice that is sent gives; whoever writes vouches that nobody else does there.
unsafe impl<T: Send> Sync for Scatter<'_, T> {}

impl<'a, T> Scatter<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// Returns a part of the slice.
    ///
    /// # Safety
    ///
    /// Nobody else has any of these places at the same time.
    #[expect(clippy::mut_from_ref, reason = "that is what it is for")]
    pub(crate) unsafe fn part(&self, places: Range<usize>) -> &mut [T] {
        assert!(places.start <= places.end && places.end <= self.len);
        // SAFETY: the places lie in the slice, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(places.start), places.len()) }
    }

    /// Writes one value.
    ///
    /// # Safety
    ///
    /// Nobody else reads or writes this place at the same time.
    pub(crate) unsafe fn set(&self, place: usize, value: T) {
        assert!(place < self.len);
        // SAFETY: the place lies in the slice, and nobody else has it.
        unsafe { *self.start.add(place) = value };
    }
}
