//! Memory: large buffers, runs that are read in order, slices shared by threads, prefetching.

pub(crate) mod advice;
pub(crate) mod buffer;
pub(crate) mod disjoint_slice;
pub(crate) mod prefetch;
pub(crate) mod shelf;
pub(crate) mod spill;
