//! The game as it was played, seen through the values.

use puabi_engine::PlyReview;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::face::Faces;
use super::scene::Scene;
use super::screen::Screen;
use super::{game, graph, moves, totals};
use crate::tui::app::App;
use crate::tui::review::ReviewRoom;

/// Rows that are left below the board, at least: the graph and two rows of reason.
const BELOW: u16 = 7;

/// Draws the review: the board before the ply that is looked at, the graph, totals, and the moves of the ply.
pub(super) fn draw(app: &App, room: &ReviewRoom, screen: &Screen, buffer: &mut Buffer) {
    let ply = room.ply();
    let scene = Scene::new(app, screen.left, BELOW);
    scene.draw(app, &ply.position, &faces(app, ply), buffer);
    let rows = [Constraint::Fill(1), Constraint::Length(2)];
    let [curve, reason] = Layout::vertical(rows).areas(scene.below);
    graph::draw(room.review(), ply.number - 1, app.look, curve, buffer);
    Paragraph::new(verdict(app, ply)).wrap(Wrap { trim: true }).render(reason, buffer);
    let inside = Rect { x: screen.panel.x + 1, width: screen.panel.width - 1, ..screen.panel };
    let mut lines = totals::lines(room.review(), app.look);
    lines.push(Line::default());
    lines.extend(options(app, ply, inside.width));
    Paragraph::new(lines).render(inside, buffer);
}

/// The move played has thick frames; the best one, where it is another, is marked with `!`.
fn faces(app: &App, ply: &PlyReview) -> Faces {
    let rules = app.sitting.rules();
    let mut faces = Faces::new(rules, &ply.position);
    game::mark(&mut faces, rules, ply.player, ply.action);
    if ply.best != ply.action {
        faces.label(game::goal(rules, ply.player, ply.best), '!');
    }
    faces
}

/// Returns the class of the move, and what is wrong with it or how lucky the roll was.
fn verdict(app: &App, ply: &PlyReview) -> Line<'static> {
    let class = Span::styled(ply.class.to_string(), app.look.class(ply.class));
    let best = app.look.pen.tiles(app.sitting.rules(), ply.player, ply.best);
    let words = match &ply.reason {
        Some(reason) => format!(": {}; best is {best}", reason.sentence),
        None if ply.error > 0.0 => {
            format!(": costs {:.2} points; best is {best}", ply.error * 100.0)
        }
        None => String::new(),
    };
    let luck = format!("  (luck of the roll {:+.2})", ply.luck * 100.0);
    Line::from(vec![class, Span::raw(words), Span::styled(luck, app.look.dim())])
}

/// Returns the roll and its moves, best first, the one played marked.
fn options(app: &App, ply: &PlyReview, width: u16) -> Vec<Line<'static>> {
    let (rules, look) = (app.sitting.rules(), app.look);
    let heading = format!("{} threw {}", ply.player, ply.roll);
    let mut lines = vec![Line::styled(heading, look.player(ply.player))];
    lines.extend(ply.moves.iter().map(|option| {
        let sign = if option.action == ply.action { look.sign("▸", ">") } else { " " };
        let row = moves::option_row(rules, ply.player, option, ply.best_value, (look, width));
        std::iter::once(Span::raw(sign)).chain(row).collect::<Line<'_>>()
    }));
    lines
}
