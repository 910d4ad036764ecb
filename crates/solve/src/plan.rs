//! The order of the sublayers, and estimates of the time and memory that they take.

pub(crate) mod dependencies;
pub(crate) mod memory;
pub(crate) mod size;
pub(crate) mod spread;
