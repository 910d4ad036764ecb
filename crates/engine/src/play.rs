//! Play: dice, the players' seats, games with people, and the loop that plays a game of agents to its end.

pub(crate) mod dice;
pub(crate) mod doubling;
pub(crate) mod playout;
pub(crate) mod seat;
pub(crate) mod session;
