//! Dice: binary dice and the chances of their sums.

use std::fmt;
use std::str::FromStr;

use crate::text::ascii::number;
use crate::text::wording::excerpt;

/// The outcome of one throw of all the dice: the number of squares to move.
///
/// ```
/// use puabi_core::Roll;
/// assert_eq!(Roll::new(3).steps(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll(u8);

impl Roll {
    /// Returns the roll that moves a piece `steps` squares.
    pub const fn new(steps: u8) -> Self {
        Self(steps)
    }

    /// Reads a roll that some dice can show: 0 to [`Dice::MAX_ROLL`], without leading zeros.
    pub fn read(text: &str) -> Option<Self> {
        number(text).filter(|&steps| steps <= Dice::MAX_ROLL).map(Self)
    }

    /// Returns the number of squares to move.
    pub const fn steps(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Binary dice, each showing 0 or 1 with equal chance; a throw counts their sum.
///
/// Written `4d` for four dice, and `3d0=4` for three dice of which a sum of zero counts as four.
///
/// ```
/// use puabi_core::Dice;
/// let dice: Dice = "3d0=4".parse()?;
/// let chances: Vec<_> = dice.rolls().map(|(roll, chance)| (roll.steps(), chance)).collect();
/// assert_eq!(chances, [(1, 0.375), (2, 0.375), (3, 0.125), (4, 0.125)]);
/// # Ok::<(), puabi_core::DiceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dice {
    count: u8,
    zero_as: u8,
}

impl Dice {
    /// The most dice in one throw.
    pub const MAX_COUNT: u8 = 8;
    /// The longest roll that dice may give.
    pub const MAX_ROLL: u8 = 15;

    /// Four binary dice: 0 to 4 with chances 1, 4, 6, 4, 1 in 16.
    pub const FOUR: Self = Self { count: 4, zero_as: 0 };
    /// Three binary dice, zero counting as four: 1 to 4 with chances 3, 3, 1, 1 in 8.
    pub const THREE_ZERO_IS_FOUR: Self = Self { count: 3, zero_as: 4 };

    /// Returns `count` dice of which a sum of zero counts as `zero_as`, or `None` if a number is out of range.
    pub const fn new(count: u8, zero_as: u8) -> Option<Self> {
        if count >= 1 && count <= Self::MAX_COUNT && zero_as <= Self::MAX_ROLL {
            Some(Self { count, zero_as })
        } else {
            None
        }
    }

    /// Returns the number of dice.
    pub const fn count(self) -> u8 {
        self.count
    }

    /// Returns what a throw of all zeros counts as.
    pub const fn zero_as(self) -> u8 {
        self.zero_as
    }

    /// Returns the chance (0..=1, exact) of `roll`.
    pub fn chance(self, roll: Roll) -> f64 {
        let mut ways = 0.0;
        if roll.0 >= 1 && roll.0 <= self.count {
            ways += binomial(self.count, roll.0);
        }
        if roll.0 == self.zero_as {
            ways += 1.0;
        }
        ways / f64::from(1_u32 << self.count)
    }

    /// Returns whether `roll` can be thrown.
    pub(crate) const fn can_show(self, roll: Roll) -> bool {
        let steps = roll.steps();
        steps == self.zero_as || (steps >= 1 && steps <= self.count)
    }

    /// Returns every roll that can be thrown, ascending, with its chance; the chances sum to one exactly.
    pub fn rolls(self) -> impl Iterator<Item = (Roll, f64)> {
        (0..=Self::MAX_ROLL)
            .map(move |steps| (Roll(steps), self.chance(Roll(steps))))
            .filter(move |&(roll, _)| self.can_show(roll))
    }

    /// Returns the longest roll.
    pub fn longest(self) -> Roll {
        Roll(self.count.max(self.zero_as))
    }
}

fn binomial(n: u8, k: u8) -> f64 {
    (0..k).fold(1.0, |ways, i| ways * f64::from(n - i) / f64::from(i + 1))
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.zero_as {
            0 => write!(f, "{}d", self.count),
            steps => write!(f, "{}d0={steps}", self.count),
        }
    }
}

/// The error of a text that names no dice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not a kind of dice: expected `4d` for four binary dice (1 to {max}), or `3d0=4` if zero counts as four",
    max = Dice::MAX_COUNT
)]
pub struct DiceError {
    found: String,
}

impl FromStr for Dice {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let parse = || {
            let (count, zero) = text.split_once('d')?;
            let zero_as = match zero {
                "" => 0,
                zero => number(zero.strip_prefix("0=")?)?,
            };
            Dice::new(number(count)?, zero_as)
        };
        parse().ok_or_else(|| DiceError { found: excerpt(text).into_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_one_for_all_dice() {
        for count in 1..=Dice::MAX_COUNT {
            for zero_as in 0..=Dice::MAX_ROLL {
                let dice = Dice::new(count, zero_as).unwrap();
                let sum: f64 = dice.rolls().map(|(_, chance)| chance).sum();
                assert_eq!(sum.to_bits(), 1.0_f64.to_bits(), "{dice}");
                assert_eq!(dice.to_string().parse(), Ok(dice));
            }
        }
    }

    #[test]
    fn texts_that_are_no_dice_are_refused() {
        for text in ["", "d", "0d", "9d", "4", "4d0", "4d0=", "3d0=16", "+4d", "04d", "4d1=3"] {
            assert!(text.parse::<Dice>().is_err(), "{text}");
        }
    }
}
