//! The doubling cube: the points that a game counts, and the player who may double them.
#![expect(clippy::cast_possible_truncation, reason = "a logarithm of a u32 is below 32")]

use std::fmt;
use std::str::FromStr;

use crate::Player;
use crate::text::ascii;
use crate::text::wording::excerpt;

/// A doubling cube: the points that a game counts, the player who may double them, and the highest value.
///
/// It begins at 1 in the middle, where both players may double before any roll of their own. The player who takes a double owns
/// the cube, and only that player may double next.
///
/// ```
/// use puabi_core::{Cube, Player};
/// let cube = Cube::new(64).double(Player::Dark)?;
/// assert_eq!(cube.to_string(), "2:light");
/// assert_eq!("2:light".parse(), Ok(cube));
/// assert_eq!(
///     cube.double(Player::Dark).unwrap_err().to_string(),
///     "a double by dark: expected light, who owns the cube at 2",
/// );
/// # Ok::<(), puabi_core::CubeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    doublings: u8,
    owner: Option<Player>,
    cap: u8,
}

impl Cube {
    /// The highest value that a real cube shows, and the usual cap.
    pub const USUAL_CAP: u32 = 64;
    /// The highest cap.
    pub const MAX_CAP: u32 = 1 << 16;

    /// Returns a cube in the middle that goes up to the largest power of two that is no more than `cap`.
    ///
    /// # Panics
    ///
    /// Panics if the cap is 0 or above [`Cube::MAX_CAP`].
    pub const fn new(cap: u32) -> Self {
        assert!(cap >= 1 && cap <= Self::MAX_CAP, "a cap from 1 to 2^16");
        Self { doublings: 0, owner: None, cap: cap.ilog2() as u8 }
    }

    /// Returns `cap` if it is a valid cap.
    ///
    /// # Errors
    ///
    /// Returns an error if `cap` is not a power of two from 1 to [`Cube::MAX_CAP`].
    pub fn checked_cap(cap: u32) -> Result<u32, CubeError> {
        let is_cap = cap.is_power_of_two() && cap <= Self::MAX_CAP;
        if is_cap { Ok(cap) } else { Err(CubeError::Cap { found: cap }) }
    }

    /// Returns the cube with another cap, or with its own value as the cap if that is higher.
    ///
    /// # Panics
    ///
    /// Panics if `cap` is 0 or larger than [`Cube::MAX_CAP`].
    #[must_use]
    pub const fn capped(self, cap: u32) -> Self {
        let capped = Self::new(cap);
        let cap = if capped.cap < self.doublings { self.doublings } else { capped.cap };
        Self { cap, ..self }
    }

    /// Returns a cube at this value that `owner` owns. Its cap is the usual one, or the value if that is higher.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a power of two from 2 to [`Cube::MAX_CAP`].
    pub fn owned(value: u32, owner: Player) -> Result<Self, CubeError> {
        if !value.is_power_of_two() || !(2..=Self::MAX_CAP).contains(&value) {
            return Err(CubeError::Value { found: value, cap: Self::MAX_CAP });
        }
        let doublings = value.ilog2() as u8;
        Ok(Self { doublings, owner: Some(owner), ..Self::new(value.max(Self::USUAL_CAP)) })
    }

    /// Returns the points that the game counts.
    pub const fn value(self) -> u32 {
        1 << self.doublings
    }

    /// Returns the highest value, at which the cube can no longer be doubled.
    pub const fn cap(self) -> u32 {
        1 << self.cap
    }

    /// Returns how often the cube was doubled.
    pub const fn doublings(self) -> u8 {
        self.doublings
    }

    /// Returns how often the cube may still be doubled.
    pub const fn left(self) -> u8 {
        self.cap - self.doublings
    }

    /// Returns the player who took the last double; `None` if the cube is in the middle.
    pub const fn owner(self) -> Option<Player> {
        self.owner
    }

    /// Returns the cube after `by` has doubled and the opponent has taken.
    ///
    /// # Errors
    ///
    /// Returns an error if the opponent owns the cube, or if the cube is at its cap.
    pub fn double(self, by: Player) -> Result<Self, CubeError> {
        if let Some(owner) = self.owner.filter(|&owner| owner != by) {
            return Err(CubeError::NotOwner { by, owner, value: self.value() });
        }
        if self.doublings == self.cap {
            return Err(CubeError::AtCap { cap: self.cap() });
        }
        Ok(Self { doublings: self.doublings + 1, owner: Some(by.opponent()), ..self })
    }
}

/// The reason why a cube is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CubeError {
    /// A double by a player who may not double.
    #[error("a double by {by}: expected {owner}, who owns the cube at {value}")]
    NotOwner {
        /// The player who doubled.
        by: Player,
        /// The player who may double.
        owner: Player,
        /// What the cube shows.
        value: u32,
    },
    /// A double of a cube at its cap.
    #[error("a double of a cube at {cap}: expected none, it goes no higher")]
    AtCap {
        /// The highest value.
        cap: u32,
    },
    /// A number that is not a cap.
    #[error("a cube that goes up to {found}: expected a power of two from 1 to {}", Cube::MAX_CAP)]
    Cap {
        /// The cap found.
        found: u32,
    },
    /// A value that no cube shows.
    #[error("a cube at {found}: expected a power of two from 1 to {cap}")]
    Value {
        /// The value found.
        found: u32,
        /// The highest value.
        cap: u32,
    },
    /// A text that is not a cube.
    #[error(
        "`{found}` is not a cube: expected a value and its owner, as in `2:light`, or `1` for a cube in the middle"
    )]
    Text {
        /// The text found.
        found: String,
    },
}

impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            Some(owner) => write!(f, "{}:{owner}", self.value()),
            None => write!(f, "{}", self.value()),
        }
    }
}

impl FromStr for Cube {
    type Err = CubeError;

    /// Reads a value and its owner; the cap is the usual one, or the value if that is higher.
    fn from_str(text: &str) -> Result<Self, CubeError> {
        let error = || CubeError::Text { found: excerpt(text).into_owned() };
        let (value, owner) = match text.split_once(':') {
            Some((value, owner)) => (value, Some(owner)),
            None => (text, None),
        };
        let value: u32 = ascii::number(value).ok_or_else(error)?;
        let Some(owner) = owner else {
            return if value == 1 { Ok(Self::new(Self::USUAL_CAP)) } else { Err(error()) };
        };
        let named =
            |player: &Player| owner == player.name() || player.letter().to_string() == owner;
        let owner = Player::BOTH.into_iter().find(named).ok_or_else(error)?;
        if value == 1 { Err(error()) } else { Self::owned(value, owner) }
    }
}
