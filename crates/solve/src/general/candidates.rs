//! The moves on each board that may still be the best, written down by one sweep for those that come next.
//!
//! Near the fixed point the best moves hardly change. A sweep that follows every successor notes those whose value differs from
//! the best by at most a few times the largest change of values; the next sweeps follow only these. See "Stacks and the general
//! engine" in `docs/method.md`.

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use super::preference::better;
use super::successors::packed::{LastPlaces, Packed, WordOrder};
use super::successors::word::Word;
use super::successors::{Candidate, Head};
use crate::memory::shelf::{Plain, Run, Shelf};
use crate::memory::spill::Spill;
use crate::mover::{Junior, Mover, Senior};
use crate::types::SolveError;

/// The candidates of a strip while they are chosen: those of each roll of each board, light's and then dark's.
#[derive(Debug, Default)]
pub(super) struct Candidates<W> {
    words: Vec<W>,
    /// The number of candidates.
    len: usize,
    /// Light's chance after each candidate that leads out of the sublayer. Before these come the numbers that stand for a roll
    /// without a move, of light and of dark.
    exits: Vec<f64>,
}

impl<W: Word> Candidates<W> {
    /// Returns candidates of no roll.
    pub(super) fn new() -> Self {
        let exits = vec![Senior::SENTINEL, Junior::SENTINEL];
        Self { words: Vec::new(), len: 0, exits }
    }

    /// Makes room for the candidates of a roll with some moves.
    #[inline]
    pub(super) fn reserve(&mut self, moves: usize) {
        // A roll without a move has a word as well.
        let most = self.len + moves + 1;
        if self.words.len() < most {
            self.words.resize(2 * most, W::zeroed());
        }
    }

    /// Adds those of the next roll's moves whose value is within `margin` of the best, given all moves, each with light's chance
    /// after it. Of those that lead out of the sublayer only the best is added: their values stay as they are.
    #[inline]
    pub(super) fn push<const DARK: bool>(
        &mut self,
        moves: impl Iterator<Item = (Option<Candidate>, f64)>,
        (best, margin): (f64, f64),
    ) {
        let (first, mut exit) = (self.len, None);
        for (candidate, value) in moves {
            let is_near = (value - best).abs() <= margin;
            if let Some(candidate) = candidate {
                // No branch: the processor cannot predict which successors come near.
                self.words[self.len] = W::narrow(candidate.word());
                self.len += usize::from(is_near);
            } else if is_near {
                exit = Some(exit.map_or(value, |exit| better::<DARK>(exit, value)));
            }
        }
        let out = match exit {
            Some(exit) => {
                self.exits.push(exit);
                Some(self.exits.len() - 1)
            }
            None if self.len == first => Some(usize::from(DARK)),
            None => None,
        };
        if let Some(out) = out {
            self.words[self.len] = W::narrow(Candidate::exit(out).word());
            self.len += 1;
        }
        let last = &mut self.words[self.len - 1];
        *last = W::narrow(Candidate::from_word(last.widen()).last().word());
    }
}

/// The candidates of all strips, kept for the next sweeps in memory or on a disk.
#[derive(Debug)]
pub(super) struct CandidateRuns<W> {
    words: Shelf<W, Packed<RollByRoll>>,
    exits: Shelf<f64>,
    /// By strip, once they are chosen: its candidates, and the chances after those that lead out.
    strips: Vec<OnceLock<(Run<W>, Run<f64>)>>,
}

/// The order of candidates: those of each roll of a board that moves pieces, light's and then dark's.
#[derive(Debug)]
struct RollByRoll {
    rolls: usize,
}

impl RollByRoll {
    /// The most candidates of a roll: all its moves, and one for what leads out.
    const MOST: usize = Head::MOST + 1;
}

