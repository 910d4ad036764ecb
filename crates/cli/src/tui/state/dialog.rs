//! Questions over the board.

use puabi_core::Move;

/// A box over the board that takes the keys.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Dialog {
    /// Shows the keys.
    Help,
    /// Shows a chapter of the way of play, counted from 0.
    Guide(usize),
    /// Shows a problem.
    Notice(String),
    /// Asks whether to keep the game.
    Quit,
    /// Asks whether the user means a costly move.
    Costly(Costly),
    /// Asks for a line of text.
    Entry(Entry),
}

/// A move that the tutor warns of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Costly {
    /// The move.
    pub(crate) action: Move,
    /// The best move.
    pub(crate) best: Move,
    /// The win chance that the move loses.
    pub(crate) error: f64,
}

/// A line of text that the user types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The use of the text.
    pub(crate) purpose: Purpose,
    /// The text so far.
    pub(crate) text: String,
    /// The problem with the text that was entered before.
    pub(crate) problem: Option<String>,
}

/// The use of a line of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The file to save the game to.
    File,
    /// The position to explore.
    Position,
}

impl Dialog {
    /// Returns a question for a line of text, with `text` already typed.
    pub(crate) const fn entry(purpose: Purpose, text: String) -> Self {
        Self::Entry(Entry { purpose, text, problem: None })
    }
}
