//! What a move does beside moving.

use puabi_core::{Afterstate, Decision, Move};

use crate::tui::look::Look;

/// Whether a move captures and whether another roll follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effect {
    pub(super) captures: bool,
    pub(super) again: bool,
}

impl Effect {
    /// Returns the effect of `action`.
    pub(super) fn of(decision: &Decision<'_>, action: Move) -> Self {
        let captures = decision.captures(action).is_some();
        Self { captures, again: decision.play(action).is_ok_and(Afterstate::rolls_again) }
    }

    /// Returns it in signs.
    pub(super) fn signs(self, look: Look) -> &'static str {
        match (self.captures, self.again) {
            (false, false) => "",
            (true, false) => look.sign("×", "x"),
            (false, true) => "+",
            (true, true) => look.sign("×+", "x+"),
        }
    }

    /// Returns it in words.
    pub(super) const fn words(self) -> &'static str {
        match (self.captures, self.again) {
            (false, false) => "",
            (true, false) => "captures",
            (false, true) => "again",
            (true, true) => "captures, again",
        }
    }
}
