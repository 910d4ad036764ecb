//! Analysis: what positions and moves are worth, and what that says about a game.

pub(crate) mod answer;
pub(crate) mod cube;
pub(crate) mod cube_review;
pub(crate) mod length;
pub(crate) mod move_values;
pub(crate) mod review;
