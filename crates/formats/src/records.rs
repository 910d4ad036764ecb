//! Game records: our own notation, and the notations of other programs.

pub(crate) mod conversion;
mod json;
mod log;
pub(crate) mod notation;
pub(crate) mod place;
mod playback;
pub(crate) mod position_code;
mod rgn;
pub(crate) mod settings;
mod tags;
