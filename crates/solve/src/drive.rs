//! From nothing to the fixed point, sublayer by sublayer.

pub(crate) mod divided;
pub(crate) mod engine;
pub(crate) mod exchange;
pub(crate) mod graph;
pub(crate) mod iterate;
pub(crate) mod schedule;
pub(crate) mod statistics;
pub(crate) mod workers;
