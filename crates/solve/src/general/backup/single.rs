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

    /// Backs up a block of a single board by its candidates, which come next. `exits` has the values of those that lead out.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    pub(in crate::general) unsafe fn by_candidates(
        &self,
        placed: PlacedBlock,
        (candidates, exits): (&mut Words<'_, W>, &[f64]),
    ) -> Tally {
        self.prefetch(candidates.soon::<12>());
        let mut tally = Tally::default();
        // SAFETY: the words are this block's, and the sweep keeps other threads from its values and from writing those that they
        // lead to.
        unsafe {
            let light = self.best_candidates::<false>(candidates, exits);
            let dark = self.best_candidates::<true>(candidates, exits);
            self.renew(placed, 0, [light, dark], &mut tally);
        }
        self.count(placed.block, tally)
    }

    /// Returns the sums over the rolls of a player on a single board, given the candidates of each roll.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn best_candidates<const DARK: bool>(
        &self,
        candidates: &mut Words<'_, W>,
        exits: &[f64],
    ) -> PlayerSums {
        let mut sums = PlayerSums::start(self.slack);
        for &chance in self.chances {
            let mut candidate = Candidate::from_word(candidates.next());
            // SAFETY: the words are this block's, and no thread writes the values that they lead to.
            let mut best = unsafe { self.candidate(candidate, exits) };
            while !candidate.is_last() {
                candidate = Candidate::from_word(candidates.next());
                // SAFETY: as above.
                best = better::<DARK>(best, unsafe { self.candidate(candidate, exits) });
            }
            sums.add_roll(chance, best);
        }
        sums
    }

    /// Returns light's chance after a candidate.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn candidate(&self, candidate: Candidate, exits: &[f64]) -> f64 {
        let exit = exits.as_ptr().wrapping_add(candidate.at());
        let within = self.values.locate(candidate.at(), candidate.is_image());
        // No branch: the processor cannot predict which moves lead out.
        let from = if candidate.is_exit() { exit } else { within };
        // SAFETY: the candidate is one of this block's successors, or one of these exits, and no thread writes its value.
        let value = unsafe { from.read() };
        if candidate.is_image() { 1.0 - value } else { value }
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
        let mut sums = PlayerSums::start(self.slack);
        for (&chance, &head) in self.chances.iter().zip(heads) {
            let (all, count) =
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
                self.candidates.push::<DARK>(all, &values[..count], (best, self.margin));
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
