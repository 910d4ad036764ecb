//! Where the values of a sublayer are stored.

pub(crate) mod block;
pub(crate) mod estimate;
pub(crate) mod masks;
pub(crate) mod sublayer;
