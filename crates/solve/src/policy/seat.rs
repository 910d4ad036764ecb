//! Who plays.

use puabi_core::Agent;

/// Who has a seat.
#[derive(Clone, Copy)]
pub enum Seat<'a> {
    /// Whoever answers the other seat best: takes the most of the measure as light, the least as dark.
    Best,
    /// An agent, who plays by its policy.
    Plays(&'a (dyn Agent + Sync)),
}

impl std::fmt::Debug for Seat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Best => "Best",
            Self::Plays(_) => "Plays(..)",
        })
    }
}
