//! Vectors of numbers, and the instruction sets they are compiled for.

pub(crate) mod select;
pub(crate) mod vector;
