//! Ribbons: a bit for each of many keys in little more than a bit of memory.
//!
//! Each key stands for an equation over the bits of a ribbon. The bit of the key is the parity of the bits that the equation
//! names. A builder solves all equations at once (Dillinger and Walzer 2021, *Ribbon filter: practically smaller than Bloom and
//! Xor*). For a key that was never stored, the bit looks random. An equation spans 128 bits. Keys are distributed over shards of
//! a few thousand keys, because a small system of equations is solved with fewer spare bits.

use super::error::PocketError;

/// The number of bits that an equation spans.
const WIDTH: u32 = 128;

/// The hash of a key, from which its equation follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Equation(u64);

/// A part of a ribbon with equations of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The seed; another seed makes another system of equations of the same keys.
    pub seed: u8,
    /// The number of bits of the shard: 0, or at least 128.
    pub rows: u16,
}

/// A bit for each of many keys.
///
/// ```
/// use puabi_engine::{Equation, Ribbon};
/// assert!(!Ribbon::default().get(Equation::new(7, 0)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ribbon {
    shards: Box<[Shard]>,
    /// The index of the first bit of each shard.
    starts: Box<[u32]>,
    /// The bits, the lowest of each word first, and two more words, so that all bits of an equation can always be read.
    words: Box<[u64]>,
}

/// Returns a number that looks random, a different one for each `number` (Stafford's thirteenth mixer, as in `SplitMix64`).
#[inline]
pub(super) const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Scales a number of 64 bits to the range 0..`count`.
#[inline]
fn part(number: u64, count: usize) -> usize {
    usize::try_from((u128::from(number) * count as u128) >> 64).unwrap_or_default()
}

impl Equation {
    /// Returns the equation of `bit`, one of the bits that belong to a key.
    #[inline]
    pub const fn new(key: u64, bit: u8) -> Self {
        Self(mixed(key ^ ((bit as u64) << 56)))
    }

    /// Returns the index of the shard that the equation belongs to, if there are `shards` of them.
    #[inline]
    pub fn shard(self, shards: usize) -> usize {
        part(self.0, shards)
    }

    /// Returns the place in the shard of the first bit that the equation names, and a mask of the bits that it names among the
    /// 128 bits from there on; the lowest bit of the mask is always set.
    #[inline]
    pub fn within(self, shard: Shard) -> (usize, u128) {
        let start = mixed(self.0 ^ u64::from(shard.seed));
        let low = mixed(start);
        let high = mixed(low);
        let places = usize::from(shard.rows).saturating_sub(WIDTH as usize) + 1;
        (part(start, places), u128::from(high) << 64 | u128::from(low) | 1)
    }
}

impl Ribbon {
    /// The most shards of a ribbon.
    pub const MAX_SHARDS: usize = 1 << 16;

    /// Returns the ribbon of these shards; `bits` are the bits of all shards, one shard after the other, eight in a byte, the
    /// lowest first.
    ///
    /// # Errors
    ///
    /// Returns an error if a shard is too small for an equation, if `bits` has more or fewer bytes than the shards need, or if
    /// there are too many shards.
    pub fn new(shards: Vec<Shard>, bits: &[u8]) -> Result<Self, PocketError> {
        if let Some(shard) = shards.iter().find(|shard| (1..128).contains(&shard.rows)) {
            return Err(PocketError::Shard { rows: shard.rows });
        }
        let mut end = 0;
        let starts = shards.iter().map(|shard| {
            let start = end;
            end += u32::from(shard.rows);
            start
        });
        let starts: Box<[u32]> = starts.collect();
        let expected = end.div_ceil(8) as usize;
        if bits.len() != expected || shards.len() > Self::MAX_SHARDS {
            return Err(PocketError::Ribbon { found: bits.len(), expected });
        }
        let word = |bytes: &[u8]| {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(whole)
        };
        let words = bits.chunks(8).map(word).chain([0; 2]).collect();
        Ok(Self { shards: shards.into(), starts, words })
    }

    /// Returns the shards.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// Returns the bits as [`Ribbon::new`] takes them.
    pub fn bits(&self) -> Vec<u8> {
        let rows: usize = self.shards.iter().map(|shard| usize::from(shard.rows)).sum();
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(rows.div_ceil(8)).collect()
    }

    /// Returns the bit of a key, by its equation. The bit of a key that was not stored looks random.
    #[inline]
    pub fn get(&self, equation: Equation) -> bool {
        let at = equation.shard(self.shards.len());
        let Some(&shard) = self.shards.get(at).filter(|shard| shard.rows > 0) else { return false };
        let (start, names) = equation.within(shard);
        let bit = self.starts[at] as usize + start;
        (names & self.bits_from(bit)).count_ones() % 2 == 1
    }

    /// Returns 128 bits from `bit` on.
    #[inline]
    fn bits_from(&self, bit: usize) -> u128 {
        let word = |at: usize| u128::from(self.words.get(at).copied().unwrap_or_default());
        let (at, shift) = (bit / 64, bit % 64);
        let low = word(at) | word(at + 1) << 64;
        if shift == 0 { low } else { low >> shift | word(at + 2) << (128 - shift) }
    }
}
