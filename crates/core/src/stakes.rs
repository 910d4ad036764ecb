//! What a game is played for: the doubling cube, and the score of the match.

pub(crate) mod away;
pub(crate) mod cube;
pub(crate) mod evaluator;
pub(crate) mod seat;

use std::fmt;
use std::str::FromStr;

use crate::Player;
use crate::stakes::away::{Away, AwayError};
use crate::stakes::cube::{Cube, CubeError};
use crate::text::ascii;
use crate::text::wording::excerpt;

/// What one game is played for: a doubling cube, for money or at a score of a match.
///
/// Stakes belong to the match and not to the rules: the same rule set is played for money, in matches, or for neither.
///
/// ```
/// use puabi_core::{Cube, Player, Stakes};
/// let stakes = Stakes::of_match("3-5".parse()?);
/// assert!(stakes.double(Player::Light)?.cube.value() == 2);
/// let stakes = Stakes::of_match("1-5:crawford".parse()?);
/// assert_eq!(
///     stakes.double(Player::Dark).unwrap_err().to_string(),
///     "a double in the Crawford game: expected none until this game is over",
/// );
/// let stakes = Stakes::of_match("1-1".parse()?);
/// assert_eq!(
///     stakes.double(Player::Dark).unwrap_err().to_string(),
///     "this game decides the match: expected no double",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stakes {
    /// The cube.
    pub cube: Cube,
    /// The score, if the game is one of a match.
    pub score: Option<Away>,
}

impl Stakes {
    /// Returns the stakes of a game for money: each point counts the same.
    pub const fn money(cube: Cube) -> Self {
        Self { cube, score: None }
    }

    /// Returns the stakes at the start of a game of a match.
    pub const fn of_match(score: Away) -> Self {
        Self { cube: Cube::new(score.cap()), score: Some(score) }
    }

    /// Returns the stakes for this cube, this score of a match and this cap, the value at which the cube of a game for money
    /// can no longer be doubled; `None` if nothing is given. A missing cube is in the middle; a missing cap is
    /// [`Cube::USUAL_CAP`].
    ///
    /// # Errors
    ///
    /// Returns an error if there are both a cap and a score, if the cap is not a power of two, if the cube is beyond the cap,
    /// or if [`Stakes::with_cube`] refuses the cube.
    ///
    /// ```
    /// use puabi_core::Stakes;
    /// let stakes = Stakes::from_parts(Some("2:dark".parse()?), None, Some(8))?.expect("a cube");
    /// assert_eq!(stakes.to_string(), "cube 2:dark to 8");
    /// assert_eq!(
    ///     Stakes::from_parts(Some("16:dark".parse()?), None, Some(8)).unwrap_err().to_string(),
    ///     "a cube at 16: expected 8 at most, its cap",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_parts(
        cube: Option<Cube>,
        score: Option<Away>,
        cap: Option<u32>,
    ) -> Result<Option<Self>, StakesError> {
        if let Some(score) = score {
            let stakes = Self::of_match(score);
            return match (cube, cap) {
                (_, Some(cap)) => Err(StakesError::CapOfMatch { cap, most: score.cap() }),
                (Some(cube), None) => stakes.with_cube(cube).map(Some),
                (None, None) => Ok(Some(stakes)),
            };
        }
        if cube.is_none() && cap.is_none() {
            return Ok(None);
        }
        let cap = Cube::checked_cap(cap.unwrap_or(Cube::USUAL_CAP))?;
        let cube = cube.unwrap_or(Cube::new(cap));
        if cube.value() > cap {
            return Err(StakesError::BeyondCap { found: cube.value(), cap });
        }
        Ok(Some(Self::money(cube.capped(cap))))
    }

    /// Returns the stakes with this cube instead.
    ///
    /// # Errors
    ///
    /// Returns an error if neither player of the match can have doubled so far, or if the cube is beyond the value that decides
    /// the match.
    pub fn with_cube(self, cube: Cube) -> Result<Self, StakesError> {
        let Some(score) = self.score else { return Ok(Self { cube, ..self }) };
        if cube.value() > 1 {
            self.ensure_doubles()?;
        }
        if cube.value() > score.cap() {
            return Err(StakesError::BeyondMatch { found: cube.value(), most: score.cap(), score });
        }
        Ok(Self { cube: cube.capped(score.cap()), ..self })
    }

    /// Returns the stakes after `by` has doubled and the opponent has taken.
    ///
    /// # Errors
    ///
    /// Returns an error if `by` may not double: the opponent owns the cube, it is at its cap, the game is the Crawford game, or
    /// it decides the match in any case.
    pub fn double(self, by: Player) -> Result<Self, StakesError> {
        self.ensure_doubles()?;
        Ok(Self { cube: self.cube.double(by)?, ..self })
    }

    /// Returns an error if neither player may double in this game.
    fn ensure_doubles(self) -> Result<(), StakesError> {
        match self.score.filter(|score| score.is_crawford()) {
            None => Ok(()),
            Some(_) if Player::BOTH.into_iter().all(|player| self.decides_for(player)) => {
                Err(StakesError::Decided)
            }
            Some(_) => Err(StakesError::Crawford),
        }
    }

    /// Returns whether `by` may double before a roll and can gain by it. A player who wins the match with the cube as it stands
    /// can gain nothing.
    pub fn may_double(self, by: Player) -> bool {
        !self.decides_for(by) && self.double(by).is_ok()
    }

    /// Returns whether `player` has won the match if this game is won with the cube as it stands.
    pub fn decides_for(self, player: Player) -> bool {
        self.score.is_some_and(|score| score.of(player) <= self.cube.value())
    }
}

