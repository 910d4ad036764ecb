//! The successors of single boards that may still be the best, written down by one sweep for those that come next.
//!
//! Near the fixed point moves hardly change. A sweep that follows every successor notes those whose value is from the best by a
//! few times what values still change, at most; the next sweeps follow only these. Blocks of several boards have no part in this:
//! nearly every successor is best on one of their boards. See "Stacks and the general engine" in `docs/method.md`.

use super::preference::better;
use super::successors::{Candidate, Successor, Words};
use crate::mover::{Junior, Mover, Senior};

/// The candidates of a strip: those of each roll of each single board, light's and then dark's.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) words: Vec<u32>,
    /// The number of candidates while they are chosen.
    len: usize,
    /// Light's chance after each candidate that leads out of the sublayer; before those, what stands for a roll without a move,
    /// of light and of dark.
    pub(super) exits: Vec<f64>,
}

impl Candidates {
    /// Forgets all, with room for `most` candidates.
    pub(super) fn clear(&mut self, most: usize) {
        self.len = 0;
        self.words.resize(most, 0);
        self.exits.clear();
        self.exits.extend([Senior::SENTINEL, Junior::SENTINEL]);
    }

    /// Adds those successors of the next roll whose value is within `margin` of the best, given the words of all, and light's chance
    /// after each. Of those that lead out of the sublayer only the best counts: their values stay as they are.
    #[inline]
    pub(super) fn push<const DARK: bool>(
        &mut self,
        mut successors: Words<'_>,
        values: &[f64],
        (best, margin): (f64, f64),
    ) {
        let (first, mut exit) = (self.len, None);
        for &value in values {
            let successor = Successor::read(&mut successors);
            let is_near = (value - best).abs() <= margin;
            if let Some(candidate) = Candidate::within(successor) {
                // No branch: nobody can foresee which come near.
                self.words[self.len] = candidate.word();
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
            self.words[self.len] = Candidate::exit(out).word();
            self.len += 1;
        }
        let last = &mut self.words[self.len - 1];
        *last = Candidate::from_word(*last).last().word();
    }

    /// Gives back room that is not used.
    pub(super) fn shrink(&mut self) {
        self.words.truncate(self.len);
        self.words.shrink_to_fit();
        self.exits.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::general::successors::External;

    /// The words of successors at some places; those without one win the game.
    fn words(places: &[Option<usize>]) -> Vec<u32> {
        let within = |at| Successor { at, captures: false, is_image: false, external: None };
        let successor = |place: &Option<usize>| match *place {
            Some(at) => vec![Candidate::within(within(at)).unwrap().word()],
            None => vec![Candidate::exit(0).word(), External::Won.word()],
        };
        places.iter().flat_map(successor).collect()
    }

    #[test]
    fn candidates_are_those_near_the_best_and_the_best_exit_among_them() {
        let mut candidates = Candidates::default();
        candidates.clear(16);
        let places = words(&[Some(7), None, Some(8), None, Some(9)]);
        let values = [0.50, 0.60, 0.69, 0.70, 0.65];
        candidates.push::<false>(Words::new(&places), &values, (0.70, 0.06));
        candidates.push::<true>(Words::new(&places), &values, (0.50, 0.06));
        candidates.push::<true>(Words::new(&[]), &[], (Junior::SENTINEL, 0.06));
        candidates.shrink();
        let found = candidates.words.iter().map(|&word| Candidate::from_word(word));
        let found: Vec<_> = found.map(|it| (it.at(), it.is_exit(), it.is_last())).collect();
        let light = [(8, false, false), (9, false, false), (2, true, true)];
        assert_eq!(found, [&light[..], &[(7, false, true), (1, true, true)]].concat());
        assert_eq!(candidates.exits, [Senior::SENTINEL, Junior::SENTINEL, 0.70]);
    }
}
