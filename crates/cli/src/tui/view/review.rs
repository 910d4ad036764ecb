//! The review of the game: the board at a ply, the graph, the totals, and the moves of the ply.

use puabi_core::Player;
use puabi_engine::{PlyReview, Review, Totals};
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::prelude::*;
use ratatui::widgets::{Paragraph, Wrap};

use super::areas::Areas;
use super::board::{BoardArea, Faces};
use super::{game, graph, moves};
use crate::output::text::{self, t};
use crate::tui::state::{App, DIM, ReviewState, Theme};

/// The least number of rows below the board: the graph and two rows of reason.
const BELOW: u16 = 7;

/// Draws the review.
pub(super) fn draw(app: &App, state: &ReviewState, areas: &Areas, buffer: &mut Buffer) {
    let ply = state.ply();
    let board = BoardArea::new(app, areas.left, BELOW);
    board.draw(app, &ply.position, &faces(app, ply), buffer);
    let [curve, reason] = Layout::vertical([Fill(1), Length(2)]).areas(board.below);
    graph::draw(&state.review, ply.number - 1, app.theme, curve, buffer);
    Paragraph::new(verdict(app, ply)).wrap(Wrap { trim: true }).render(reason, buffer);
    let mut lines = totals(&state.review, app.theme);
    lines.push(Line::default());
    lines.extend(options(app, ply, areas.panel.width));
    Paragraph::new(lines).render(areas.panel, buffer);
}

/// Returns the board at a ply: the move that was played has thick frames, the best one has `!` if it is another.
fn faces(app: &App, ply: &PlyReview) -> Faces {
    let rules = app.rules();
    let mut faces = Faces::new(rules, &ply.position);
    game::mark(&mut faces, rules, ply.player, ply.action);
    if ply.best != ply.action {
        faces.label(game::goal(rules, ply.player, ply.best), '!');
    }
    faces
}

/// Returns the class of the move, its reason, and the luck of the roll.
fn verdict(app: &App, ply: &PlyReview) -> Line<'static> {
    let language = app.language();
    let class = Span::styled(language.translate(ply.class), app.theme.class(ply.class));
    let best = app.theme.style.tiles(app.rules(), ply.player, ply.best);
    let words = match &ply.reason {
        Some(reason) => {
            let reason = app.theme.style.sentence(&reason.sentence);
            t!(language, ": {reason}; best is {best}", reason, best)
        }
        None if ply.error > 0.0 => {
            let points = language.number(format!("{:.2}", ply.error * 100.0));
            t!(language, ": costs {points} points; best is {best}", points, best)
        }
        None => String::new(),
    };
    let luck = language.number(format!("{:+.2}", ply.luck * 100.0));
    let luck = t!(language, "(luck of the roll {luck})", luck);
    Line::from(vec![class, Span::raw(words), Span::styled(format!("  {luck}"), DIM)])
}

/// Returns the roll and its moves, best first, with a mark at the one that was played.
fn options(app: &App, ply: &PlyReview, width: u16) -> Vec<Line<'static>> {
    let player = app.player(ply.player);
    let heading = t!(app.language(), "{player} threw {roll}", player, roll = ply.roll);
    let heading = Line::styled(heading, app.theme.player(ply.player));
    let rows = ply.moves.iter().map(|option| {
        let sign = if option.action == ply.action { app.theme.sign("▸", ">") } else { " " };
        let mut row = moves::option_row(app, ply.player, option, ply.best_value, width);
        row.spans.insert(0, Span::raw(sign));
        row
    });
    std::iter::once(heading).chain(rows).collect()
}

/// Returns a row for each measure, with a column for each player; luck and errors are in points.
fn totals(review: &Review, theme: Theme) -> Vec<Line<'static>> {
    let language = theme.style.language;
    let row = |name: String, measure: fn(&Totals) -> String| {
        let [light, dark] =
            Player::BOTH.map(|player| language.number(measure(&review.totals[player])));
        Line::from(format!("{}{light:>7}{dark:>7}", text::left(&text::cut(&name, 9), 9)))
    };
    let heading = |player: Player| {
        Span::styled(text::right(&language.translate(player), 7), theme.player(player))
    };
    let [light, dark] = Player::BOTH.map(heading);
    vec![
        Line::from(vec![Span::raw(" ".repeat(9)), light, dark]),
        row(t!(language, "luck"), |totals| text::points(totals.luck)),
        row(t!(language, "errors"), |totals| text::points(-totals.error)),
        row(t!(language, "accuracy"), |totals| {
            text::or_dash(totals.accuracy, |it| format!("{it:.1}"))
        }),
        row(t!(language, "choices"), |totals| totals.decisions.to_string()),
        row(t!(language, "slips"), |totals| {
            let classes = totals.classes;
            (classes.inaccuracy + classes.mistake + classes.blunder).to_string()
        }),
    ]
}
