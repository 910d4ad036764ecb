//! Colours and signs. Whatever a colour says, a sign says too.

use std::env;

use puabi_core::{Charset, Player};
use puabi_engine::Class;
use ratatui::style::{Color, Modifier, Style};

use crate::drawing::Pen;

/// How everything on the screen looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// The pen that names moves.
    pub(super) pen: Pen,
    has_colour: bool,
}

impl Look {
    /// Returns the look of `pen`, without colour where `NO_COLOR` is set.
    pub(super) fn of_the_environment(pen: Pen) -> Self {
        let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { pen, has_colour: !is_plain }
    }

    /// Returns the look of `pen` without colour.
    #[cfg(test)]
    pub(super) const fn plain(pen: Pen) -> Self {
        Self { pen, has_colour: false }
    }

    /// Returns whether only signs of ASCII are drawn.
    pub(super) fn is_ascii(self) -> bool {
        self.pen.charset() == Charset::Ascii
    }

    /// Returns the sign of a piece.
    pub(super) fn piece(self, player: Player) -> char {
        self.pen.charset().piece(player)
    }

    /// Returns `unicode`, or `ascii` where only that is drawn.
    pub(super) fn sign(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.is_ascii() { ascii } else { unicode }
    }

    fn coloured(self, color: Color) -> Style {
        if self.has_colour { Style::new().fg(color) } else { Style::new() }
    }

    /// Returns the style of a player's pieces and name.
    pub(super) fn player(self, player: Player) -> Style {
        let color = if player == Player::Light { Color::Cyan } else { Color::Magenta };
        self.coloured(color).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of rosettes.
    pub(super) fn rosette(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// Returns the style of what is best.
    pub(super) fn best(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of what wants attention.
    pub(super) fn warning(self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a move of this class.
    pub(super) fn class(self, class: Class) -> Style {
        match class {
            Class::Forced => self.dim(),
            Class::Best | Class::Good => self.best(),
            Class::Inaccuracy => self.coloured(Color::Yellow),
            Class::Mistake | Class::Blunder => self.warning(),
        }
    }

    /// Returns the style of frames and of words that may be overlooked.
    #[expect(clippy::unused_self, reason = "asked for like every other style")]
    pub(super) fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Returns the style of headings.
    #[expect(clippy::unused_self, reason = "asked for like every other style")]
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of what is selected.
    #[expect(clippy::unused_self, reason = "asked for like every other style")]
    pub(super) fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
