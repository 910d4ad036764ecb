//! The backup of a block of a single board.
#![expect(
    unsafe_code,
    clippy::inline_always,
    reason = "values are shared by threads, and all is compiled with the instructions of the strip that it is part of"
)]

use super::sums::PlayerSums;
use super::{Backup, PlacedBlock};
use crate::drive::statistics::Tally;
use crate::general::preference::{better, never};
use crate::general::successors::word::Word;
use crate::general::successors::{Candidate, Head, Successor, Words};

impl<W: Word> Backup<'_, W> {
    /// Backs up a block of a single board, whose successors come next. If it is to `CHOOSE`, notes which of these come near the
    /// best.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    pub(in crate::general) unsafe fn one<const CHOOSE: bool>(
        &mut self,
        placed: PlacedBlock,
        successors: &mut Words<'_, W>,
    ) -> Tally {
        self.prefetch(successors.soon::<32>());
        let heads = successors.take(self.chances.len());
        let mut tally = Tally::default();
        // SAFETY: the successors that come next are this block's, and the sweep keeps other threads from its values and from writing
        // those that the successors lead to.
        unsafe {
            let light = self.single::<false, CHOOSE>(heads, successors);
            let dark = self.single::<true, CHOOSE>(heads, successors);
            self.renew(placed, 0, [light, dark], &mut tally);
        }
        self.count(placed.block, tally)
    }

    /// Returns the sums over the rolls of a player in a block of one board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn single<const DARK: bool, const CHOOSE: bool>(
        &mut self,
        heads: &[W],
        successors: &mut Words<'_, W>,
    ) -> PlayerSums {
        let mut sums = self.start;
        for (&chance, &head) in self.chances.iter().zip(heads) {
            let (mut all, count) =
                (successors.clone(), Head::from_word(head.widen(), DARK).len() as usize);
            let mut values = [0.0; Head::MOST];
            let mut best = never::<DARK>();
            for seen in values.iter_mut().take(count) {
                let successor = Successor::read(successors);
                // SAFETY: the words hold this player's successors next, and no thread writes the values that they lead to.
                let value = unsafe { self.first::<DARK>(successor) };
                if CHOOSE {
                    *seen = value;
                }
                best = better::<DARK>(best, value);
            }
            if CHOOSE {
                self.candidates.reserve(count);
                let moves = values[..count].iter();
                let moves =
                    moves.map(|&value| (Candidate::within(Successor::read(&mut all)), value));
                self.candidates.push::<DARK>(moves, (best, self.margin));
            }
            sums.add_roll(chance, best);
        }
        sums
    }

    /// Returns the first value that a successor leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn first<const DARK: bool>(&self, successor: Successor) -> f64 {
        // SAFETY: a block of one board has successors with one value, which no thread writes during this backup.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, 1) };
        if is_flipped { 1.0 - from[0] } else { from[0] }
    }
}
