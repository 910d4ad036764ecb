//! Games that are being played, the agents that play them, and who may act for a seat.

pub(crate) mod agents;
pub(crate) mod hosted;
pub(crate) mod keys;
pub(crate) mod play;
