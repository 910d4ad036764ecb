//! The arena: agents against each other, exactly or game by game, and their ratings.

pub(crate) mod bout;
mod flight;
pub(crate) mod league;
pub(crate) mod matchup;
pub(crate) mod rating;
pub(crate) mod simulation;
pub(crate) mod tally;
