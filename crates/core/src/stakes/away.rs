//! The score of a match: the points that each player is away from winning it.

use std::fmt;
use std::str::FromStr;

use crate::Player;
use crate::text::ascii;
use crate::text::wording::excerpt;

/// The score of a match: how many points each player still needs, and whether the next game is the Crawford game.
///
/// In the Crawford game, the first one in which a player needs only one point, neither player may double.
///
/// ```
/// use puabi_core::{Away, Player};
/// let score = Away::start(7)?;
/// assert_eq!(score.after(Player::Light, 4).map(|next| next.to_string()), Some("3-7".to_owned()));
/// assert_eq!(score.after(Player::Light, 6).map(|next| next.to_string()), Some("1-7:crawford".to_owned()));
/// assert_eq!(score.after(Player::Light, 8), None);
/// # Ok::<(), puabi_core::AwayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Away {
    points: [u32; 2],
    is_crawford: bool,
}

impl Away {
    /// The most points of a match.
    pub const MOST: u32 = 99;

    /// Returns the score at which light and dark need these points; a game in which one of them needs one point comes after
    /// the Crawford game unless `is_crawford`.
    ///
    /// # Errors
    ///
    /// Returns an error if a player needs no point or more than [`Away::MOST`] points, or if neither player needs one point in
    /// the Crawford game.
    pub fn new(points: [u32; 2], is_crawford: bool) -> Result<Self, AwayError> {
        if let Some(&found) = points.iter().find(|points| !(1..=Self::MOST).contains(points)) {
            return Err(AwayError::Points { found });
        }
        if is_crawford && !points.contains(&1) {
            return Err(AwayError::Crawford { points });
        }
        Ok(Self { points, is_crawford: is_crawford || points == [1, 1] })
    }

    /// Returns the score at the start of a match to `points`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Away::new`].
    pub fn start(points: u32) -> Result<Self, AwayError> {
        Self::new([points; 2], points == 1)
    }

    /// Returns the points that a player needs.
    pub const fn of(self, player: Player) -> u32 {
        self.points[player as usize]
    }

    /// Returns whether doubling is barred: in the Crawford game, and at 1-1, where no double would change anything.
    pub const fn is_crawford(self) -> bool {
        self.is_crawford
    }

    /// Returns the score after `winner` has won a game of this many points; `None` if that wins the match.
    pub fn after(self, winner: Player, points: u32) -> Option<Self> {
        let mut left = self.points;
        left[winner as usize] =
            left[winner as usize].checked_sub(points).filter(|&left| left > 0)?;
        let is_first = left[winner as usize] == 1 && !self.points.contains(&1);
        Some(Self { points: left, is_crawford: is_first || left == [1, 1] })
    }

    /// Returns the cap of the cube at this score: the smallest value with which a game decides the match whichever player wins it,
    /// or 1 if doubling is barred. Neither player gains by doubling such a cube.
    pub const fn cap(self) -> u32 {
        if self.is_crawford {
            return 1;
        }
        let [light, dark] = self.points;
        let most = if light > dark { light } else { dark };
        most.next_power_of_two()
    }
}

/// The reason why a score is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AwayError {
    /// A player who needs too few or too many points.
    #[error("a player who needs {found} points: expected 1 to {}", Away::MOST)]
    Points {
        /// The points found.
        found: u32,
    },
    /// A Crawford game in which neither player is one point away.
    #[error("the Crawford game at {}-{}: expected a player who needs one point", points[0], points[1])]
    Crawford {
        /// The points found.
        points: [u32; 2],
    },
    /// A text that is not a score.
    #[error(
        "`{found}` is not a score: expected the points that light and dark need, as in `3-5` or `1-4:crawford`"
    )]
    Text {
        /// The text found.
        found: String,
    },
}

impl fmt::Display for Away {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [light, dark] = self.points;
        write!(f, "{light}-{dark}")?;
        if self.is_crawford && self.points != [1, 1] { f.write_str(":crawford") } else { Ok(()) }
    }
}

impl FromStr for Away {
    type Err = AwayError;

    fn from_str(text: &str) -> Result<Self, AwayError> {
        let error = || AwayError::Text { found: excerpt(text).into_owned() };
        let (points, is_crawford) = match text.split_once(':') {
            Some((points, "crawford")) => (points, true),
            Some(_) => return Err(error()),
            None => (text, false),
        };
        let (light, dark) = points.split_once('-').ok_or_else(error)?;
        let points = |text: &str| ascii::number(text).ok_or_else(error);
        Self::new([points(light)?, points(dark)?], is_crawford)
    }
}
