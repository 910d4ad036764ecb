//! Successors in packed words: what the backups of each block of a slab read, in the order in which a pass reads it.
//!
//! The words of each block are:
//!
//! - a head: the number of words behind this one, where the block begins, the number of its blocks of external values,
//!   the number of blocks that it reads, and their numbers;
//! - for the slot side and then the row side, by throw: a [`Count`], the places of the blocks that the throw leads to, and
//!   place and relayout of those that are copied into another layout;
//! - by shared square, where a piece of the slot side enters: a place and an [`EntryLayout`], or a copied place and its
//!   relayout;
//! - the same for the row side: a place, or a copied place and its relayout.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(
    unsafe_code,
    reason = "a sweep reads each word of a sublayer, and checks would take a third of that time"
)]

use crate::dense::layout::block::{BlockShape, number_of, place_of};

/// The number that stands for no place: a side never chooses what is there.
pub(crate) const SENTINEL: u32 = u32::MAX >> 1;
/// Set in the number of a block that is copied into another layout; the next word says how.
pub(crate) const COPIED: u32 = 1 << 31;

/// Words of a block that are read one after the other, in the order above.
#[derive(Debug, Clone)]
pub(crate) struct WordReader<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> WordReader<'a> {
    pub(crate) const fn new(words: &'a [u32]) -> Self {
        Self { words, at: 0 }
    }

    /// Returns the next word.
    ///
    /// # Safety
    ///
    /// The words are all words of a block, and have not all been read.
    #[inline(always)]
    pub(crate) unsafe fn next(&mut self) -> u32 {
        debug_assert!(self.at < self.words.len(), "a block has all its words");
        // SAFETY: there is a word that has not been read, as the caller promises.
        let word = unsafe { *self.words.get_unchecked(self.at) };
        self.at += 1;
        word
    }

    /// Skips some words, and returns where they begin and end.
    #[inline(always)]
    pub(crate) fn skip(&mut self, words: usize) -> (usize, usize) {
        self.at += words;
        (self.at - words, self.at)
    }
}

/// How many blocks a throw leads to, in one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(u32);

impl Count {
    pub(crate) const fn new(plain: u32, copied: u32, external: bool) -> Self {
        Self(plain | copied << 8 | (external as u32) << 16)
    }

    #[inline(always)]
    pub(crate) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    /// Returns the number of blocks that are read in place.
    #[inline(always)]
    pub(crate) const fn plain(self) -> usize {
        (self.0 & 255) as usize
    }

    /// Returns the number of blocks that are copied into another layout.
    #[inline(always)]
    pub(crate) const fn copied(self) -> usize {
        (self.0 >> 8 & 255) as usize
    }

    /// Returns whether the throw has a block of external values.
    #[inline(always)]
    pub(crate) const fn external(self) -> bool {
        self.0 >> 16 != 0
    }
}

/// The layout of a block that a piece of the slot side leads to when it enters, in one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryLayout(u32);

impl EntryLayout {
    const SWAPPED: u32 = 1 << 31;
    /// The layout of blocks that are copied into the layout of the block that is backed up: sixteen slots.
    pub(crate) const COPIED: Self = Self(4 << 8);

    /// Returns the layout of a block. `is_swapped` says whether its slots belong to the other side than in the block that is
    /// backed up.
    pub(crate) fn new(shape: BlockShape, is_swapped: bool) -> Self {
        let swapped = if is_swapped { Self::SWAPPED } else { 0 };
        Self(u32::from(shape.slot_left) | shape.width.ilog2() << 8 | swapped)
    }

    #[inline(always)]
    pub(crate) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    /// Returns whether the slot side of the block that is backed up has the rows in this block.
    #[inline(always)]
    pub(crate) const fn is_swapped(self) -> bool {
        self.0 & Self::SWAPPED != 0
    }

    #[inline(always)]
    pub(crate) const fn width(self) -> usize {
        1 << (self.0 >> 8 & 15)
    }

    #[inline(always)]
    pub(crate) const fn slot_left(self) -> u8 {
        (self.0 & 255) as u8
    }
}

/// The words of one block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockWords<'a> {
    /// Where the block begins.
    pub(crate) at: usize,
    /// How many blocks of external values it has.
    pub(crate) externals: usize,
    /// The numbers of the blocks that it reads; empty if they are not asked for.
    pub(crate) sources: &'a [u32],
    /// The words that say where it reads them.
    pub(crate) reads: &'a [u32],
}

/// The number of words of a head without sources.
const HEAD: usize = 4;

impl<'a> BlockWords<'a> {
    /// Returns the first block of `words` and the words behind it.
    #[inline(always)]
    pub(crate) fn split(words: &'a [u32]) -> (Self, &'a [u32]) {
        let (block, rest) = words.split_at(1 + words[0] as usize);
        let (sources, reads) = block[HEAD..].split_at(block[3] as usize);
        (Self { at: place_of(block[1]), externals: block[2] as usize, sources, reads }, rest)
    }

    /// Adds the block to `words`.
    #[expect(clippy::cast_possible_truncation, reason = "a block reads a few hundred others")]
    pub(crate) fn push_to(self, words: &mut Vec<u32>) {
        let (sources, reads) = (self.sources.len(), self.reads.len());
        let len = HEAD - 1 + sources + reads;
        words.extend([len as u32, number_of(self.at), self.externals as u32, sources as u32]);
        words.extend(self.sources);
        words.extend(self.reads);
    }

    /// Returns all blocks of a slab.
    pub(crate) fn all(mut words: &'a [u32]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            if words.is_empty() {
                return None;
            }
            let (block, rest) = Self::split(words);
            words = rest;
            Some(block)
        })
    }
}