/// The reason why stakes are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StakesError {
    /// The cube is refused, or cannot be doubled.
    #[error(transparent)]
    Cube(#[from] CubeError),
    /// A double in the Crawford game.
    #[error("a double in the Crawford game: expected none until this game is over")]
    Crawford,
    /// A double in a game that decides the match, whichever player wins it.
    #[error("this game decides the match: expected no double")]
    Decided,
    /// The score is refused.
    #[error(transparent)]
    Away(#[from] AwayError),
    /// A text that does not describe stakes.
    #[error(
        "`{found}` are not stakes: expected `cube 1 to 64` for money, `cube 1, match 3-5`, or \
             `cube 1, match 1-4:crawford`"
    )]
    Text {
        /// The text found.
        found: String,
    },
    /// A cube that was doubled beyond its cap.
    #[error("a cube at {found}: expected {cap} at most, its cap")]
    BeyondCap {
        /// The value found.
        found: u32,
        /// The highest value.
        cap: u32,
    },
    /// A cap beside the score of a match.
    #[error("a cap of {cap} in a match: expected none, the score caps the cube at {most}")]
    CapOfMatch {
        /// The cap found.
        cap: u32,
        /// The cap that follows from the score.
        most: u32,
    },
    /// A cube beyond the value that decides the match.
    #[error(
        "a cube at {found} in a match at {score}: expected {most} at most, which decides the match"
    )]
    BeyondMatch {
        /// The value found.
        found: u32,
        /// The largest value that makes a difference.
        most: u32,
        /// The score.
        score: Away,
    },
}

impl fmt::Display for Stakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Some(score) => write!(f, "cube {}, match {score}", self.cube),
            None => write!(f, "cube {} to {}", self.cube, self.cube.cap()),
        }
    }
}

impl FromStr for Stakes {
    type Err = StakesError;

    fn from_str(text: &str) -> Result<Self, StakesError> {
        let error = || StakesError::Text { found: excerpt(text).into_owned() };
        let cube = text.strip_prefix("cube ").ok_or_else(error)?;
        if let Some((cube, score)) = cube.split_once(", match ") {
            return Self::of_match(score.parse()?).with_cube(cube.parse()?);
        }
        let (cube, cap) = cube.split_once(" to ").ok_or_else(error)?;
        let cube: Cube = cube.parse()?;
        let cap: u32 = ascii::number(cap).ok_or_else(error)?;
        if !cap.is_power_of_two() || cap > Cube::MAX_CAP {
            return Err(CubeError::Cap { found: cap }.into());
        }
        if cap < cube.value() {
            return Err(StakesError::BeyondCap { found: cube.value(), cap });
        }
        Ok(Self::money(cube.capped(cap)))
    }
}
