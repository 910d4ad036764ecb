//! Turns: the moves that a player may make on a board, by roll.

use super::goal::{Goal, Surroundings};
use super::rows::Choice;

/// The moves of one turn, roll by roll.
///
/// All goals of a turn are asked for before the first of them is looked up, so that the processor waits once.
#[derive(Debug)]
pub(crate) struct Turn<const N: usize> {
    moves: Vec<Choice<N, Goal<N>>>,
    /// By roll: one past its last move.
    ends: Vec<usize>,
    /// The moves with what they lead to.
    found: Vec<Choice<N>>,
}

impl<const N: usize> Turn<N> {
    pub(crate) const fn new() -> Self {
        Self { moves: Vec::new(), ends: Vec::new(), found: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Adds a move to the roll that is not ended.
    pub(crate) fn push(&mut self, choice: Choice<N, Goal<N>>) {
        self.moves.push(choice);
    }

    pub(crate) fn end_roll(&mut self) {
        self.ends.push(self.moves.len());
    }

    /// Looks up what all moves lead to, and returns the moves of each roll.
    pub(crate) fn rolls(
        &mut self,
        around: &Surroundings<'_, N>,
    ) -> impl Iterator<Item = &[Choice<N>]> {
        self.found.clear();
        self.found.extend(self.moves.iter().map(|&Choice { chance, gain, lead }| Choice {
            chance,
            gain,
            lead: around.lead(lead),
        }));
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.found[start..end])
    }
}
