//! RGN, the text notation of `RoyalUr`: tags, then the moves of both players' turns by tile.

mod reading;
mod scan;
mod tags;
mod tiles;
mod writing;

pub(crate) use reading::read;
pub(crate) use writing::write;

/// The tag of an unusual start, with a position; an addition of ours.
const START: &str = "Start";
/// The tag of a game that ended before its end; an addition of ours.
const END: &str = "End";
