//! Vectors of numbers, and the instruction sets they are compiled for.

pub(crate) mod element;
pub(crate) mod registers;
pub(crate) mod select;
pub(crate) mod vector;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
pub(crate) mod x86;
