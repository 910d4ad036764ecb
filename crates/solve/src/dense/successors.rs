//! What the backups of each block read.

pub(crate) mod external;
pub(crate) mod find;
pub(crate) mod kept;
pub(crate) mod packed;
pub(crate) mod relayout;
