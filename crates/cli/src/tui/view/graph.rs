//! Light's chance over a game, ply by ply.

use puabi_engine::Review;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::prelude::*;
use ratatui::symbols::bar;
use ratatui::widgets::Sparkline;

use crate::tui::state::{DIM, STRONG, Theme};

/// The characters of bars in ASCII: whole rows only.
const ASCII: bar::Set<'_> = bar::Set {
    full: "#",
    seven_eighths: "#",
    three_quarters: "#",
    five_eighths: "#",
    half: "#",
    three_eighths: " ",
    one_quarter: " ",
    one_eighth: " ",
    empty: " ",
};
/// Columns before the graph, for the percents.
const MARGIN: u16 = 5;

/// Draws the graph, and marks below it the ply that is shown (an arrow) and the slips (`!`).
pub(super) fn draw(review: &Review, at: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let [scale, graph] = Layout::horizontal([Length(MARGIN), Fill(1)]).areas(area);
    let [graph, below] = Layout::vertical([Fill(1), Length(1)]).areas(graph);
    draw_scale(Rect { height: graph.height, ..scale }, buffer);
    let chances = review.chances();
    let heights = columns(chances.len(), graph.width).map(|at| per_mille(chances[at]));
    let set = if theme.is_ascii() { ASCII } else { bar::NINE_LEVELS };
    let style = theme.player(puabi_core::Player::Light);
    Sparkline::default().data(heights).max(1000).bar_set(set).style(style).render(graph, buffer);
    draw_marks(review, at, theme, below, buffer);
}

fn draw_scale(area: Rect, buffer: &mut Buffer) {
    if area.height < 3 {
        return;
    }
    let middle = area.top() + area.height / 2;
    for (y, percent) in [(area.top(), "100"), (middle, " 50"), (area.bottom() - 1, "  0")] {
        buffer.set_string(area.x, y, percent, DIM);
    }
}

fn draw_marks(review: &Review, at: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let moments: Vec<_> = columns(review.plies.len() + 1, area.width).collect();
    let here = moments.iter().rposition(|&moment| moment <= at + 1);
    let mark = |(column, &moment): (usize, &usize)| {
        let before = column.checked_sub(1).map_or(0, |left| moments[left]);
        let plies = &review.plies[before..moment];
        if here == Some(column) {
            Span::styled(theme.sign("▲", "^"), STRONG)
        } else if plies.iter().any(|ply| ply.class.is_slip()) {
            Span::styled("!", theme.warning())
        } else {
            Span::raw(" ")
        }
    };
    moments.iter().enumerate().map(mark).collect::<Line<'_>>().render(area, buffer);
}

/// Returns the moment that each column shows; all moments are stretched or thinned out to the width.
fn columns(moments: usize, width: u16) -> impl Iterator<Item = usize> {
    let width = usize::from(width);
    (0..width).map(move |column| column * (moments - 1) / (width - 1).max(1))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a chance is in 0..=1, and a cast of NaN gives 0"
)]
fn per_mille(chance: f64) -> u64 {
    (chance * 1000.0).round() as u64
}
