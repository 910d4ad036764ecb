//! The two players, as people and texts tell them apart.

use std::fmt;

/// A player's colour. Positions have no colours; texts, records and screens do.
///
/// ```
/// use puabi_core::Player;
/// assert_eq!(Player::Light.opponent(), Player::Dark);
/// assert_eq!(Player::Dark.letter(), 'D');
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Moves first and starts in lane A.
    Light,
    /// Starts in lane C.
    Dark,
}

impl Player {
    /// Both players, light first.
    pub const BOTH: [Self; 2] = [Self::Light, Self::Dark];

    /// Returns the other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }

    /// Returns `L` or `D`.
    pub const fn letter(self) -> char {
        match self {
            Self::Light => 'L',
            Self::Dark => 'D',
        }
    }

    /// Returns the player with the letter `text`.
    pub(crate) fn from_letter(text: &str) -> Option<Self> {
        match text {
            "L" => Some(Self::Light),
            "D" => Some(Self::Dark),
            _ => None,
        }
    }

    /// Returns `light` or `dark`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
