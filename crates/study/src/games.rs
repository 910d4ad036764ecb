//! Games between agents, played on all processors: matches, leagues and the ratings that follow.

pub(crate) mod adjusted;
pub(crate) mod contestant;
pub(crate) mod league;
pub(crate) mod lockstep;
pub(crate) mod match_score;
pub(crate) mod rating;
pub(crate) mod sharing;
pub(crate) mod simulate;
