//! The agents that play games, and who may act for a seat.

pub(crate) mod agents;
pub(crate) mod hosted;
pub(crate) mod keys;
