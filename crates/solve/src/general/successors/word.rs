//! Words that are as wide as the places in a sublayer require.

/// The bits of a successor's word beside a place.
pub(super) const FLAGS: u32 = 3;

/// A number of 32 or 40 bits.
pub(crate) trait Word: bytemuck::Pod + Default + Send + Sync + std::fmt::Debug {
    const BITS: u32;

    /// The most values that a sublayer may have: a successor's word holds a place and three flags.
    const MOST_PLACES: u64 = 1 << (Self::BITS - FLAGS);

    /// The most positions of a sublayer whose values all have places: blocks that are their own mirror images have two values for
    /// a position.
    const MOST_POSITIONS: u64 = Self::MOST_PLACES / 64 * 63;

    /// Returns the low bits of a number, as many as there is room for.
    fn narrow(word: u64) -> Self;

    fn widen(self) -> u64;
}

impl Word for u32 {
    const BITS: u32 = Self::BITS;

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the code that finds successors checks that the word is whole"
    )]
    fn narrow(word: u64) -> Self {
        word as Self
    }

    #[inline]
    fn widen(self) -> u64 {
        self.into()
    }
}

/// A word of 40 bits, the lowest byte first.
pub(crate) type WideWord = [u8; 5];

impl Word for WideWord {
    const BITS: u32 = 40;

    #[inline]
    fn narrow(word: u64) -> Self {
        let bytes = word.to_le_bytes();
        *bytes.first_chunk().expect("a word has as many bytes and more")
    }

    #[inline]
    fn widen(self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..self.len()].copy_from_slice(&self);
        u64::from_le_bytes(bytes)
    }
}
