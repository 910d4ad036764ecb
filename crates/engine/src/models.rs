//! Models: players with weights.

pub(crate) mod brain;
pub(crate) mod features;
pub(crate) mod linear;
mod shipped;
