//! Games: what is asked of them, how they go on, and what is listed of those that are kept.

pub(crate) mod entry;
pub(crate) mod new_game;
pub(crate) mod play;
pub(crate) mod progress;
