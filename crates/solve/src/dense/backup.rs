//! The backup of a block, vector by vector.

pub(crate) mod block;
pub(crate) mod deltas;
pub(crate) mod dispatch;
pub(crate) mod inputs;
pub(crate) mod reduce;
pub(crate) mod roll_sum;
pub(crate) mod row;
pub(crate) mod row_moves;
pub(crate) mod slab;
pub(crate) mod stretch;
pub(crate) mod view;
