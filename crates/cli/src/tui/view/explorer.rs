//! The explorer: any position, and every move of every roll.

use puabi_core::Setup;
use puabi_engine::{Answer, RollAnswer};
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::prelude::*;
use ratatui::widgets::{Paragraph, Wrap};

use super::areas::Areas;
use super::board::{BoardArea, Faces};
use super::{chances, moves};
use crate::errors;
use crate::output::text::{self, t};
use crate::tui::state::{App, DIM, Explorer, Values};

/// The least number of rows below the board: a gap, the chances, and a problem.
const BELOW: u16 = 4;

/// Returns the places of the board and its players.
pub(super) fn board<'a>(app: &'a App, areas: &Areas) -> BoardArea<'a> {
    BoardArea::new(app, areas.left, BELOW)
}

/// Draws the explorer.
pub(super) fn draw(app: &App, explorer: &Explorer, areas: &Areas, buffer: &mut Buffer) {
    let mut faces = Faces::new(app.rules(), &explorer.setup);
    faces.mark(explorer.cursor);
    let board = board(app, areas);
    board.draw(app, &explorer.setup, &faces, buffer);
    let [_, below] = Layout::vertical([Length(1), Fill(1)]).areas(board.below);
    match answer(app, explorer) {
        Ok(answer) => {
            chances::bar(&answer, app.theme, below.width).render(below, buffer);
            let lines = rolls(app, &answer, areas.panel.width);
            let scroll = explorer.scroll.min(most_scroll(app, explorer, areas));
            Paragraph::new(lines).scroll((scroll, 0)).render(areas.panel, buffer);
        }
        Err(problem) => Paragraph::new(problem).wrap(Wrap { trim: true }).render(below, buffer),
    }
}

/// Returns how many lines of the moves can be scrolled away before the last one is shown.
pub(super) fn most_scroll(app: &App, explorer: &Explorer, areas: &Areas) -> u16 {
    let lines = explorer.lines(app.rules());
    u16::try_from(lines).unwrap_or(u16::MAX).saturating_sub(areas.panel.height)
}

/// Returns the values of the position, or the reason why there are no values.
fn answer(app: &App, explorer: &Explorer) -> Result<Answer, String> {
    let (rules, language) = (app.rules(), app.language());
    let Setup { turn, roll, .. } = explorer.setup;
    let position = rules.position(&explorer.setup).map_err(|error| language.translate(error))?;
    if let Some(judge) = app.values.judge() {
        let answer = judge.answer(rules, (position, turn), roll);
        return answer.map_err(|error| language.translate(errors::line(&error)));
    }
    match &app.values {
        Values::Solving(solving) => {
            let share = language.number(format!("{:.1}", solving.share() * 100.0));
            let rules = rules.rule_set();
            Err(t!(language, "solving {rules}: {share} % is done", rules, share))
        }
        Values::Unknown | Values::Known(_) => {
            Err(t!(language, "v solves the game and tells what every move is worth"))
        }
    }
}

/// Returns every roll with its moves, best first.
fn rolls(app: &App, answer: &Answer, width: u16) -> Vec<Line<'static>> {
    let (turn, language) = (answer.position.turn, app.language());
    let mut lines = Vec::new();
    for RollAnswer { roll, chance, moves: options } in &answer.rolls {
        lines.push(Line::from(vec![
            Span::styled(
                t!(language, "{player} throws {roll}", player = app.player(turn), roll),
                app.theme.player(turn),
            ),
            Span::styled(format!("  {}", language.number(text::percent(*chance))), DIM),
        ]));
        let best = options.first().map_or(0.0, |option| option.value);
        let row = |option| moves::option_row(app, turn, option, best, width);
        lines.extend(options.iter().map(row));
    }
    lines
}
