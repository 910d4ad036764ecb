//! Large buffers and how threads share them.

pub(crate) mod buffer;
pub(crate) mod disjoint;
pub(crate) mod prefetch;
