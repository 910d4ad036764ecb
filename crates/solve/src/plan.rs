//! The order of work, and how much it is.

pub(crate) mod dependencies;
pub(crate) mod memory;
pub(crate) mod size;
pub(crate) mod spread;
