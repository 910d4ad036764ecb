//! The dense engine, also called the vector engine: games with one piece a square and four pre squares, swept in rows of slots.

pub(crate) mod active_set;
pub(crate) mod backup;
pub(crate) mod engine;
pub(crate) mod layout;
pub(crate) mod successors;
