//! Rule sets by name, and their tables.

pub(crate) mod library;
pub(crate) mod tables;
pub(crate) mod variant;
