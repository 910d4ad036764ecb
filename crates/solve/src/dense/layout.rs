//! Where the values of a sublayer lie.

pub(crate) mod block;
pub(crate) mod estimate;
pub(crate) mod masks;
pub(crate) mod sublayer;
