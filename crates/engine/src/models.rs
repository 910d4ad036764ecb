//! Models: players with weights.

pub(crate) mod brain;
pub(crate) mod features;
pub(crate) mod linear;
pub(crate) mod model;
pub(crate) mod net;
