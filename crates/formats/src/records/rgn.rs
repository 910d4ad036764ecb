//! RGN, the text notation of `RoyalUr`: tags, then the moves of both players' turns by tile.

mod reading;
mod scan;
mod tags;
mod tiles;
mod writing;

pub(crate) use reading::read;
pub(crate) use writing::write;
