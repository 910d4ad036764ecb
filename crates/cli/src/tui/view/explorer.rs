//! Any position, and every move of every roll.

use puabi_engine::{Answer, RollAnswer};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use puabi_core::Player;

use super::face::Faces;
use super::scene::Scene;
use super::screen::Screen;
use super::{chances, moves};
use crate::tables;
use crate::tui::app::App;
use crate::tui::explorer::Explorer;
use crate::tui::values::Values;

/// Rows that are left below the board, at least: a gap, the chances, and what is wrong.
const BELOW: u16 = 4;

/// Returns the scene of the explorer.
pub(super) fn scene<'a>(app: &'a App, screen: &Screen) -> Scene<'a> {
    Scene::new(app, screen.left, BELOW)
}

/// Draws the explorer.
pub(super) fn draw(app: &App, explorer: &Explorer, screen: &Screen, buffer: &mut Buffer) {
    let rules = app.sitting.rules();
    let mut faces = Faces::new(rules, explorer.setup());
    faces.mark(explorer.cursor());
    let scene = scene(app, screen);
    scene.draw(app, explorer.setup(), &faces, buffer);
    let [_, below] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(scene.below);
    let panel = Rect { x: screen.panel.x + 1, width: screen.panel.width - 1, ..screen.panel };
    let problem = match answer(app, explorer) {
        Ok(answer) => {
            draw_chance(app, &answer, below, buffer);
            let lines = rolls(app, &answer, panel.width);
            let scroll = explorer.scroll().min(most_scroll(app, explorer, screen));
            return Paragraph::new(lines).scroll((scroll, 0)).render(panel, buffer);
        }
        Err(problem) => problem,
    };
    Paragraph::new(problem).wrap(Wrap { trim: true }).render(below, buffer);
}

/// Returns how many lines of the moves can be scrolled away before the last one is shown.
pub(super) fn most_scroll(app: &App, explorer: &Explorer, screen: &Screen) -> u16 {
    let lines = explorer.lines(app.sitting.rules());
    u16::try_from(lines).unwrap_or(u16::MAX).saturating_sub(screen.panel.height)
}

/// Returns what is known of the position, or why nothing is.
fn answer(app: &App, explorer: &Explorer) -> Result<Answer, String> {
    let rules = app.sitting.rules();
    rules.position(explorer.setup()).map_err(|error| error.to_string())?;
    match &app.values {
        Values::Known(table) => {
            let answer = tables::with_values(table, |values| explorer.answer(rules, values));
            answer.map_err(|error| format!("{error:#}"))?.map_err(|error| error.to_string())
        }
        Values::Solving(solving) => {
            let share = solving.share() * 100.0;
            Err(format!("solving {}: {share:.1} % is done", rules.rule_set()))
        }
        Values::Unknown => Err("v solves the game and tells what every move is worth".to_owned()),
    }
}

fn draw_chance(app: &App, answer: &Answer, area: Rect, buffer: &mut Buffer) {
    let is_light = answer.position.turn == Player::Light;
    let light = if is_light { answer.value } else { 1.0 - answer.value };
    chances::bar(light, app.look, area.width).render(area, buffer);
}

/// Returns every roll with its moves, best first.
fn rolls(app: &App, answer: &Answer, width: u16) -> Vec<Line<'static>> {
    let (rules, turn) = (app.sitting.rules(), answer.position.turn);
    let roll = |RollAnswer { roll, chance, moves: options }: &RollAnswer| {
        let heading = Line::from(vec![
            Span::styled(format!("{turn} throws {roll}"), app.look.player(turn)),
            Span::styled(format!("  {:.2} %", chance * 100.0), app.look.dim()),
        ]);
        let best = options.first().map_or(0.0, |option| option.value);
        let row = |option| moves::option_row(rules, turn, option, best, (app.look, width));
        std::iter::once(heading).chain(options.iter().map(row)).collect::<Vec<_>>()
    };
    answer.rolls.iter().flat_map(roll).collect()
}
