//! Game records: our own notation, and the notations of other programs.

pub(crate) mod conversion;
mod json;
mod log;
pub(crate) mod notation;
mod playback;
pub(crate) mod position_code;
pub(crate) mod problem;
mod rgn;
pub(crate) mod settings;
mod tags;
