//! Play: dice, the players' seats, games with people, and games that agents play to their end.

pub(crate) mod dice;
pub(crate) mod doubling;
pub(crate) mod playout;
pub(crate) mod seat;
pub(crate) mod session;
