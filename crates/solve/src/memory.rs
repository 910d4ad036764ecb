//! Memory: large buffers, slices shared by threads, prefetching.

pub(crate) mod advice;
pub(crate) mod buffer;
pub(crate) mod disjoint_slice;
pub(crate) mod prefetch;
