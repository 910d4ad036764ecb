//! What the backups of each block read.

pub(crate) mod external;
pub(crate) mod links;
pub(crate) mod relayout;
