//! The JSON notation of `RoyalUr`: settings, a start, and the states that matter.

mod initial;
mod reading;
mod shapes;
mod writing;

pub(crate) use reading::read;
pub(crate) use writing::write;
