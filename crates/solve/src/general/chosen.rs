//! The best successors of single boards, written down by one sweep for those that come next.
//!
//! Near the fixed point moves hardly change. Between two sweeps that follow every successor, others follow only those that
//! the former of the two chose. Blocks of several boards have no part in this: nearly every successor is best on one of
//! their boards. See "Stacks and the general engine" in `docs/method.md`.

use super::successors::{OneSuccessor, Successor};
use crate::mover::{Junior, Mover, Senior};

/// The chosen successors of a strip: one for each roll of each single board, light's and then dark's.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) words: Vec<u32>,
    /// Light's chance after each chosen move that leads out of the sublayer; before those, what stands for a roll without a move,
    /// of light and of dark.
    pub(super) exits: Vec<f64>,
}

impl Default for Chosen {
    fn default() -> Self {
        Self { words: Vec::new(), exits: vec![Senior::SENTINEL, Junior::SENTINEL] }
    }
}

impl Chosen {
    /// Adds what the next roll leads to, and light's chance there; nothing if there is no move.
    pub(super) fn push<const DARK: bool>(&mut self, best: Option<(Successor, f64)>) {
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
