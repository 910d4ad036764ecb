//! Colours and characters. Every colour is only a second sign of something that a character shows.

use std::env;

use puabi_core::{Charset, Player};
use puabi_engine::Class;
use ratatui::style::{Color, Modifier, Style};

use crate::style;

/// The style of frames and of less important words.
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
/// The style of headings.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// The style of the selection.
pub(crate) const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// The colours and characters of the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    /// The characters of boards and moves.
    pub(crate) style: style::Style,
    pub(crate) has_colour: bool,
}

impl Theme {
    /// Returns the theme of `style`, without colour if `NO_COLOR` is set.
    pub(crate) fn of_the_environment(style: style::Style) -> Self {
        let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { style, has_colour: !is_plain }
    }

    /// Returns whether only ASCII characters are drawn.
    pub(crate) fn is_ascii(self) -> bool {
        self.style.charset() == Charset::Ascii
    }

    /// Returns the character of a piece.
    pub(crate) fn piece(self, player: Player) -> char {
        self.style.charset().piece(player)
    }

    /// Returns `unicode`, or `ascii` if only ASCII is drawn.
    pub(crate) fn sign(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.is_ascii() { ascii } else { unicode }
    }

    fn coloured(self, color: Color) -> Style {
        if self.has_colour { Style::new().fg(color) } else { Style::new() }
    }

    /// Returns the style of a player's pieces and name.
    pub(crate) fn player(self, player: Player) -> Style {
        let color = if player == Player::Light { Color::Cyan } else { Color::Magenta };
        self.coloured(color).patch(STRONG)
    }

    /// Returns the style of rosettes.
    pub(crate) fn rosette(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// Returns the style of the best move.
    pub(crate) fn best(self) -> Style {
        self.coloured(Color::Green).patch(STRONG)
    }

    /// Returns the style of problems.
    pub(crate) fn warning(self) -> Style {
        self.coloured(Color::Red).patch(STRONG)
    }

    /// Returns the style of a move of this class.
    pub(crate) fn class(self, class: Class) -> Style {
        match class {
            Class::Forced => DIM,
            Class::Best | Class::Good => self.best(),
            Class::Inaccuracy => self.coloured(Color::Yellow),
            Class::Mistake | Class::Blunder => self.warning(),
        }
    }
}
