//! Drives a solve: the schedule of sublayers, and the iteration of each one to its fixed point.

pub(crate) mod divided;
pub(crate) mod engine;
pub(crate) mod exchange;
pub(crate) mod graph;
pub(crate) mod iterate;
pub(crate) mod preparation;
pub(crate) mod schedule;
pub(crate) mod statistics;
pub(crate) mod workers;
