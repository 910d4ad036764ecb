//! Backups that choose the candidates of each board of a block, and backups that follow only these.
#![expect(
    unsafe_code,
    clippy::inline_always,
    reason = "values are shared by threads, and all is compiled with the instructions of the strip that it is part of"
)]

use super::block_moves::{BlockMoves, Seen};
use super::sums::PlayerSums;
use super::{Backup, PlacedBlock};
use crate::drive::statistics::Tally;
use crate::general::candidates::Candidates;
use crate::general::preference::better;
use crate::general::successors::word::Word;
use crate::general::successors::{Candidate, Successor, Words};

impl<W: Word> Backup<'_, W> {
    /// Improves `best` by the values that a successor leads to, and notes them.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    pub(super) unsafe fn look<const DARK: bool>(
        &self,
        placed: PlacedBlock,
        origin: Option<usize>,
        successor: Successor,
        (best, moves): (&mut [f64], &mut BlockMoves),
    ) {
        let (boards, len) = self.board_map::<DARK>(placed, origin, successor);
        // SAFETY: the words hold this successor, and no thread writes the values that it leads to.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, len) };
        let seen = moves.add(successor, placed.boards);
        boards.each(|board, number| {
            let value = if is_flipped { 1.0 - from[number] } else { from[number] };
            seen[board] = Seen { value, number };
            best[board] = better::<DARK>(best[board], value);
        });
    }

    /// Notes the moves of both players on a board that come near the best, given its pre ranks of light and dark.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`], whose block was looked at.
    #[inline(always)]
    pub(super) unsafe fn choose(&mut self, placed: PlacedBlock, board: [usize; 2]) {
        let mut candidates = std::mem::take(&mut self.candidates);
        // SAFETY: as the caller promises.
        unsafe {
            self.choose_player::<false>(placed, board, &mut candidates);
            self.choose_player::<true>(placed, board, &mut candidates);
        }
        self.candidates = candidates;
    }

    /// Notes the moves of a player on a board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::choose`].
    #[inline(always)]
    unsafe fn choose_player<const DARK: bool>(
        &self,
        PlacedBlock { block, at, lights, boards }: PlacedBlock,
        [light, dark]: [usize; 2],
        candidates: &mut Candidates<W>,
    ) {
        let rolls = self.chances.len();
        let place = dark * lights + light;
        let (all, rank) = if DARK { (block.dark, dark) } else { (block.light, light) };
        let mut inner = self.pre.inner(all, rank);
        for roll in 0..rolls {
            let at_roll = usize::from(DARK) * rolls + roll;
            let of_block = self.moves.on_board(at_roll, boards, place);
            let count = inner.iter().take_while(|it| usize::from(it.roll) == roll).count();
            let (of_roll, rest) = inner.split_at(count);
            inner = rest;
            let of_roll = of_roll.iter().map(|it| {
                let half = if it.again == DARK { at + boards } else { at };
                let to = usize::from(it.to);
                let at = half + if DARK { to * lights + light } else { dark * lights + to };
                let successor = Successor { at, captures: false, is_image: false, external: None };
                // SAFETY: a move between pre squares leads to another board of this block, which only this thread writes.
                (Candidate::within(successor), unsafe { self.values.get(at) })
            });
            let best = self.bests[at_roll * boards + place];
            candidates.reserve(of_block.len() + count);
            candidates.push::<DARK>(of_block.chain(of_roll), (best, self.margin));
        }
    }

    /// Backs up a block by the candidates of each board, which come next. `exits` has the values of those that lead out.
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
        let mut tally = Tally::default();
        // SAFETY: the candidates that come next are this block's, and the sweep keeps other threads from its values and from
        // writing those that the candidates lead to.
        unsafe {
            for &dark in &self.pre.orders[usize::from(placed.block.dark)] {
                for &light in &self.pre.orders[usize::from(placed.block.light)] {
                    let place = usize::from(dark) * placed.lights + usize::from(light);
                    self.prefetch(candidates.soon::<12>());
                    let light = self.best_candidates::<false>(candidates, exits);
                    let dark = self.best_candidates::<true>(candidates, exits);
                    self.renew(placed, place, [light, dark], &mut tally);
                }
            }
        }
        self.count(placed.block, tally)
    }

    /// Returns the sums over the rolls of a player on a board, given the candidates of each roll.
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
        let mut sums = self.start;
        for &chance in self.chances {
            let mut candidate = Candidate::from_word(candidates.next());
            // SAFETY: the words are this block's, and no other thread writes the values that they lead to.
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
        // SAFETY: the candidate is one of this block's successors, or one of these exits, and no other thread writes its value.
        let value = unsafe { from.read() };
        if candidate.is_image() { 1.0 - value } else { value }
    }
}
