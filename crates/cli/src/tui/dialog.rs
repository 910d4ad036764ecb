//! Questions over the board.

use puabi_core::Move;

/// What lies over the board and takes the keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Dialog {
    /// The keys.
    Help,
    /// What went wrong.
    Notice(String),
    /// Asks whether to keep the game.
    Quit,
    /// Asks whether a costly move is meant.
    Costly(Costly),
    /// Asks for a line of text.
    Entry(Entry),
}

/// A move that the tutor warns of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Costly {
    /// The move.
    pub(super) action: Move,
    /// A better one.
    pub(super) best: Move,
    /// What the move loses, in chances.
    pub(super) error: f64,
}

/// A line of text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// What is asked for.
    pub(super) asks: Asks,
    /// What has been typed.
    pub(super) text: String,
    /// What was wrong with it.
    pub(super) problem: Option<String>,
}

/// What a line of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// The file to save the game to.
    File,
    /// The position to explore.
    Position,
}

impl Entry {
    /// Returns the question, with `text` already typed.
    pub(super) const fn new(asks: Asks, text: String) -> Self {
        Self { asks, text, problem: None }
    }
}
