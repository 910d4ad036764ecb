//! The successors that are best somewhere, written down by one sweep for those that come next.
//!
//! Near the fixed point moves hardly change. Between two sweeps that follow every successor, others follow only those that
//! the former of the two chose. See "Stacks and the general engine" in `docs/method.md`.

use super::successors::{Head, OneSuccessor, Successor};
use crate::mover::{Junior, Mover, Senior};

/// The chosen successors of a strip.
///
/// Those of a block of several boards have the form of all successors. A block of a single board has one [`OneSuccessor`] for
/// each roll, light's and then dark's.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) words: Vec<u32>,
    /// Light's chance after each chosen move of a single board that leads out of the sublayer; before those, what stands for a
    /// roll without a move, of light and of dark.
    pub(super) exits: Vec<f64>,
    /// Where the heads of the last block are.
    heads: usize,
}

impl Default for Chosen {
    fn default() -> Self {
        Self { words: Vec::new(), exits: vec![Senior::SENTINEL, Junior::SENTINEL], heads: 0 }
    }
}

impl Chosen {
    /// Begins a block of several boards.
    pub(super) fn begin(&mut self, rolls: usize) {
        self.heads = self.words.len();
        self.words.resize(self.heads + rolls, 0);
    }

    /// Adds a successor of a roll and a player; those of light come first, and each player's roll by roll.
    pub(super) fn push<const DARK: bool>(
        &mut self,
        roll: usize,
        origin: Option<usize>,
        words: &[u32],
    ) {
        self.words[self.heads + roll] += Head::one(origin, DARK);
        self.words.extend_from_slice(words);
    }

    /// Adds what the next roll leads to on a single board, and light's chance there; nothing if there is no move.
    pub(super) fn push_one<const DARK: bool>(&mut self, best: Option<(Successor, f64)>) {
        let one = match best {
            None => OneSuccessor::exit(usize::from(DARK)),
            Some((successor, value)) => OneSuccessor::within(successor).unwrap_or_else(|| {
                self.exits.push(value);
                OneSuccessor::exit(self.exits.len() - 1)
            }),
        };
        self.words.push(one.word());
    }

    /// Gives back room that is not used.
    pub(super) fn shrink(&mut self) {
        self.words.shrink_to_fit();
        self.exits.shrink_to_fit();
    }
}
