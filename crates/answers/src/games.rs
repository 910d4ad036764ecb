//! Games: requests about them, how they go on, and lists of the kept ones.

pub(crate) mod entry;
pub(crate) mod new_game;
pub(crate) mod play;
pub(crate) mod progress;