impl WordOrder for RollByRoll {
    fn walk(&self, mut next: impl FnMut(&mut LastPlaces) -> Option<u64>) -> Option<()> {
        // One list, by player, roll and number of the candidate.
        let mut candidates = vec![LastPlaces::default(); 2 * self.rolls * Self::MOST];
        let (mut at, mut end) = (0, Self::MOST);
        // No branch: the processor cannot predict which candidate is the last one of its roll.
        while let Some(last) = candidates.get_mut(at) {
            let is_last = Candidate::from_word(next(last)?).is_last();
            let following = if end == candidates.len() { 0 } else { end };
            at = select_unpredictable(is_last, following, at + 1);
            end = select_unpredictable(is_last, following + Self::MOST, end);
        }
        None
    }
}

/// Copies of words and exits that are on a disk.
pub(super) type CandidateCopies<W> = (Vec<W>, Vec<f64>);

impl<W: Word> CandidateRuns<W> {
    /// Returns runs without candidates, for `strips` strips of a game with `rolls` rolls that move pieces.
    pub(super) fn new(spill: &Spill, strips: usize, rolls: usize) -> Self {
        let words = Shelf::new(spill.clone(), Packed(RollByRoll { rolls }));
        let exits = Shelf::new(spill.clone(), Plain);
        let strips = (0..strips).map(|_| OnceLock::new()).collect();
        Self { words, exits, strips }
    }

    /// Removes the candidates of all strips.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.exits.clear();
        self.strips.fill_with(OnceLock::new);
    }

    /// Keeps the candidates of a strip that has none.
    pub(super) fn put(&self, strip: usize, candidates: Candidates<W>) -> Result<(), SolveError> {
        let Candidates { mut words, len, mut exits } = candidates;
        words.truncate(len);
        words.shrink_to_fit();
        exits.shrink_to_fit();
        let runs = (self.words.put(words)?, self.exits.put(exits)?);
        self.strips[strip].set(runs).expect("all are cleared before they are chosen");
        Ok(())
    }

    /// Returns the candidates of a strip, and the chances after those that lead out.
    pub(super) fn read<'a>(
        &'a self,
        strip: usize,
        (words, exits): &'a mut CandidateCopies<W>,
    ) -> Result<(&'a [W], &'a [f64]), SolveError> {
        let (of_words, of_exits) = self.strips[strip].get().expect("they are chosen before");
        Ok((self.words.read(of_words, words)?, self.exits.read(of_exits, exits)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::successors::Successor;
    use crate::general::successors::word::WideWord;
    use crate::memory::shelf::Packing;

    #[test]
    fn candidates_are_those_near_the_best_and_the_best_exit_among_them() {
        let within = |at| Successor { at, captures: false, is_image: false, external: None };
        let places = [Some(7), None, Some(8), None, Some(9)];
        let moves = places.map(|at| at.and_then(|at| Candidate::within(within(at))));
        let moves = || moves.into_iter().zip([0.50, 0.60, 0.69, 0.70, 0.65]);
        let mut candidates = Candidates::<WideWord>::new();
        candidates.reserve(2 * places.len() + 2);
        candidates.push::<false>(moves(), (0.70, 0.06));
        candidates.push::<true>(moves(), (0.50, 0.06));
        candidates.push::<true>([].into_iter(), (Junior::SENTINEL, 0.06));
        let (runs, mut copies) = (CandidateRuns::new(&None, 1, 1), CandidateCopies::default());
        runs.put(0, candidates).unwrap();
        let (words, exits) = runs.read(0, &mut copies).unwrap();
        let found = words.iter().map(|word| Candidate::from_word(word.widen()));
        let found: Vec<_> = found.map(|it| (it.at(), it.is_exit(), it.is_last())).collect();
        let light = [(8, false, false), (9, false, false), (2, true, true)];
        assert_eq!(found, [&light[..], &[(7, false, true), (1, true, true)]].concat());
        assert_eq!(exits, [Senior::SENTINEL, Junior::SENTINEL, 0.70]);
        // They come back from a disk, too.
        let (packing, mut back) = (Packed(RollByRoll { rolls: 1 }), vec![[0; 5]; words.len()]);
        assert_eq!(packing.unpack(&packing.pack(words), &mut back), Some(()));
        assert_eq!(back, words);
    }
}
