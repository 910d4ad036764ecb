//! The backup of a block of a single board.
#![expect(unsafe_code, reason = "values are shared by threads")]

use super::Backup;
use super::each::{better, never};
use super::sums::PlayerSums;
use crate::general::successors::{Head, OneSuccessor, Successor, Words};

impl Backup<'_> {
    /// The sums over the rolls of a player on a single board, given what each leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    pub(super) unsafe fn one_by_roll(&self, words: &[u32], exits: &[f64]) -> PlayerSums {
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
    /// As for [`Backup::block`].
    #[inline]
    pub(super) unsafe fn single<const DARK: bool, const CHOOSE: bool>(
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
                self.chosen.push_one::<DARK>(chosen.map(|successor| (successor, best)));
            }
            sums.add_roll(chance, best);
        }
        sums
    }

    /// The first value that a successor leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn first<const DARK: bool>(&self, successor: Successor) -> f64 {
        // SAFETY: a block of one board has successors with one value, which no thread writes during this backup.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, 1) };
        if is_flipped { 1.0 - from[0] } else { from[0] }
    }
}
