//! The order of work.

pub(crate) mod dependencies;
