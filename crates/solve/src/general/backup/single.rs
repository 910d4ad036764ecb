//! The backup of a block of a single board.
#![expect(unsafe_code, reason = "values are shared by threads")]

use super::each::{better, never};
use super::sums::PlayerSums;
use super::{Backup, Site};
use crate::drive::statistics::Tally;
use crate::general::successors::{Head, OneSuccessor, Successor, Words};

impl Backup<'_> {
    /// Backs up a block of a single board, whose successors come next; notes which of these are best if it is to `CHOOSE`.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline]
    pub(in crate::general) unsafe fn one<const CHOOSE: bool>(
        &mut self,
        site: Site,
        successors: &mut Words<'_>,
    ) -> Tally {
        self.prefetch(successors.soon::<32>());
        let heads = successors.take(self.chances.len());
        let mut tally = Tally::default();
        // SAFETY: the successors that come next are this block's, and the sweep keeps other threads from its values and from writing
        // those that the successors lead to.
        unsafe {
            let light = self.single::<false, CHOOSE>(heads, successors);
            let dark = self.single::<true, CHOOSE>(heads, successors);
            self.renew(site, 0, [light, dark], &mut tally);
        }
        self.count(site.block, tally)
    }

    /// Backs up a block of a single board by the successors that were chosen, which come next; those that lead out have the values
    /// of these exits.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline]
    pub(in crate::general) unsafe fn chosen_one(
        &self,
        site: Site,
        (successors, exits): (&mut Words<'_>, &[f64]),
    ) -> Tally {
        self.prefetch(successors.soon::<12>());
        let rolls = self.chances.len();
        let (light, dark) = successors.take(2 * rolls).split_at(rolls);
        let mut tally = Tally::default();
        // SAFETY: the words are this block's, and the sweep keeps other threads from its values and from writing those that they
        // lead to.
        unsafe {
            let sums = [self.one_by_roll(light, exits), self.one_by_roll(dark, exits)];
            self.renew(site, 0, sums, &mut tally);
        }
        self.count(site.block, tally)
    }

    /// The sums over the rolls of a player on a single board, given what each leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline]
    unsafe fn one_by_roll(&self, words: &[u32], exits: &[f64]) -> PlayerSums {
        let mut sums = PlayerSums::start(self.slack);
        for (&chance, &word) in self.chances.iter().zip(words) {
            let one = OneSuccessor::from_word(word);
            let exit = exits.as_ptr().wrapping_add(one.at());
            let within = self.values.locate(one.at(), one.is_image());
            // No branch: nobody can foresee which moves lead out.
            let from = if one.is_exit() { exit } else { within };
            // SAFETY: the word was chosen from this block's successors, with its exit, and no thread writes the values that they
            // lead to.
            let value = unsafe { from.read() };
            sums.add_roll(chance, if one.is_image() { 1.0 - value } else { value });
        }
        sums
    }

    /// The sums over the rolls of a player in a block of one board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline]
    unsafe fn single<const DARK: bool, const CHOOSE: bool>(
        &mut self,
        heads: &[u32],
        successors: &mut Words<'_>,
    ) -> PlayerSums {
        let mut sums = PlayerSums::start(self.slack);
        for (&chance, &head) in self.chances.iter().zip(heads) {
            let (mut best, mut chosen) = (never::<DARK>(), None);
            for _ in 0..Head::of(head, DARK).len() {
                let successor = Successor::read(successors);
                // SAFETY: the words hold this player's successors next, and no thread writes the values that they lead to.
                let value = unsafe { self.first::<DARK>(successor) };
                let better = better::<DARK>(best, value);
                if CHOOSE && (chosen.is_none() || better.to_bits() != best.to_bits()) {
                    chosen = Some(successor);
                }
                best = better;
            }
            if CHOOSE {
                self.chosen.push::<DARK>(chosen.map(|successor| (successor, best)));
            }
            sums.add_roll(chance, best);
        }
        sums
    }

    /// The first value that a successor leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline]
    unsafe fn first<const DARK: bool>(&self, successor: Successor) -> f64 {
        // SAFETY: a block of one board has successors with one value, which no thread writes during this backup.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, 1) };
        if is_flipped { 1.0 - from[0] } else { from[0] }
    }
}
