//! Words on a disk. The place of each is written as its difference from that of the last word that stood for the same thing and
//! has the same flags.
//!
//! A move leads from neighbouring blocks to neighbouring places, so most differences are small. Each is written in as many bytes
//! as it needs, and these bytes are compressed: a word takes 10 to 13 bits instead of 32 or 40, a candidate 11 to 15. Each
//! sweep unpacks all words again, so unpacking has to be quick.

mod numbers;

use std::borrow::Cow;

use super::word::{FLAGS, Word};
use crate::memory::shelf::Packing;

/// Says which words of a run stand for the same thing.
pub(crate) trait WordOrder {
    /// Calls `next` for each word in turn, with the last places of words that stood for the same thing, as long as it returns a
    /// word.
    fn walk(&self, next: impl FnMut(&mut LastPlaces) -> Option<u64>) -> Option<()>;
}

/// By flags: the place of the last word that has these flags.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastPlaces([u64; 1 << FLAGS]);

impl LastPlaces {
    const ALL_FLAGS: u64 = (1 << FLAGS) - 1;

    /// Returns a word's flags and the difference of its place as one number, which is small if the difference is.
    fn pack(&mut self, word: u64) -> u64 {
        let (place, flags) = (word >> FLAGS, word & Self::ALL_FLAGS);
        let last = std::mem::replace(self.with(flags), place);
        let difference = place.wrapping_sub(last).cast_signed();
        (difference << 1 ^ difference >> 63).cast_unsigned() << FLAGS | flags
    }

    /// Returns the word of which `pack` has made `packed`.
    fn unpack(&mut self, packed: u64) -> u64 {
        let (folded, flags) = (packed >> FLAGS, packed & Self::ALL_FLAGS);
        let difference = folded >> 1 ^ (folded & 1).wrapping_neg();
        let place = self.with(flags);
        *place = place.wrapping_add(difference);
        *place << FLAGS | flags
    }

    #[expect(clippy::cast_possible_truncation, reason = "flags are a few bits")]
    fn with(&mut self, flags: u64) -> &mut u64 {
        &mut self.0[flags as usize]
    }
}

/// Packs runs of words that come in an order.
#[derive(Debug)]
pub(crate) struct Packed<O>(pub(crate) O);

impl<W: Word, O: WordOrder> Packing<W> for Packed<O> {
    fn pack<'r>(&self, run: &'r [W]) -> Cow<'r, [u8]> {
        let (mut words, mut numbers) = (run.iter(), Vec::with_capacity(run.len()));
        self.0.walk(|last| {
            let word = words.next()?.widen();
            numbers.push(last.pack(word));
            Some(word)
        });
        lz4_flex::compress_prepend_size(&numbers::pack(&numbers)).into()
    }

    fn unpack(&self, packed: &[u8], run: &mut [W]) -> Option<()> {
        let (len, packed) = lz4_flex::block::uncompressed_size(packed).ok()?;
        if len > numbers::most_bytes(run.len()) {
            return None;
        }
        let numbers = numbers::unpack(&lz4_flex::decompress(packed, len).ok()?, run.len())?;
        let mut words = numbers.into_iter().zip(run);
        self.0.walk(|last| {
            let (number, word) = words.next()?;
            let unpacked = last.unpack(number);
            *word = W::narrow(unpacked);
            Some(unpacked)
        });
        words.next().is_none().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::general::successors::word::WideWord;

    /// Every word is compared with the one before.
    #[derive(Debug)]
    struct OneByOne;

    impl WordOrder for OneByOne {
        fn walk(&self, mut next: impl FnMut(&mut LastPlaces) -> Option<u64>) -> Option<()> {
            let mut last = LastPlaces::default();
            loop {
                next(&mut last)?;
            }
        }
    }

    proptest! {
        #[test]
        fn words_come_back(words in proptest::collection::vec(0_u64..1 << 40, 0..200)) {
            let words: Vec<WideWord> = words.into_iter().map(Word::narrow).collect();
            let (packing, mut back) = (Packed(OneByOne), vec![WideWord::default(); words.len()]);
            let packed = packing.pack(&words);
            prop_assert_eq!(packing.unpack(&packed, &mut back), Some(()));
            prop_assert_eq!(&back, &words);
            back.push(WideWord::default());
            prop_assert_eq!(packing.unpack(&packed, &mut back), None);
        }

        #[test]
        fn no_bytes_make_it_panic(packed in proptest::collection::vec(any::<u8>(), 0..200), len in 0_usize..100) {
            Packed(OneByOne).unpack(&packed, &mut vec![0_u32; len]);
        }
    }

    #[test]
    fn neighbouring_places_take_a_byte_each_before_they_are_compressed() {
        let words: Vec<u32> = (0..1000).map(|at| ((1 << 20) + at * 2) << FLAGS).collect();
        let packing = Packed(OneByOne);
        assert!(Packing::pack(&packing, &words).len() < 50);
    }
}
