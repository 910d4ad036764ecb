//! Play: dice, who sits at the board, and a game as it is played.

pub(crate) mod dice;
pub(crate) mod playout;
pub(crate) mod seat;
pub(crate) mod session;
