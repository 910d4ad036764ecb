//! Learning: players with weights, and how these are found.

pub(crate) mod brain;
pub(crate) mod features;
pub(crate) mod linear;
mod shipped;
pub(crate) mod training;
