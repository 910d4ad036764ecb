//! Frames and keys, from a start to a finished game.
