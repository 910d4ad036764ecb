//! Squares: the steps of a player's own path, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

use crate::text::ascii::number;

/// A step of a player's own path, counted from 1.
///
/// ```
/// use puabi_core::Square;
/// assert_eq!(Square::new(8).map(Square::number), Some(8));
/// assert_eq!(Square::new(0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares of the longest path.
    pub const MAX: u8 = 31;

    /// Returns the square with this number, or `None` outside 1..=31.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// Returns the square with this number; the caller knows that it is in range.
    pub(crate) const fn new_in_range(number: u8) -> Self {
        debug_assert!(number >= 1 && number <= Self::MAX);
        Self(number)
    }

    /// Reads the number of a step.
    pub(crate) fn read(text: &str) -> Option<Self> {
        number(text).and_then(Self::new)
    }

    /// Returns the number of this step, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the number of this step as an index into arrays of 32.
    pub(crate) const fn index(self) -> usize {
        (self.0 & 31) as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of squares of one path; bit `n` of [`Squares::bits`] stands for square `n`.
///
/// ```
/// use puabi_core::{Square, Squares};
/// let squares: Squares = [4, 8].into_iter().filter_map(Square::new).collect();
/// assert_eq!(squares.len(), 2);
/// assert_eq!(squares.bits(), 1 << 4 | 1 << 8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Squares(u32);

impl Squares {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set with these bits; bit 0 stands for no square and is dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & !1)
    }

    /// Returns the squares `first..=last`; empty if `first > last` or if there is no square `last`.
    pub const fn range(first: u8, last: u8) -> Self {
        if first > last || last > Square::MAX {
            return Self::EMPTY;
        }
        let up_to_last = u32::MAX >> (Square::MAX - last);
        Self::from_bits(up_to_last & u32::MAX << first)
    }

    /// Returns the bits of this set, bit `n` for square `n`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares in the set.
    #[expect(clippy::cast_possible_truncation, reason = "a set has at most 31 squares")]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Returns whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Returns the set with `square` in it.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.0)
    }

    /// Returns the set without `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.0))
    }

    /// Returns whether the two sets share a square.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the square of the set with the smallest number.
    #[expect(clippy::cast_possible_truncation, reason = "a bit of 32 has a number below 32")]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the squares of the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let first = rest.first()?;
            rest = Self(rest.0 & (rest.0 - 1));
            Some(first)
        })
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl BitAnd for Squares {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Self;
    fn not(self) -> Self {
        Self::from_bits(!self.0)
    }
}
