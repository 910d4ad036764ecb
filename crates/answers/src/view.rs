//! What answers look like: the shapes of positions, moves, boards and games in JSON.

pub(crate) mod answer;
pub(crate) mod board;
pub(crate) mod cube;
pub(crate) mod game;
pub(crate) mod position;
pub(crate) mod roll;
