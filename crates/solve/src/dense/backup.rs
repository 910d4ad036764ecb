//! The backup of a block, vector by vector.

pub(crate) mod best;
pub(crate) mod dispatch;
pub(crate) mod kernel;
pub(crate) mod roll_sum;
pub(crate) mod row;
pub(crate) mod view;
