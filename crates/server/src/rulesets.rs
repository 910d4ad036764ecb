//! Rule sets by name, and their tables.

pub(crate) mod catalog;
pub(crate) mod cubes;
pub(crate) mod judge;
pub(crate) mod tables;
pub(crate) mod variant;
