//! The parts of the window and their places.

use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect, Size};

/// The parts of every screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Areas {
    /// The rule set and the state of play.
    pub(super) title: Rect,
    /// The board and what belongs to it.
    pub(super) left: Rect,
    /// The dice and the moves.
    pub(super) panel: Rect,
    /// A message or a question.
    pub(super) message: Rect,
    /// The keys that are needed most.
    pub(super) keys: Rect,
    /// Whether a larger window would show more.
    pub(super) is_small: bool,
}

impl Areas {
    /// The smallest window for a board.
    pub(super) const LEAST: Size = Size { width: 60, height: 20 };
    /// The smallest window for everything.
    const FULL: Size = Size { width: 80, height: 24 };

    /// Returns the parts of `area`; `None` if that is too small.
    pub(super) fn new(area: Rect) -> Option<Self> {
        if area.width < Self::LEAST.width || area.height < Self::LEAST.height {
            return None;
        }
        let rows = [Length(1), Fill(1), Length(1), Length(1)];
        let [title, middle, message, keys] = Layout::vertical(rows).areas(area);
        let columns = [Fill(1), Length(panel_width(area.width))];
        let [left, panel] = Layout::horizontal(columns).areas(middle);
        let panel = Rect { x: panel.x + 1, width: panel.width - 1, ..panel };
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
