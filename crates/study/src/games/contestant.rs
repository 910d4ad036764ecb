//! The two sides of a match, whatever colours they play.

use puabi_core::Player;

/// One of the two agents of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contestant {
    /// The agent that is named first.
    A,
    /// The other agent.
    B,
}

impl Contestant {
    /// Returns the other contestant.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Returns the contestant that plays `player` in a game in which this one plays light.
    #[must_use]
    pub(crate) const fn playing(self, player: Player) -> Self {
        match player {
            Player::Light => self,
            Player::Dark => self.other(),
        }
    }
}
