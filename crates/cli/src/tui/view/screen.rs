//! Where the parts of the screen lie.

use ratatui::layout::{Constraint, Layout, Rect, Size};

/// The parts that every room has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    /// What is played, and by whom.
    pub(super) title: Rect,
    /// The board and what belongs to it.
    pub(super) left: Rect,
    /// The dice and the moves.
    pub(super) panel: Rect,
    /// What is said or asked.
    pub(super) message: Rect,
    /// The most needed keys.
    pub(super) keys: Rect,
    /// Whether there would be more to see in a larger window.
    pub(super) is_small: bool,
}

impl Screen {
    /// The smallest window that a board is drawn in.
    pub(super) const LEAST: Size = Size { width: 60, height: 20 };
    /// The smallest window in which everything has its place.
    const FULL: Size = Size { width: 80, height: 24 };

    /// Returns the parts of `area`; `None` where that is too small.
    pub(super) fn new(area: Rect) -> Option<Self> {
        if area.width < Self::LEAST.width || area.height < Self::LEAST.height {
            return None;
        }
        let rows = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [title, middle, message, keys] = Layout::vertical(rows).areas(area);
        let columns = [Constraint::Fill(1), Constraint::Length(panel_width(area.width))];
        let [left, panel] = Layout::horizontal(columns).areas(middle);
        let is_small = area.width < Self::FULL.width || area.height < Self::FULL.height;
        Some(Self { title, left, panel, message, keys, is_small })
    }
}

/// The board has 51 columns in a window of 80, and 35 in one of 60: eight tiles of five signs and of three.
const fn panel_width(width: u16) -> u16 {
    match width {
        0..80 => 25,
        80..110 => 29,
        _ => 36,
    }
}
