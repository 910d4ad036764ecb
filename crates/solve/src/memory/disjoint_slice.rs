//! A slice that several threads write, each in places of its own.
#![expect(unsafe_code, reason = "only the caller knows which thread writes where")]

use std::marker::PhantomData;
use std::ops::Range;

/// A slice that several threads write, each in places of its own.
#[derive(Debug)]
pub(crate) struct DisjointSlice<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: shared, it gives access to its elements only through `part`, whose callers keep their places apart; so each
// element has one owner at a time, as if the slice had been split and its parts sent to the threads.
unsafe impl<T: Send> Sync for DisjointSlice<'_, T> {}

impl<'a, T> DisjointSlice<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// Returns a part of the slice.
    ///
    /// # Safety
    ///
    /// As long as the part is in use, no other part contains any of its places.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "parts do not overlap")]
    pub(crate) unsafe fn part(&self, places: Range<usize>) -> &mut [T] {
        assert!(places.start <= places.end && places.end <= self.len);
        // SAFETY: the places lie in the slice, as was checked, and the caller has no other reference to any of them.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(places.start), places.len()) }
    }

    /// Writes one value.
    ///
    /// # Safety
    ///
    /// No part in use contains this place, and no other thread writes it at the same time.
    #[inline]
    pub(crate) unsafe fn set(&self, place: usize, value: T) {
        // SAFETY: the part is the one place that the caller has for itself.
        unsafe { self.part(place..place + 1)[0] = value };
    }
}
