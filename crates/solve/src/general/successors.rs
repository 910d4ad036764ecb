//! Successors: what the moves of a block's configuration lead to, found once for all sweeps.
//!
//! A block begins with a word for each roll that moves pieces, which has a [`Head`] for each player. Then come light's successors,
//! roll by roll, and dark's: a [`Successor`] for each move of the configuration, and for each origin from the lowest. Words are as
//! wide as the places in the sublayers require.

pub(super) mod find;
pub(super) mod packed;
pub(super) mod runs;
pub(super) mod word;

use word::{FLAGS, Word};

/// Where a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Successor {
    /// The place of the first value: among those at work, or in a finished sublayer.
    pub(super) at: usize,
    /// Whether a piece of the other player goes back to hand.
    pub(super) captures: bool,
    /// Whether the values are those of the mirror image.
    pub(super) is_image: bool,
    /// What the move leads to if it leaves the sublayer.
    pub(super) external: Option<External>,
}

/// What a move out of the sublayer leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum External {
    /// The game is won.
    Won,
    /// Another sublayer.
    Into {
        /// Its index.
        sublayer: usize,
        /// Whether light is about to roll there.
        light_rolls: bool,
        /// Whether dark is the senior side there.
        is_swapped: bool,
    },
}

const EXTERNAL: u64 = 1;
const IMAGE: u64 = 2;
const CAPTURES: u64 = 4;
/// Candidates need no flag for captures, since each leads to one board: they use it for the last one of a roll.
const LAST: u64 = CAPTURES;

const SWAPPED: u64 = 1;
const LIGHT_ROLLS: u64 = 2;
const EXTERNAL_FLAGS: u32 = 2;
const WON: u64 = u32::MAX as u64;

const fn flag(is_set: bool, flag: u64) -> u64 {
    if is_set { flag } else { 0 }
}

/// Counts the successors of one player and roll: the number of the configuration's moves in the low four bits, then one bit for
/// each origin (0 the hand, then the pre squares) from which a piece comes onto the configuration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head(u16);

impl Head {
    const MOVES: u32 = 4;

    /// The most successors that there can be.
    pub(super) const MOST: usize = (1 << Self::MOVES) - 1 + (u16::BITS - Self::MOVES) as usize;

    /// Returns a player's half of the word of a roll.
    #[inline]
    pub(super) const fn from_word(word: u64, is_dark: bool) -> Self {
        Self((word >> Self::half(is_dark) & 0xffff) as u16)
    }

    /// Returns what a successor, given by the origin of its piece, adds to the word of its roll.
    fn one(origin: Option<u8>, is_dark: bool) -> u64 {
        origin.map_or(1, |origin| 1 << Self::MOVES << origin) << Self::half(is_dark)
    }

    const fn half(is_dark: bool) -> u32 {
        if is_dark { 16 } else { 0 }
    }

    /// Returns the number of successors.
    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.moves() + self.origins().count_ones()
    }

    /// Returns the number of successors that are moves of the configuration.
    #[inline]
    pub(super) const fn moves(self) -> u32 {
        self.0 as u32 & 0xf
    }

    /// Returns a bit for the origin of each other successor.
    #[inline]
    pub(super) const fn origins(self) -> u32 {
        self.0 as u32 >> Self::MOVES
    }
}

/// Successors that are read one after the other.
#[derive(Debug, Clone)]
pub(super) struct Words<'a, W>(std::slice::Iter<'a, W>);

/// A successor of a roll on a single board that may be the best: a place among the values at work, or among exits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate(u64);

impl Candidate {
    /// Returns the candidate of a successor within the sublayer, or `None` if the successor leads out.
    pub(super) fn within(successor: Successor) -> Option<Self> {
        let word = place_word(successor.at) | flag(successor.is_image, IMAGE);
        successor.external.is_none().then_some(Self(word))
    }

    /// Returns the candidate that has the value of the exit with this number.
    pub(super) fn exit(number: usize) -> Self {
        Self(place_word(number) | EXTERNAL)
    }

    /// Returns this candidate, marked as the last of its roll.
    pub(super) const fn last(self) -> Self {
        Self(self.0 | LAST)
    }

    #[inline]
    pub(super) const fn from_word(word: u64) -> Self {
        Self(word)
    }

    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// Returns the place of its value.
    #[inline]
    pub(super) const fn at(self) -> usize {
        (self.0 >> FLAGS) as usize
    }

    /// Returns whether the place is among exits.
    #[inline]
    pub(super) const fn is_exit(self) -> bool {
        self.0 & EXTERNAL != 0
    }

    /// Returns whether the value is that of the mirror image.
    #[inline]
    pub(super) const fn is_image(self) -> bool {
        self.0 & IMAGE != 0
    }

    /// Returns whether this is the last candidate of its roll.
    #[inline]
    pub(super) const fn is_last(self) -> bool {
        self.0 & LAST != 0
    }
}

/// The number of words between the one that is read and those that are prefetched.
const AHEAD: usize = 72;

impl<'a, W: Word> Words<'a, W> {
    pub(super) fn new(words: &'a [W]) -> Self {
        Self(words.iter())
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.0.next().expect("successors are whole").widen()
    }

    /// Reads some words: the heads of a block.
    #[inline]
    pub(super) fn take(&mut self, count: usize) -> &'a [W] {
        let (words, rest) = self.0.as_slice().split_at(count);
        self.0 = rest.iter();
        words
    }

    /// Returns the places that `N` words to come may name. Their number is the same each time, whatever blocks have, so that a
    /// loop over them has a known length. A word that is not a place gives one all the same.
    #[inline]
    pub(super) fn soon<const N: usize>(&self) -> Option<impl Iterator<Item = usize>> {
        let soon: &[W; N] = self.0.as_slice().get(AHEAD..)?.first_chunk()?;
        Some(soon.iter().map(|word| (word.widen() >> FLAGS) as usize))
    }
}

impl Successor {
    /// Reads a successor; it takes one word, or two if it leads out.
    #[inline]
    pub(super) fn read(words: &mut Words<'_, impl Word>) -> Self {
        let word = words.next();
        Self {
            at: (word >> FLAGS) as usize,
            captures: word & CAPTURES != 0,
            is_image: word & IMAGE != 0,
            external: (word & EXTERNAL != 0).then(|| External::read(words.next())),
        }
    }
}

impl External {
    #[inline]
    pub(super) const fn read(word: u64) -> Self {
        match word {
            WON => Self::Won,
            word => Self::Into {
                sublayer: (word >> EXTERNAL_FLAGS) as usize,
                light_rolls: word & LIGHT_ROLLS != 0,
                is_swapped: word & SWAPPED != 0,
            },
        }
    }

    pub(super) fn word(self) -> u64 {
        match self {
            Self::Won => WON,
            Self::Into { sublayer, light_rolls, is_swapped } => {
                (sublayer as u64) << EXTERNAL_FLAGS
                    | flag(light_rolls, LIGHT_ROLLS)
                    | flag(is_swapped, SWAPPED)
            }
        }
    }
}

fn place_word(at: usize) -> u64 {
    (at as u64) << FLAGS
}
