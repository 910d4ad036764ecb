//! The seats of a contest.

use puabi_core::Agent;

/// The player in a seat.
#[derive(Clone, Copy)]
pub enum Seat<'a> {
    /// The best answer to the other seat: as light it makes the measure as large as possible, as dark as small as possible.
    Best,
    /// An agent, which plays by its policy.
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
