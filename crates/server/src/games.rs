//! Games that are being played, and the agents that play them.

pub(crate) mod agents;
pub(crate) mod play;
