//! The JSON notation of `RoyalUr`: settings, a start, and the states that matter.

mod initial;
mod reading;
mod shapes;
mod writing;

pub(crate) use reading::read;
pub(crate) use writing::write;

/// The version that is written; the one before is read too.
const VERSION: u64 = 2;
/// The key of a state's metadata that holds a comment of ours.
const COMMENT: &str = "Comment";
